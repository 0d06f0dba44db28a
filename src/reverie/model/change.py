"""Changes: files as text, before and after, and how several changes of one text are merged.

Nothing here touches a disk. Two changes of one text are both made, or it is said that they
cannot be.
"""

import difflib
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

_NO_NEWLINE = "\\ No newline at end of file\n"
_LOOKED_AT = 8000


def _lines(text: str | None) -> list[str]:
    """As git and diff count them: a form feed ends none."""
    *whole, rest = (text or "").split("\n")
    return [f"{line}\n" for line in whole] + ([rest] if rest else [])


def _around(lines: list[str], first: int, last: int) -> str:
    """Some lines with the one before and the one after them, to be looked for in a file."""
    return "\0" + "\0".join(lines[max(0, first - 1) : last + 1]) + "\0"


@dataclass(frozen=True, slots=True)
class FileEdit:
    """One file of a change. Text is decoded with surrogates, so that every byte comes back."""

    path: str
    """Where it lies afterwards (before, when it is deleted): relative, with slashes."""
    before: str | None
    """None when the file is new."""
    after: str | None
    """None when the file is deleted."""
    renamed_from: str | None = None
    mode_before: str | None = None
    """As git writes it (`100644`, `100755`, `120000`); None where the file is not."""
    mode_after: str | None = None

    @property
    def is_binary(self) -> bool:
        """Whether one side is no text, as git sees it: a NUL near the beginning."""
        return any("\0" in text[:_LOOKED_AT] for text in (self.before or "", self.after or ""))

    @property
    def lines_added(self) -> int:
        """Lines that were not there."""
        return sum(line[:1] == "+" for line in self._body())

    @property
    def lines_removed(self) -> int:
        """Lines that are gone."""
        return sum(line[:1] == "-" for line in self._body())

    def diff(self) -> str:
        """The change as a unified diff with `a/` and `b/`, without git's extended header."""
        old = "/dev/null" if self.before is None else f"a/{self.renamed_from or self.path}"
        new = "/dev/null" if self.after is None else f"b/{self.path}"
        body = self._body()
        return "".join((f"--- {old}\n", f"+++ {new}\n", *body)) if body else ""

    def hunks(self) -> str:
        """The unified diff without its header; empty when the text is the same."""
        return "".join(self._body())

    def is_made_in(self, text: str | None) -> bool:
        """Whether a file has the edit already, whatever else was changed in it."""
        if text is None or self.before is None or self.after is None:
            return text == self.after
        old, new = _lines(self.before), _lines(self.after)
        told = "\0" + "\0".join(_lines(text)) + "\0"
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        changed = [each for each in matcher.get_opcodes() if each[0] != "equal"]
        return all(
            _around(new, start, end) in told and _around(old, first, last) not in told
            for _, first, last, start, end in changed
        )

    def _body(self) -> list[str]:
        body = list(difflib.unified_diff(_lines(self.before), _lines(self.after)))[2:]
        return [line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}" for line in body]


@dataclass(frozen=True, slots=True)
class Change:
    """Edits that belong together, in the order of their paths."""

    edits: tuple[FileEdit, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        """Every path that it touches, old names included."""
        named = {path for edit in self.edits for path in (edit.path, edit.renamed_from) if path}
        return tuple(sorted(named))

    @property
    def lines_changed(self) -> int:
        """Lines added and lines removed."""
        return sum(edit.lines_added + edit.lines_removed for edit in self.edits)

    @property
    def digest(self) -> str:
        """sha256 over every path, mode and text: the same change has the same one."""
        seen = hashlib.sha256()
        for edit in self.edits:
            for part in (edit.path, edit.before, edit.after, edit.renamed_from, edit.mode_after):
                text = b"\0" if part is None else b"\1" + part.encode("utf-8", "surrogatepass")
                seen.update(b"%d:" % len(text) + text)
        return seen.hexdigest()

    def diff(self) -> str:
        """All edits as one unified diff."""
        return "".join(edit.diff() for edit in self.edits)


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
