"""Texts: cased, named and abbreviated."""

import re
import unicodedata


def capitalize_words(text: str) -> str:
    """A text with the first letter of each word in upper case, the rest in lower case.

    Also: title case, each word capitalised.

    >>> capitalize_words("hello WORLD")
    'Hello World'
    """
    return text.title()


def capitalize_first(text: str) -> str:
    """A text with its first character in upper case, the rest unchanged.

    Also: capitalise the first letter only.

    >>> capitalize_first("hello World")
    'Hello World'
    """
    return text[:1].upper() + text[1:]


def swap_case(text: str) -> str:
    """A text with upper case made lower and lower case made upper.

    Also: invert the case, toggle.

    >>> swap_case("aBc")
    'AbC'
    """
    return text.swapcase()


def alternating_case(text: str) -> str:
    """A text whose characters are alternately upper and lower case, beginning upper.

    Also: sponge case, mocking.

    >>> alternating_case("hello")
    'HeLlO'
    """
    return "".join(c.lower() if at % 2 else c.upper() for at, c in enumerate(text))


def snake_case(name: str) -> str:
    """A camel-case name in snake case.

    Also: camelCase to snake_case, underscore.

    >>> [snake_case("camelCaseName"), snake_case("HTTPServer")]
    ['camel_case_name', 'http_server']
    """
    parts = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", name)
    return re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", parts).lower()


def camel_case(name: str) -> str:
    """A snake-case name in camel case, beginning lower.

    Also: snake_case to camelCase.

    >>> camel_case("some_long_name")
    'someLongName'
    """
    first, *rest = name.split("_")
    return first + "".join(part.capitalize() for part in rest)


def pascal_case(name: str) -> str:
    """A snake-case name in camel case, beginning upper.

    Also: snake_case to PascalCase, CapWords.

    >>> pascal_case("some_long_name")
    'SomeLongName'
    """
    return "".join(part.capitalize() for part in name.split("_"))


def kebab_case(text: str) -> str:
    """The words of a text in lower case, joined with hyphens.

    Also: dash case.

    >>> kebab_case("Hello Big World")
    'hello-big-world'
    """
    return "-".join(text.lower().split())


def slugify(text: str) -> str:
    """A text as a slug: lower-case letters and digits, everything else one hyphen.

    Also: URL slug, permalink.

    >>> slugify(" Hello, World! ")
    'hello-world'
    """
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def strip_accents(text: str) -> str:
    """A text without accents.

    Also: remove diacritics, ascii fold.

    >>> strip_accents("café")
    'cafe'
    """
    parts = unicodedata.normalize("NFD", text)
    return "".join(char for char in parts if not unicodedata.combining(char))


def initials(name: str) -> str:
    """The upper-case initials of the words of a name.

    Also: first letters, monogram.

    >>> initials("ada lovelace")
    'AL'
    """
    return "".join(word[0].upper() for word in name.split())


def acronym(phrase: str) -> str:
    """The acronym of a phrase, hyphens counted as spaces.

    Also: abbreviation from first letters.

    >>> acronym("portable network-graphics")
    'PNG'
    """
    return "".join(word[0].upper() for word in phrase.replace("-", " ").split())


def pig_latin(word: str) -> str:
    """A word in pig Latin.

    Also: move leading consonants to the end and add ay.

    >>> [pig_latin("hello"), pig_latin("apple")]
    ['ellohay', 'appleway']
    """
    for at, char in enumerate(word):
        if char in "aeiou":
            return word + "way" if at == 0 else word[at:] + word[:at] + "ay"
    return word + "ay"
