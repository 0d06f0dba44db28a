"""Whether a value is one that a person would have written for a parameter."""

import math
from typing import Any

from reverie.dreamers.enrich.naturalising.inside.edits import is_one_edit

_SMALL = 31
YEARS = range(1900, 2101)
_FEW_DIGITS = 2
_SHORT_FLOAT = 6
_MOST_ITEMS = 6
_LONGEST = 200


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
        numbers = [each for each in role if isinstance(each, (int, float))]
        if value not in role and value < 0 and numbers and min(numbers) >= 0:
            return False
        if value in role or value in self.numbers:
            return True
        if isinstance(value, float) and not math.isfinite(value):
            return False
        if isinstance(value, float) and not value.is_integer():
            return len(repr(abs(value))) <= _SHORT_FLOAT
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
