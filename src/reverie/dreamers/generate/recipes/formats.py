"""Texts with a structure: versions, addresses, paths, expressions; read, written and checked."""

import json
import re
from urllib.parse import parse_qsl, urlsplit


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


def parse_pairs(text: str) -> dict[str, str]:
    """Pairs 'key=value' separated by semicolons as a dictionary; empty parts are skipped.

    Also: key value pairs, trim spaces, cookies, read a line of names and values, settings.

    >>> parse_pairs(" a = 1; b=2 ;")
    {'a': '1', 'b': '2'}
    """
    pairs = (part.partition("=") for part in text.split(";") if part.strip())
    return {key.strip(): value.strip() for key, _, value in pairs}


def parse_query(text: str) -> dict[str, str]:
    """A query such as 'a=1&b=2' as a dictionary.

    Also: query string, URL parameters.

    >>> parse_query("a=1&b=two+words")
    {'a': '1', 'b': 'two words'}
    """
    return dict(parse_qsl(text.removeprefix("?"), keep_blank_values=True))


def parse_csv_line(line: str) -> list[str]:
    """The fields of a line of comma separated values, with quotes.

    Also: CSV row, split quoted fields.

    >>> parse_csv_line('a,"b,c",d')
    ['a', 'b,c', 'd']
    """
    import csv

    return next(csv.reader([line]), [])


def parse_table(text: str) -> list[dict[str, str]]:
    """Lines of comma separated values with a header as records.

    Also: CSV to dictionaries.

    >>> parse_table("a,b\\n1,2")
    [{'a': '1', 'b': '2'}]
    """
    import csv

    return [dict(row) for row in csv.DictReader(text.splitlines())]


def parse_ini(text: str) -> dict[str, dict[str, str]]:
    """Sections of 'key = value' lines as nested dictionaries.

    Also: INI file, configuration.

    >>> parse_ini("[a]\\nx = 1")
    {'a': {'x': '1'}}
    """
    found: dict[str, dict[str, str]] = {}
    section = ""
    for line in text.splitlines():
        line = line.strip()
        if line.startswith("[") and line.endswith("]"):
            section = line[1:-1]
            found.setdefault(section, {})
        elif "=" in line and line[0] not in "#;":
            key, _, value = line.partition("=")
            found.setdefault(section, {})[key.strip()] = value.strip()
    return found


def fill_template(template: str, values: dict[str, str]) -> str:
    """A text with '{name}' replaced by the value of the name; unknown names stay.

    Also: substitute placeholders.

    >>> fill_template("Hi {name}, {x}", {"name": "Ada"})
    'Hi Ada, {x}'
    """
    return re.sub(r"\{(\w+)\}", lambda m: values.get(m.group(1), m.group(0)), template)


def strip_html(text: str) -> str:
    """A text without HTML tags.

    Also: remove markup.

    >>> strip_html("<p>Hi <b>you</b></p>")
    'Hi you'
    """
    return re.sub(r"<[^>]*>", "", text)


def escape_html(text: str) -> str:
    """A text with &, <, > and quotes escaped for HTML.

    Also: html entities.

    >>> escape_html("<a> & 'b'")
    '&lt;a&gt; &amp; &#x27;b&#x27;'
    """
    import html

    return html.escape(text)


def evaluate_rpn(expression: str) -> int:
    """The value of an expression in reverse Polish notation with +, - and *.

    Also: postfix, RPN, stack calculator.

    >>> [evaluate_rpn("3 4 + 2 *"), evaluate_rpn("5 1 -")]
    [14, 4]
    """
    stack: list[int] = []
    for token in expression.split():
        if token in ("+", "-", "*"):
            second, first = stack.pop(), stack.pop()
            stack.append({"+": first + second, "-": first - second, "*": first * second}[token])
        else:
            stack.append(int(token))
    return stack[-1]


def evaluate_expression(expression: str) -> int:
    """The value of an expression with whole numbers, + - * and brackets.

    Also: basic calculator, infix arithmetic.

    >>> [evaluate_expression("2 + 3 * 4"), evaluate_expression("(1+2)*-3")]
    [14, -9]
    """
    tokens = re.findall(r"\d+|[-+*()]", expression)[::-1]

    def factor() -> int:
        token = tokens.pop()
        if token == "-":
            return -factor()
        if token == "(":
            value = total()
            tokens.pop()
            return value
        return int(token)

    def term() -> int:
        value = factor()
        while tokens and tokens[-1] == "*":
            tokens.pop()
            value *= factor()
        return value

    def total() -> int:
        value = term()
        while tokens and tokens[-1] in "+-":
            value = value + term() if tokens.pop() == "+" else value - term()
        return value

    return total()


def json_keys(text: str) -> list[str]:
    """The sorted keys of a JSON object.

    Also: parse JSON and list keys.

    >>> json_keys('{"b": 1, "a": 2}')
    ['a', 'b']
    """
    return sorted(json.loads(text))


def to_query(parameters: dict[str, str]) -> str:
    """A dictionary as a query such as 'a=1&b=2'.

    Also: build a query string.

    >>> to_query({"a": "1", "b": "x y"})
    'a=1&b=x+y'
    """
    from urllib.parse import urlencode

    return urlencode(parameters)


def indent_lines(text: str, width: int) -> str:
    """A text with every line indented by a number of spaces.

    Also: prefix lines.

    >>> indent_lines("a\\nb", 2)
    '  a\\n  b'
    """
    return "\n".join(" " * width + line for line in text.split("\n"))


def number_lines(text: str) -> str:
    """A text with '1: ', '2: ' … in front of its lines.

    Also: line numbers.

    >>> number_lines("a\\nb")
    '1: a\\n2: b'
    """
    return "\n".join(f"{at}: {line}" for at, line in enumerate(text.split("\n"), 1))


def tokenize_words(text: str) -> list[str]:
    """The lower-case words of a text: runs of letters and digits.

    Also: tokenise, split into words without punctuation.

    >>> tokenize_words("Hello, big-World!")
    ['hello', 'big', 'world']
    """
    return re.findall(r"[a-z0-9]+", text.lower())


def hashtags(text: str) -> list[str]:
    """The hashtags of a text without the hash, in order.

    Also: extract tags.

    >>> hashtags("so #nice and #good")
    ['nice', 'good']
    """
    return re.findall(r"#(\w+)", text)
