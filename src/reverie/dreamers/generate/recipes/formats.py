"""Versions, addresses, paths and check digits: compared, taken apart, checked."""

import re
from urllib.parse import urlsplit


def parse_version(text: str) -> list[int]:
    """The numbers of a version such as '1.20.3'.

    Also: split a version.

    >>> parse_version("1.20.3")
    [1, 20, 3]
    """
    return [int(part) for part in text.split(".")]


def compare_versions(first: str, second: str) -> int:
    """-1, 0 or 1: how two dotted versions compare; missing parts count as 0.

    Also: version comparison.

    >>> [compare_versions("1.10", "1.9"), compare_versions("1.0", "1")]
    [1, 0]
    """
    one, two = ([int(part) for part in text.split(".")] for text in (first, second))
    size = max(len(one), len(two))
    one += [0] * (size - len(one))
    two += [0] * (size - len(two))
    return (one > two) - (one < two)


def is_valid_email(text: str) -> bool:
    """Whether a text has the form of an e-mail address.

    Also: validate email.

    >>> [is_valid_email("a@b.org"), is_valid_email("a@b")]
    [True, False]
    """
    return re.fullmatch(r"[\w.+-]+@[\w-]+(\.[\w-]+)+", text) is not None


def is_valid_ipv4(text: str) -> bool:
    """Whether a text is a valid IPv4 address.

    Also: validate IP.

    >>> [is_valid_ipv4("192.168.0.1"), is_valid_ipv4("256.1.1.1")]
    [True, False]
    """
    parts = text.split(".")
    return len(parts) == 4 and all(
        part.isascii() and part.isdigit() and int(part) < 256 and str(int(part)) == part
        for part in parts
    )


def is_valid_luhn(number: str) -> bool:
    """Whether the digits of a card number pass the Luhn check.

    Also: credit card check digit.

    >>> [is_valid_luhn("4539 1488 0343 6467"), is_valid_luhn("8273 1232 7352 0569")]
    [True, False]
    """
    digits = [int(char) for char in number if char.isdigit()][::-1]
    total = sum(digits[::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return bool(digits) and total % 10 == 0


def is_valid_isbn10(text: str) -> bool:
    """Whether a text is a valid ISBN with ten digits.

    Also: book number check.

    >>> [is_valid_isbn10("3-598-21508-8"), is_valid_isbn10("3-598-21508-9")]
    [True, False]
    """
    kept = text.replace("-", "")
    if re.fullmatch(r"\d{9}[\dX]", kept) is None:
        return False
    digits = [10 if char == "X" else int(char) for char in kept]
    return (
        sum(digit * weight for digit, weight in zip(digits, range(10, 0, -1), strict=True)) % 11
        == 0
    )


def domain_of(url: str) -> str:
    """The host name of a URL.

    Also: extract the domain.

    >>> domain_of("https://example.org:8080/a?b=c")
    'example.org'
    """
    return urlsplit(url).hostname or ""


def file_extension(path: str) -> str:
    """The extension of a file name without the dot; empty when there is none.

    Also: suffix of a path.

    >>> [file_extension("a/b.tar.gz"), file_extension("readme")]
    ['gz', '']
    """
    name = path.rpartition("/")[2]
    return name.rpartition(".")[2] if "." in name.lstrip(".") else ""


def normalize_path(path: str) -> str:
    """An absolute path with '.', '..' and doubled slashes resolved.

    Also: simplify path, canonical.

    >>> normalize_path("/a/./b/../c/")
    '/a/c'
    """
    parts: list[str] = []
    for part in path.split("/"):
        if part == "..":
            parts = parts[:-1]
        elif part not in ("", "."):
            parts.append(part)
    return "/" + "/".join(parts)
