"""Texts that a regular expression matches, drawn from its own syntax tree."""

import random
import re
import warnings
from importlib import import_module
from typing import Any

_parser = getattr(re, "_parser", None) or import_module("sre_parse")  # before Python 3.11
_MOST_REPEATS = 3
_SWAPPED = 0.1
"""How often an odd text has a letter in its other case: the pattern may or may not mind."""
_CATEGORIES = {
    "CATEGORY_DIGIT": "0179",
    "CATEGORY_NOT_DIGIT": "aZ -",
    "CATEGORY_SPACE": " \t\n",
    "CATEGORY_NOT_SPACE": "aZ0-",
    "CATEGORY_WORD": "aZ0_\u00e9",
    "CATEGORY_NOT_WORD": " -.",
}
_ODD_CATEGORIES = {
    "CATEGORY_DIGIT": "0\u0663",
    "CATEGORY_SPACE": " \u00a0\x1c",
    "CATEGORY_WORD": "a\u00df\u0663",
}
_ANYTHING = "aZ0 -_."
_ODD = "a\n\u00e9"


def matching_texts(
    pattern: str, chance: random.Random, count: int, *, is_odd: bool = False
) -> list[str]:
    """Texts that probably match; odd ones may depend on flags. None for one that cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = _parser.parse(pattern)
    except (re.error, RecursionError, OverflowError):
        return []
    return list(dict.fromkeys(_Writer(chance, is_odd).sequence(tree) for _ in range(count)))


class _Writer:
    def __init__(self, chance: random.Random, is_odd: bool) -> None:
        self.chance = chance
        self.is_odd = is_odd
        self.anything = _ODD if is_odd else _ANYTHING
        self.groups: dict[int, str] = {}

    def sequence(self, items: Any) -> str:
        """Texts of all items, one after the other."""
        return "".join(self._one(str(name), given) for name, given in items)

    def _one(self, name: str, given: Any) -> str:
        match name:
            case "LITERAL":
                is_swapped = self.is_odd and self.chance.random() < _SWAPPED
                return chr(given).swapcase() if is_swapped else chr(given)
            case "NOT_LITERAL":
                return "b" if chr(given) == "a" else "a"
            case "ANY":
                return self.chance.choice(self.anything)
            case "IN":
                return self._member(given)
            case "BRANCH":
                return self.sequence(self.chance.choice(given[1]))
            case "SUBPATTERN":
                text = self.sequence(given[-1])
                self.groups[given[0] or 0] = text
                return text
            case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
                least, most, inner = given
                often = self.chance.randint(
                    least, max(least, min(int(most), least + _MOST_REPEATS))
                )
                return "".join(self.sequence(inner) for _ in range(often))
            case "ATOMIC_GROUP":
                return self.sequence(given)
            case "GROUPREF":
                return self.groups.get(given, "")
        return ""  # anchors and assertions take no room

    def _member(self, options: Any) -> str:
        if str(options[0][0]) == "NEGATE":
            refused = {chr(each) for name, each in options[1:] if str(name) == "LITERAL"}
            return self.chance.choice(
                [each for each in self.anything if each not in refused] or ["~"]
            )
        name, given = self.chance.choice(options)
        if str(name) == "RANGE":
            return chr(self.chance.choice((given[0], given[1], self.chance.randint(*given))))
        if str(name) == "CATEGORY":
            known = _CATEGORIES | (_ODD_CATEGORIES if self.is_odd else {})
            return self.chance.choice(known.get(str(given), self.anything))
        return chr(given)
