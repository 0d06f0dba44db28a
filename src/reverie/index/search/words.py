"""Words of names and docstrings, cut so that `parseDates` meets `date parser`."""

import re
from collections.abc import Iterable

_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_A-Za-z]+")
_TEXT = re.compile(r"[^\W_]\w+")
_STOP_WORDS = frozenset(
    """
    a an and are as at be been but by can do does for from has have if in into is it its may
    more no not of on one only or other should so some such than that the their them then
    there these they this to two used uses using was we were what when where which while will
    with you your
    """.split()  # noqa: SIM905 - a list would take a page
)
_SUFFIXES = ("ations", "ation", "ising", "izing", "ings", "ing", "ies", "ers", "ied", "es", "ed")
_LAST = ("er", "or", "e", "s", "y")
_SHORTEST_STEM = 3
_MOST_WORDS = 120


def words_of_name(name: str) -> list[str]:
    """The parts of an identifier, in lower case: `parseURLList` is `parse url list`."""
    return [part.lower() for part in _PARTS.findall(name)]


def words_of_text(text: str) -> list[str]:
    """The words of a docstring or a question that say something, each once."""
    found: dict[str, None] = {}
    for match in _TEXT.findall(text):
        for word in words_of_name(match):
            if word not in _STOP_WORDS and len(word) > 1:
                found[word] = None
        if len(found) >= _MOST_WORDS:
            break
    return list(found)


def stem(word: str) -> str:
    """What a word has in common with its other forms: a start of all of them."""
    for suffix in (*_SUFFIXES, *_LAST):
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST_STEM:
            return word.removesuffix(suffix)
    return word


def question_words(question: str) -> list[str]:
    """The words to look for; all of them when nothing but small words is left."""
    return words_of_text(question) or words_of_name(question)


def joined(words: Iterable[str]) -> str:
    """Words as they are stored."""
    return " ".join(words)
