"""Changes of one text beside one another: both are made, or it is said that they cannot be."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from reverie.model.change import Change, FileEdit

_APART = 1
"""Lines that have to stand unchanged between two changes."""


@dataclass(frozen=True, slots=True)
class _Hunk:
    first: int
    last: int
    lines: tuple[str, ...]


def merged(base: str, ours: str, theirs: str) -> str | None:
    """Both changes of a text; None where they meet."""
    lines = base.split("\n")
    hunks = sorted((*_hunks(lines, ours), *_hunks(lines, theirs)), key=lambda each: each.first)
    for before, after in pairwise(hunks):
        if after.first < before.last + _APART:
            return None
    for hunk in reversed(hunks):
        lines[hunk.first : hunk.last] = hunk.lines
    return "\n".join(lines)


def _hunks(lines: list[str], text: str) -> Iterator[_Hunk]:
    other = text.split("\n")
    matcher = difflib.SequenceMatcher(None, lines, other, autojunk=False)
    for kind, first, last, start, end in matcher.get_opcodes():
        if kind != "equal":
            yield _Hunk(first, last, tuple(other[start:end]))


def together(changes: Iterable[Change]) -> Change:
    """All changes of one base as one; of two that meet in a file the first is taken."""
    found: dict[str, FileEdit] = {}
    for edit in (edit for change in changes for edit in change.edits):
        known = found.get(edit.path)
        if known is None:
            found[edit.path] = edit
        elif known.before is not None and None not in (known.after, edit.after):
            both = merged(known.before, known.after or "", edit.after or "")
            found[edit.path] = known if both is None else replace(known, after=both)
    return Change(tuple(found[path] for path in sorted(found)))
