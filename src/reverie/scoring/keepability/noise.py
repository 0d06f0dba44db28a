"""How much a value looks like something that a search left over, from 0 (natural) to 1."""

import math
import re

from reverie.scoring.keepability.known import Known

_WORD = re.compile(r"[^\W\d_]+")
_RUN = re.compile(r"[^\w\s]{2,}")
_VOWEL = re.compile(r"[aeiouyàáâäåæèéêëìíîïòóôöøùúûü]", re.IGNORECASE)
_FLIP = re.compile(r"[a-z][A-Z]{1}(?![a-z])|[A-Z]{2,}[a-z]|[a-z]\d[a-z]")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_FRAGMENT = 2
_ROUND = 10
_SMALL = 32
_YEARS = range(1900, 2101)


def text_noise(text: str, known: Known) -> float:
    """Of a text: nothing where somebody wrote it, or nearly; else by its looks."""
    if not text.strip():
        return 0.1 if not text else 0.4
    if known.is_near(text):
        return 0.0
    if len(text) <= _FRAGMENT:
        return 0.5
    points = 0.6 * bool(_CONTROL.search(text)) + 0.4 * bool(_RUN.search(text))
    points += 0.3 * (text != text.strip()) + 0.3 * bool(_FLIP.search(text))
    words = _WORD.findall(text)
    strange = [each for each in words if each.lower() not in known.words]
    if words:
        points += 0.5 * len(strange) / len(words)
        points += 0.3 * any(len(each) > _FRAGMENT and not _VOWEL.search(each) for each in strange)
    elif not any(each.isdigit() for each in text):
        points += 0.4  # signs alone
    return min(1.0, points)


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
