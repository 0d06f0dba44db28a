"""Which findings a person looks at first: what speaks most clearly against the code. Pure."""

from collections.abc import Iterable, Mapping
from enum import IntEnum
from typing import Any

from reverie.model.cycle import Sighting


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
    kept: dict[tuple[str, str, str], Sighting] = {}
    for each in sorted(found, key=lambda one: (rank_of(one.details), one.module, one.signature)):
        name, seen = each.details.get("function"), each.details.get("actual")
        key = (each.module, str(name), str(seen)) if name and seen else (each.signature, "", "")
        kept.setdefault(key, each)
    return tuple(kept.values())
