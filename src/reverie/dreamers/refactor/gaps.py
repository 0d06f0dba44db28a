"""Blank lines that meet because what stood between them is gone."""

import ast
import difflib
from collections.abc import Sequence
from itertools import takewhile


def without_gaps(before: str, after: str) -> str:
    """The new text, with no wider gap at a change than the old one has there."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    head = _alike(old, new)
    tail = _alike(old[head:][::-1], new[head:][::-1])
    parts = old[head : len(old) - tail], new[head : len(new) - tail]
    matcher = difflib.SequenceMatcher(None, *parts, autojunk=False)
    for tag, first, last, _, end in reversed(matcher.get_opcodes()):
        if tag == "delete":
            above, below = _blanks(old[: head + first][::-1]), _blanks(old[head + last :])
            del new[head + end : head + end + min(above, below)]
    narrower = "".join(new)
    is_same = ast.dump(ast.parse(narrower)) == ast.dump(ast.parse(after))
    return narrower if is_same else after


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines are the same from the first on."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def _blanks(lines: Sequence[str]) -> int:
    """How many lines are blank from the first on."""
    return next((n for n, line in enumerate(lines) if line.strip()), len(lines))
