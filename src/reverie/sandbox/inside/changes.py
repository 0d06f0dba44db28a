"""What an execution changed in its private views, read from the layer that took the changes.

The layer was written by foreign code: it is only ever looked at by descriptor and compared,
never followed, and no depth, number or length of names in it can make the listing fail. It
can be cut short, and then it says so; what was there before and is different now comes
first, so that a heap of new files hides no edit.
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

CHANGES_AT_MOST = 2000
_ENCODED_BYTES_AT_MOST = 100_000
"""The list travels in one message."""
_COLLECTED_AT_MOST = 20_000
_COLLECTED_BYTES_AT_MOST = 4 << 20
_DEPTH_AT_MOST = 60
_OPAQUE = "user.overlay.opaque"
_COMPARED_BYTES = 1 << 16
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC


def changes(pairs: "list[dict[str, Any]]") -> "dict[str, Any]":
    """Every difference as [kind, path], edits first, and whether that is all."""
    listing = _Listing()
    for pair in pairs:
        with _opened(pair["original"]) as original, _opened(f"{pair['layer']}/upper") as upper:
            listing.compare(original, upper, pair["copy"], 0)
    return listing.report()


class _Listing:
    """Collects changes, within bounds."""

    def __init__(self) -> None:
        self.edits: list[list[str]] = []
        self.created: list[list[str]] = []
        self.room = {"edits": _COLLECTED_BYTES_AT_MOST, "created": _COLLECTED_BYTES_AT_MOST}
        self.is_complete = True

    def report(self) -> "dict[str, Any]":
        """Edits in order of path, then what is new, the outermost first; as much as travels."""
        edits = sorted(self.edits, key=lambda change: change[1])
        created = sorted(self.created, key=lambda change: (change[1].count("/"), change[1]))
        listed: list[list[str]] = []
        room = _ENCODED_BYTES_AT_MOST
        for change in (*edits, *created):
            room -= len(json.dumps(change))
            if room < 0 or len(listed) >= CHANGES_AT_MOST:
                self.is_complete = False
                break
            listed.append(change)
        return {"changes": listed, "changes_complete": self.is_complete}

    def _add(self, kind: str, path: str) -> None:
        name = "created" if kind == "created" else "edits"
        collected: list[list[str]] = getattr(self, name)
        self.room[name] -= len(path)
        if len(collected) >= _COLLECTED_AT_MOST or self.room[name] < 0:
            self.is_complete = False
        else:
            collected.append([kind, path])

    def compare(self, original: "int | None", upper: int, shown: str, depth: int) -> None:
        """A folder of the layer with the same folder of the original, if there was one."""
        if depth > _DEPTH_AT_MOST:
            self.is_complete = False
            return
        names = self._names(upper)
        before = set() if original is None else set(self._names(original))
        if original is not None and _is_opaque(upper):
            for name in sorted(before - set(names)):
                self._add("deleted", f"{shown}/{name}")
        for name in names:
            known = original if name in before else None
            try:
                self._compare_entry(known, upper, name, f"{shown}/{name}", depth)
            except OSError:
                self.is_complete = False

    def _compare_entry(
        self, original: "int | None", upper: int, name: str, shown: str, depth: int
    ) -> None:
        now = os.stat(name, dir_fd=upper, follow_symlinks=False)
        was = None if original is None else os.stat(name, dir_fd=original, follow_symlinks=False)
        if stat.S_ISCHR(now.st_mode) and now.st_rdev == 0:
            if was is not None:
                self._add("deleted", shown)
            return
        is_folder = stat.S_ISDIR(now.st_mode)
        was_folder = was is not None and stat.S_ISDIR(was.st_mode)
        if was is None or original is None:
            self._add("created", shown)
        elif not (is_folder and was_folder) and not _same(original, was, upper, now, name):
            self._add("modified", shown)
        if not is_folder:
            return
        with _opened(name, upper) as inner:
            if not was_folder:
                self.compare(None, inner, shown, depth + 1)
                return
            with _opened(name, original) as before:
                self.compare(before, inner, shown, depth + 1)

    def _names(self, folder: int) -> "list[str]":
        try:
            return sorted(os.listdir(folder))
        except OSError:
            self.is_complete = False
            return []


@contextmanager
def _opened(path: str, folder: "int | None" = None) -> "Iterator[int]":
    descriptor = os.open(path, _FOLDER, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _same(original: int, was: os.stat_result, upper: int, now: os.stat_result, name: str) -> bool:
    """Whether contents and kind are equal; a change of times alone is none."""
    if stat.S_IFMT(was.st_mode) != stat.S_IFMT(now.st_mode):
        return False
    if stat.S_ISLNK(was.st_mode):
        return os.readlink(name, dir_fd=original) == os.readlink(name, dir_fd=upper)
    if not stat.S_ISREG(was.st_mode):
        return True
    if (was.st_mode ^ now.st_mode) & 0o111 or was.st_size != now.st_size:
        return False
    try:
        return _same_contents(original, upper, name)
    except OSError:
        return False  # nobody can read both: to call that unchanged would be a guess


def _same_contents(original: int, upper: int, name: str) -> bool:
    with (
        open(os.open(name, _FILE, dir_fd=original), "rb", buffering=0) as first,
        open(os.open(name, _FILE, dir_fd=upper), "rb", buffering=0) as second,
    ):
        while True:
            block = first.read(_COMPARED_BYTES)
            if block != second.read(_COMPARED_BYTES):
                return False
            if not block:
                return True


def _is_opaque(folder: int) -> bool:
    """Whether the layer hides everything the original has in this folder."""
    try:
        return os.getxattr(folder, _OPAQUE) == b"y"
    except OSError:
        return False  # it has no such mark
