"""How much a value looks like something that a search left over, from 0 (natural) to 1."""

import math
import re

from reverie.scoring.keepability.known import SIGNS, Known

_WORD = re.compile(r"[^\W\d_]+")
_VOWEL = re.compile(r"[aeiouyàáâäåæèéêëìíîïòóôöøùúûü]", re.IGNORECASE)
_FLIP = re.compile(r"[a-z][A-Z](?![a-z])|[A-Z]{2,}[a-z]|[a-z]\d[a-z]")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_FRAGMENT = 2
_ROUND = 10
_SMALL = 32
_YEARS = range(1900, 2101)
_NEAR = 0.1
_UNKNOWN = 0.2
"""Of a text without a fault that nobody has written so."""


def text_noise(text: str, known: Known) -> float:
    """Of a text: nothing where somebody wrote it, little where nearly; else by its looks."""
    if known.has(text):
        return 0.0
    if not text.strip():
        return 0.4
    if len(text) <= _FRAGMENT:
        return 0.5
    if is_cut(text, known):
        return 0.6
    if known.is_near(text):
        return _NEAR
    return min(1.0, _UNKNOWN + _oddness(text, known))


def is_cut(text: str, known: Known) -> bool:
    """Whether it ends or begins within a word of a known text, as a shortened one does."""
    if not text[-1:].isalpha() and not text[:1].isalpha():
        return False
    words = _WORD.findall(text)
    whole = [each for each in words if len(each) > 1 and each.lower() not in known.words]
    if not whole or whole[-1] not in (words[0], words[-1]):
        return False
    return any(
        len(each) > len(text)
        and (
            (each.startswith(text) and each[len(text)].isalpha())
            or (each.endswith(text) and each[-len(text) - 1].isalpha())
        )
        for each in known.texts
    )


def _oddness(text: str, known: Known) -> float:
    runs = [each for each in SIGNS.findall(text) if each not in known.signs]
    points = 0.6 * bool(_CONTROL.search(text)) + 0.4 * bool(runs)
    points += 0.3 * (text != text.strip() and "\n" not in text.strip())
    points += 0.3 * bool(_FLIP.search(text))
    words = _WORD.findall(text)
    strange = [each for each in words if each.lower() not in known.words]
    if words:
        points += 0.6 * sum(map(_strangeness, strange)) / len(words)
    elif not any(each.isdigit() for each in text):
        points += 0.4  # signs alone
    return points


def _strangeness(word: str) -> float:
    """Of a word that nobody has written: a letter alone, or one that cannot be spoken, is worse."""
    if len(word) <= _FRAGMENT or not _VOWEL.search(word):
        return 1.0
    return 0.5


def number_noise(value: float, known: Known) -> float:
    """Of a number: small, round, a year or in the source is natural."""
    if not math.isfinite(value):
        return 0.5
    size = abs(value)
    if size <= _SMALL or value in known.numbers or size in known.numbers:
        return 0.0
    if any(size == each + step for each in known.numbers for step in (-1, 1)):
        return 0.0  # beside a bound of the source
    if isinstance(value, int) and (size % _ROUND == 0 or size in _YEARS):
        return 0.1
    digits = len(str(size).replace(".", "").strip("0"))
    return min(1.0, 0.15 * digits)


def value_noise(value: object, known: Known) -> float:
    """Of any literal."""
    match value:
        case str():
            return text_noise(value, known)
        case bytes():
            return text_noise(value.decode("latin-1"), known)
        case int() | float():
            return number_noise(value, known)
    return 0.3
