"""Names, addresses and other words that mean something; texts with parts taken out."""

import re


def email_domains(addresses: list[str]) -> list[str]:
    """The domains of e-mail addresses, each once, in alphabetical order.

    Also: unique hosts, mail servers.

    >>> email_domains(["a@y.org", "b@x.com", "c@x.com"])
    ['x.com', 'y.org']
    """
    return sorted({each.rpartition("@")[2] for each in addresses})


def extract_emails(text: str) -> list[str]:
    """The e-mail addresses in a text, in order.

    Also: find mail addresses.

    >>> extract_emails("ask a@x.com or b.c@y.org.")
    ['a@x.com', 'b.c@y.org']
    """
    return re.findall(r"[\w.+-]+@[\w-]+(?:\.[\w-]+)+", text)


def extract_links(text: str) -> list[str]:
    """The web addresses in a text, in order.

    Also: find URLs, links.

    >>> extract_links("see https://a.b/c and http://d.e")
    ['https://a.b/c', 'http://d.e']
    """
    return re.findall(r"https?://[^\s<>\"']+", text)


def newest_version(versions: list[str]) -> str:
    """The newest of versions like v1.2.10, compared number by number.

    Also: latest, highest release.

    >>> newest_version(["v1.2.9", "v1.2.10"])
    'v1.2.10'
    """
    return max(versions, key=lambda each: [int(part) for part in re.findall(r"\d+", each)])


def sort_versions(versions: list[str]) -> list[str]:
    """Versions like 1.2.10 from the oldest to the newest, compared number by number.

    Also: order releases.

    >>> sort_versions(["1.10", "1.9"])
    ['1.9', '1.10']
    """
    return sorted(versions, key=lambda each: [int(part) for part in re.findall(r"\d+", each)])


def dotted_initials(name: str) -> str:
    """The first letters of all words in upper case, each followed by a dot.

    Also: initials of a name.

    >>> dotted_initials("ada lovelace")
    'A.L.'
    """
    return "".join(f"{word[0].upper()}." for word in name.split())


def lower_extension(name: str) -> str:
    """The part of a file name after its last dot in lower case; empty without a dot.

    Also: file ending, extension, suffix.

    >>> [lower_extension("a.tar.GZ"), lower_extension("README")]
    ['gz', '']
    """
    return name.rpartition(".")[2].lower() if "." in name else ""


def file_stem(name: str) -> str:
    """A file name without its last ending.

    Also: name without extension.

    >>> [file_stem("a.tar.gz"), file_stem("README")]
    ['a.tar', 'README']
    """
    stem, dot, _ = name.rpartition(".")
    return stem if dot else name


def is_strong_password(password: str) -> bool:
    """Whether a password has at least 8 characters, an upper-case letter and a digit.

    Also: secure password check.

    >>> [is_strong_password("Secret12"), is_strong_password("secret12")]
    [True, False]
    """
    has_upper = any(letter.isupper() for letter in password)
    has_digit = any(letter.isdigit() for letter in password)
    return len(password) >= 8 and has_upper and has_digit


def longest_word_length(sentence: str) -> int:
    """The number of letters of the longest word of a sentence; 0 without words.

    Also: length of the longest word.

    >>> longest_word_length("a bbb cc")
    3
    """
    return max(map(len, sentence.split()), default=0)


def average_word_length(sentence: str) -> float:
    """The average number of letters of the words of a sentence.

    Also: mean word length.

    >>> average_word_length("a bbb")
    2.0
    """
    words = sentence.split()
    return sum(map(len, words)) / len(words) if words else 0.0


def parse_flag(text: str) -> bool:
    """Whether a text means yes: yes, true, on and 1 in any case.

    Also: parse boolean, switch.

    >>> [parse_flag("Yes"), parse_flag("off")]
    [True, False]
    """
    return text.strip().lower() in ("yes", "true", "on", "1", "y", "t")


def parse_money(text: str) -> float:
    """An amount of money like $1,234.50 as a number.

    Also: parse price, currency, amount.

    >>> parse_money("$1,234.50")
    1234.5
    """
    return float(re.sub(r"[^0-9.-]", "", text))


def shorten_words(text: str, count: int) -> str:
    """The first so many words of a text, with ... when some were left out.

    Also: truncate to words, excerpt, summary.

    >>> [shorten_words("a b c", 2), shorten_words("a b", 2)]
    ['a b...', 'a b']
    """
    words = text.split()
    return " ".join(words[:count]) + ("..." if len(words) > count else "")


def join_with_and(items: list[str]) -> str:
    """Items as a list in a sentence: a, b and c.

    Also: enumerate, join with commas and the word and.

    >>> [join_with_and(["a", "b", "c"]), join_with_and(["a"]), join_with_and([])]
    ['a, b and c', 'a', '']
    """
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def pluralize_count(count: int, noun: str) -> str:
    """A count with its noun, with an s unless it is one.

    Also: plural, number of things.

    >>> [pluralize_count(1, "file"), pluralize_count(3, "file")]
    ['1 file', '3 files']
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def value_at_path(tree: dict[str, object], path: str) -> object:
    """The value at a dotted path of nested dictionaries; None where there is none.

    Also: get nested value, lookup.

    >>> [value_at_path({"a": {"b": 1}}, "a.b"), value_at_path({}, "x")]
    [1, None]
    """
    found: object = tree
    for part in path.split("."):
        if not isinstance(found, dict) or part not in found:
            return None
        found = found[part]
    return found


def remove_vowels(text: str) -> str:
    """A text without its vowels.

    Also: strip vowels, disemvowel.

    >>> remove_vowels("Hello World")
    'Hll Wrld'
    """
    return "".join(char for char in text if char not in "aeiouAEIOU")


def remove_duplicate_characters(text: str) -> str:
    """A text with each character kept only where it first occurs.

    Also: unique characters in order.

    >>> remove_duplicate_characters("banana")
    'ban'
    """
    return "".join(dict.fromkeys(text))


def remove_adjacent_duplicates(text: str) -> str:
    """A text with runs of equal characters reduced to one.

    Also: squeeze, collapse repeated characters.

    >>> remove_adjacent_duplicates("aabbca")
    'abca'
    """
    return "".join(char for at, char in enumerate(text) if at == 0 or char != text[at - 1])


def collapse_spaces(text: str) -> str:
    """A text with runs of whitespace reduced to single spaces, and none at the ends.

    Also: normalise whitespace, squeeze spaces.

    >>> collapse_spaces("  a   b ")
    'a b'
    """
    return " ".join(text.split())


def remove_spaces(text: str) -> str:
    """A text without any whitespace.

    Also: delete all spaces.

    >>> remove_spaces(" a b\\tc")
    'abc'
    """
    return "".join(text.split())


def remove_punctuation(text: str) -> str:
    """A text without ASCII punctuation.

    Also: strip punctuation marks.

    >>> remove_punctuation("Hi, you!")
    'Hi you'
    """
    marks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    return "".join(char for char in text if char not in marks)


def only_letters(text: str) -> str:
    """The letters of a text.

    Also: keep alphabetic characters only.

    >>> only_letters("a1-b2")
    'ab'
    """
    return "".join(char for char in text if char.isalpha())


def only_digits(text: str) -> str:
    """The digits of a text.

    Also: keep numeric characters only, extract digits.

    >>> only_digits("tel. 12-34")
    '1234'
    """
    return "".join(char for char in text if char.isdigit())
