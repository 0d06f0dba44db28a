"""Which lines of a file are new."""

from collections.abc import Sequence
from difflib import SequenceMatcher

_MAX_COMPARISONS = 4_000_000


def changed_lines(before: bytes, after: bytes) -> frozenset[int]:
    """Lines of `after`, from 1, that differ from `before` in more than their ending.

    Where lines were only taken out, the line that follows counts: its surroundings changed. Of
    a rewrite too large to be matched, everything between the equal ends counts.
    """
    old, new = before.splitlines(), after.splitlines()
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    old, middle = old[head : len(old) - tail], new[head : len(new) - tail]
    if len(old) * len(middle) > _MAX_COMPARISONS:
        return frozenset(range(head + 1, head + len(middle) + 1))
    found: set[int] = set()
    for kind, _, _, start, end in SequenceMatcher(None, old, middle, False).get_opcodes():
        if kind == "delete" and new:
            found.add(min(head + start + 1, len(new)))
        elif kind in ("insert", "replace"):
            found.update(range(head + start + 1, head + end + 1))
    return frozenset(found)


def _common(first: Sequence[bytes], second: Sequence[bytes]) -> int:
    """How many lines are equal at the beginning."""
    pairs = enumerate(zip(first, second, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(first), len(second)))
