"""Which findings a person looks at first: what speaks most clearly against the code. Pure."""

import re
from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any

from reverie.model.cycle import Sighting
from reverie.model.history import normalise_message


class FindingRank(IntEnum):
    """How clearly a behaviour is wrong; the first is the clearest."""

    CONTRADICTS_DOCS = 1
    CRASHES_ON_DOCUMENTED = 2
    CRASHES_ON_ALLOWED = 3
    ODD = 4


_NAMED = "named"
"""The basis of a finding that only a name suggests."""
_AGAINST_DOCS = frozenset({
    "contradicts_example", "example", "formula", "postcondition", "refusal", "round trip",
    "agreement", "arguments", "failing_test",
})  # fmt: skip
_CRASHES = frozenset({"error", "undocumented_error", "contradicts_annotation", "result type",
                      "negative_quantity"})  # fmt: skip
"""Errors that nothing documents, and results that are not what is declared."""
_NEGATIVE = re.compile(r"-\d[\d_]*(\.\d+)?(e[+-]?\d+)?")
_ERROR = re.compile(r"[A-Z]\w*: ")


def rank_of(details: Mapping[str, Any]) -> FindingRank:
    """By what kind of finding it is, what it rests on, and whether its input is documented."""
    kind = str(details.get("kind", "error"))
    if str(details.get("basis", "")) == _NAMED:
        return FindingRank.ODD
    if kind in _AGAINST_DOCS:
        return FindingRank.CONTRADICTS_DOCS
    if kind not in _CRASHES and not kind.endswith("Error"):
        return FindingRank.ODD
    if details.get("documented"):
        return FindingRank.CRASHES_ON_DOCUMENTED
    return FindingRank.CRASHES_ON_ALLOWED


def ranked(found: Iterable[Sighting]) -> tuple[Sighting, ...]:
    """Each once, the clearest first. What two searches saw of one callable alike is one finding."""
    kept: dict[tuple[str, ...], Sighting] = {}
    for each in sorted(found, key=lambda one: (rank_of(one.details), one.module, one.signature)):
        name, seen = each.details.get("function"), each.details.get("actual")
        is_known = bool(name and seen)
        key = (each.module, str(name), _symptom(str(seen))) if is_known else (each.signature,)
        kept.setdefault(key, each)
    return tuple(kept.values())


def _symptom(actual: str) -> str:
    """What happened, without the figure that happened to show it: -6 is no other fault than -50."""
    if _NEGATIVE.fullmatch(actual):
        return "a negative number"
    return normalise_message(actual) if _ERROR.match(actual) else actual
