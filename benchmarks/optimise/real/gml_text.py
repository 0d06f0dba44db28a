"""For `unescape` of networkx (`networkx/readwrite/gml.py`)."""

from typing import Any

LABELS = (
    "0", "17", "node", "Karate Club", "Mr. Hi", "weight", "Valjean", "Mme.Thenardier", "",
    "B&O", "5' 10\"", "caf\u00e9", "B&amp;O", "&#233;t\u00e9", "&unknown;", "&#x2192;",
    "&#99999999;",
)  # fmt: skip


def make_input(n: int, seed: int) -> tuple[list[Any], dict[str, Any]]:
    """A label of a node as graphs have it: they are many, and each is short."""
    place = seed + 4 * (n.bit_length() - 1)
    return [LABELS[place % len(LABELS)]], {}
