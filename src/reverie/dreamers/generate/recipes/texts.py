"""Texts: turned, measured against a pattern, made of parts, cased and abbreviated."""

import re
import textwrap
import unicodedata


def reverse_text(text: str) -> str:
    """A text reversed.

    Also: reverse string, backwards.

    >>> reverse_text("abc")
    'cba'
    """
    return text[::-1]


def reverse_words(text: str) -> str:
    """The words of a text in reverse order.

    Also: reverse word order in a sentence.

    >>> reverse_words("the quick fox")
    'fox quick the'
    """
    return " ".join(reversed(text.split()))


def reverse_each_word(text: str) -> str:
    """Every word of a text reversed, in the same order.

    Also: reverse letters of each word.

    >>> reverse_each_word("abc de")
    'cba ed'
    """
    return " ".join(word[::-1] for word in text.split(" "))


def is_palindrome(text: str) -> bool:
    """Whether a text reads the same in both directions.

    Also: exact palindrome.

    >>> [is_palindrome("anna"), is_palindrome("ab")]
    [True, False]
    """
    return text == text[::-1]


def is_palindrome_phrase(text: str) -> bool:
    """Whether a text is a palindrome when only letters and digits count, ignoring case.

    Also: palindrome ignoring punctuation and spaces.

    >>> is_palindrome_phrase("A man, a plan, a canal: Panama")
    True
    """
    kept = [char.lower() for char in text if char.isalnum()]
    return kept == kept[::-1]


def truncate(text: str, length: int) -> str:
    """A text cut to a length, with three dots at the end when it was longer.

    Also: shorten with ellipsis.

    >>> [truncate("abcdef", 5), truncate("abc", 5)]
    ['ab...', 'abc']
    """
    return text if len(text) <= length else text[: max(length - 3, 0)] + "..."


def wrap_text(text: str, width: int) -> list[str]:
    """A text wrapped into lines of at most a width.

    Also: word wrap, fill paragraphs.

    >>> wrap_text("the quick fox", 9)
    ['the quick', 'fox']
    """
    return textwrap.wrap(text, width)


def center_text(text: str, width: int, fill: str) -> str:
    """A text centred in a width, filled with a character.

    Also: pad on both sides.

    >>> center_text("ab", 6, "*")
    '**ab**'
    """
    return text.center(width, fill)


def repeat_text(text: str, times: int) -> str:
    """A text repeated a number of times.

    Also: duplicate string n times.

    >>> repeat_text("ab", 3)
    'ababab'
    """
    return text * times


def is_numeric(text: str) -> bool:
    """Whether a text is not empty and made only of decimal digits.

    Also: all digits, digits only.

    >>> [is_numeric("123"), is_numeric("12a"), is_numeric("")]
    [True, False, False]
    """
    return text.isdecimal()


def mask_text(text: str, visible: int) -> str:
    """A text with all but its last characters replaced by asterisks.

    Also: mask a card number, hide, redact.

    >>> mask_text("12345678", 4)
    '****5678'
    """
    hidden = max(len(text) - visible, 0)
    return "*" * hidden + text[hidden:]


def split_every(text: str, size: int) -> list[str]:
    """A text cut into pieces of a size; the last may be shorter.

    Also: chunk a string.

    >>> split_every("abcde", 2)
    ['ab', 'cd', 'e']
    """
    return [text[at : at + size] for at in range(0, len(text), size)]


def all_substrings(text: str) -> list[str]:
    """Every part of a text that is not empty, by start and then by length.

    Also: list substrings.

    >>> all_substrings("ab")
    ['a', 'ab', 'b']
    """
    size = len(text)
    return [text[i:j] for i in range(size) for j in range(i + 1, size + 1)]


def permutations_of_text(text: str) -> list[str]:
    """All distinct orders of the characters of a text, sorted.

    Also: string permutations.

    >>> permutations_of_text("aab")
    ['aab', 'aba', 'baa']
    """
    if not text:
        return [""]
    heads = sorted(set(text))
    return [
        head + rest for head in heads for rest in permutations_of_text(text.replace(head, "", 1))
    ]


def balanced_brackets(text: str) -> bool:
    """Whether the brackets ()[]{} of a text are balanced; other characters are ignored.

    Also: matching parentheses, valid brackets.

    >>> [balanced_brackets("(a[b])"), balanced_brackets("(]")]
    [True, False]
    """
    pairs = {")": "(", "]": "[", "}": "{"}
    opened: list[str] = []
    for char in text:
        if char in "([{":
            opened.append(char)
        elif char in pairs and (not opened or opened.pop() != pairs[char]):
            return False
    return not opened


def bracket_depth(text: str) -> int:
    """How deeply the round brackets of a text are nested.

    Also: maximum nesting depth of parentheses.

    >>> bracket_depth("(a(b))")
    2
    """
    depth = deepest = 0
    for char in text:
        depth += (char == "(") - (char == ")")
        deepest = max(deepest, depth)
    return deepest


def extract_numbers(text: str) -> list[int]:
    """The whole numbers in a text, in order.

    Also: find all integers.

    >>> extract_numbers("a1 b-22 c3")
    [1, -22, 3]
    """
    return [int(each) for each in re.findall(r"-?\d+", text)]


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
