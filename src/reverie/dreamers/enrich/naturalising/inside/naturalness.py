"""Naturalness of a value: known, or one edit away from a known one.

Wrong input is right input with one thing wrong; a text that is two edits away from every known
one is noise to its reader.
"""

import itertools
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any

_LISTED = re.compile(r"(\s*[,;|]\s*)")
_SPACED = re.compile(r"(\s+)")
_PARTED = re.compile(r"(\s*[^\w\s]\s*|\s+|_)")
_WORD = re.compile(r"[^\W\d_]+")
_FEW, _SEVERAL = 3, 6
_MOST = 80
_DIGITS = re.compile(r"[0-9]+")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")


def edited(text: str, tokens: "Sequence[str]" = ()) -> "list[str]":
    """Neighbours of a text, the likeliest first; `tokens` are texts that the code itself names."""
    found: dict[str, None] = {}
    for each in _edits(text, tokens):
        if each != text:
            found.setdefault(each)
        if len(found) == _MOST:
            break
    return list(found)


def is_one_edit(known: str, text: str, tokens: "frozenset[str]" = frozenset()) -> bool:
    """Whether a text is a known one with one thing changed."""
    if known.casefold() == text.casefold() or known.split() == text.split():
        return True
    first = _common(known, text)
    last = _common(known[first:][::-1], text[first:][::-1])
    gone, come = known[first : len(known) - last], text[first : len(text) - last]
    if len(gone) <= 1 and len(come) <= 1:
        is_usual = come.isalnum() or come in known or come in tokens
        return len(known) >= _FEW and is_usual and come.isascii() >= known.isascii()
    is_part = _is_part(known, first, first + len(gone))
    if is_part and (not come or come.strip() in tokens):
        return True
    return len(known) < 80 and text in _rearranged(known)


def is_mild_edit(known: str, text: str) -> bool:
    """Whether a text is as right as a known one: other digits, another case, a listed part less."""
    if known.casefold() == text.casefold():
        return True
    if len(known) == len(text) and _DIGITS.split(known) == _DIGITS.split(text):
        return sum(one != other for one, other in zip(known, text)) == 1  # noqa: B905  as long
    if text in _with_less(_LISTED.split(known)):
        return True
    return _is_cased_alike(known, text) and text in _with_less(_SPACED.split(known))


def _is_cased_alike(known: str, text: str) -> bool:
    """Whether a text begins and ends as a known one does; `Simone de` is cut off."""
    ends = [(each[:1], each.split()[-1:]) for each in (known, text)]
    shown = [(first.isupper(), [word[:1].isupper() for word in last]) for first, last in ends]
    return shown[0] == shown[1]


def _with_less(pieces: "list[str]") -> "Iterator[str]":
    """One part of several missing, with what divides it from its neighbour."""
    if len(pieces) >= _FEW:
        for at in range(0, len(pieces), 2):
            yield "".join((*pieces[: max(at - 1, 0)], *pieces[at + 1 if at else 2 :]))


def _edits(text: str, tokens: "Sequence[str]") -> "Iterator[str]":
    """One of each kind of edit, then the next of each."""
    kinds = (
        _shortened(text), _digits(text), _letters(text), _rearranged(text),
        _with_tokens(text, tokens), _cased(text), _marked(text),
    )  # fmt: skip
    for row in itertools.zip_longest(*kinds):
        yield from (each for each in row if each is not None)
    if text:
        yield from (f" {text}", f"{text} ", text[:-1], text[1:])
    yield ""


def _letters(text: str) -> "Iterator[str]":
    for word in list(_WORD.finditer(text))[:_FEW]:
        if word.end() - word.start() > 1:
            yield f"{text[: word.end() - 1]}x{text[word.end() :]}"


def _cased(text: str) -> "Iterator[str]":
    yield from (text.upper(), text.lower(), text.title())


def _marked(text: str) -> "Iterator[str]":
    """A mark missing, doubled, or in front."""
    if _NUMBER.fullmatch(text):
        yield from (f"-{text}", f"+{text}", f"{text}0", f"{text}.5")
    marks = [each for each in text if not each.isalnum()]
    for mark in list(dict.fromkeys(marks))[:_FEW]:
        at = text.index(mark)
        yield text[:at] + text[at + 1 :]
        yield f"{text[:at]}{mark}{text[at:]}"
        yield from (mark + text, text + mark)


def _shortened(text: str) -> "Iterator[str]":
    """A part missing: the last, the first, then one in the middle; large parts before small."""
    for pattern in (_LISTED, _PARTED):
        yield from _without_parts(pattern.split(text))


def _without_parts(pieces: "list[str]") -> "Iterator[str]":
    if len(pieces) < _FEW:
        return
    yield "".join(pieces[:-2])
    yield "".join(pieces[2:])
    yield from ("".join((*pieces[:at], *pieces[at + 2 :])) for at in range(2, len(pieces) - 2, 2))
    yield pieces[0]
    yield pieces[-1]


def _digits(text: str) -> "Iterator[str]":
    """A digit is another: of the last number first, of each number its first and its last."""
    numbers = list(_DIGITS.finditer(text))[::-1][:_SEVERAL]
    for at in dict.fromkeys(at for each in numbers for at in (each.start(), each.end() - 1)):
        for digit in ("9", str((int(text[at]) + 1) % 10), "0"):
            yield text[:at] + digit + text[at + 1 :]


