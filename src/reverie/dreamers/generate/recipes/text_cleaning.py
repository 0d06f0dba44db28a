"""Texts: what is left when something is taken out."""


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