def _rearranged(text: str) -> "Iterator[str]":
    """Two neighbouring parts swapped, what holds them together kept."""
    chunks = re.split(r"([,;.]?\s+)", text)
    for number, chunk in enumerate(chunks):
        marks = [each for each in chunk if not each.isalnum()]
        for mark in sorted(dict.fromkeys(marks), key=marks.count):
            pieces = chunk.split(mark)
            if mark.isspace() or len(pieces) > _SEVERAL:
                continue
            for at in range(len(pieces) - 1):
                swapped = [*pieces[:at], pieces[at + 1], pieces[at], *pieces[at + 2 :]]
                yield "".join((*chunks[:number], mark.join(swapped), *chunks[number + 1 :]))
    for at in range(0, min(len(chunks) - 2, 2 * _SEVERAL), 2):
        left, space, right = chunks[at : at + 3]
        yield "".join((*chunks[:at], right, space, left, *chunks[at + 3 :]))


def _with_tokens(text: str, tokens: "Sequence[str]") -> "Iterator[str]":
    """With a word or a mark of the code's own in it; a word of its own stands alone."""
    if text in tokens:
        return
    words = list(_WORD.finditer(text))
    for token in tokens:
        if _WORD.fullmatch(token.strip(".")):
            yield f"{text} {token}"
            yield f"{token} {text}"
            if len(words) > 1:
                yield f"{text[: words[-1].start()]}{token} {text[words[-1].start() :]}"
                yield text[: words[-1].start()] + token + text[words[-1].end() :]
        elif len(token) <= _FEW:
            yield from (text + token, token + text)
            if len(words) > 1:
                yield f"{text[: words[0].end()]}{token}{text[words[0].end() :]}"


def _is_part(text: str, start: int, end: int) -> bool:
    """Whether a piece begins and ends where a word, a number or the text does."""
    return _is_edge(text, start) and _is_edge(text, end)


def _is_edge(text: str, at: int) -> bool:
    if at in (0, len(text)):
        return True
    return not (text[at - 1].isalnum() and text[at].isalnum())


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    many = 0
    for left, right in zip(one, other):  # noqa: B905  the shorter decides
        if left != right:
            break
        many += 1
    return many


_SMALL = 31
YEARS = range(1900, 2101)
CALENDAR = {
    "year": (YEARS[0], YEARS[-1]), "month": (1, 12), "day": (1, 31), "weekday": (0, 7),
    "hour": (0, 24), "minute": (0, 60), "second": (0, 60),
}  # fmt: skip
"""What whole numbers of these names can be."""
_FEW_DIGITS = 2
_SHORT_FLOAT = 6
_MOST_ITEMS = 6
_LONGEST = 200


def is_off_calendar(name: str, value: Any) -> bool:
    """Whether a number is none that a parameter of this name can be: a fourteenth month."""
    first, last = CALENDAR.get(name, (value, value))
    return type(value) is int and not first <= value <= last


def _is_below(value: Any) -> bool:
    return isinstance(value, (int, float)) and value < 0


class Familiar:
    """What is known of a module's values: texts and numbers that it, its docs and tests show."""

    __slots__ = ("numbers", "texts", "tokens")

    def __init__(self, texts: "list[str]", numbers: "list[float]", tokens: "list[str]") -> None:
        self.texts = frozenset(texts)
        """Texts that stand somewhere as values: in docs, tests, data, comparisons."""
        self.numbers = frozenset(numbers)
        self.tokens = frozenset(tokens)
        """Short texts that the code itself names."""

    def is_text(self, text: str, role: "frozenset[str]") -> bool:
        """Whether it is known, or one edit away from what is known of its role."""
        if not text or text in role or (not role and text in self.texts):
            return True
        if len(text) > _LONGEST or ("\n" in text and not any("\n" in each for each in role)):
            return False
        return any(is_one_edit(each, text, self.tokens) for each in role)

    def is_number(self, value: "float | int", role: "frozenset[Any]") -> bool:
        """Whether it is small, round, a year, or at the edge of a number that is known."""
        if value not in role and value < 0 and not any(_is_below(each) for each in role):
            return False
        if value in role or value in self.numbers:
            return True
        if isinstance(value, float) and not math.isfinite(value):
            return False
        if isinstance(value, float) and not value.is_integer():
            return len(repr(abs(value))) <= _SHORT_FLOAT and "e" not in repr(value)
        if abs(value) <= _SMALL or value in YEARS:
            return True
        if any(abs(value - each) <= 1 or value == -each for each in (*self.numbers, *role)
               if isinstance(each, (int, float))):  # fmt: skip
            return True
        whole = abs(int(value))
        is_beside = any(len(f"{each}".rstrip("0")) == 1 for each in (whole + 1, whole - 1))
        return is_beside or len(f"{whole}".rstrip("0")) <= _FEW_DIGITS

    def is_value(self, value: Any, role: "frozenset[Any]") -> bool:
        """Whether a plain value, or each part of it, is such."""
        if value is None or isinstance(value, bool):
            return True
        if isinstance(value, str):
            return self.is_text(value, frozenset(each for each in role if isinstance(each, str)))
        if isinstance(value, bytes):
            texts = frozenset(each.decode("latin-1") for each in role if isinstance(each, bytes))
            texts |= frozenset(each for each in role if isinstance(each, str))
            return self.is_text(value.decode("latin-1"), texts)
        if isinstance(value, (int, float)):
            return self.is_number(value, role)
        if isinstance(value, dict):
            return len(value) <= _MOST_ITEMS and all(
                self.is_value(part, role) for pair in value.items() for part in pair
            )
        if isinstance(value, (list, tuple, set, frozenset)):
            return len(value) <= _MOST_ITEMS and all(self.is_value(part, role) for part in value)
        return False
