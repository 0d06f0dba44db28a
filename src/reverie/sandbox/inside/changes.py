"""What an execution changed in its private views, read from the layer that took the changes.

The layer was written by foreign code: it is only ever lstat-ed and compared, never followed,
and no depth, number or length of names in it can make the listing fail: it ends early.
"""

import filecmp
import os
import stat
from typing import Any

CHANGES_AT_MOST = 2000
_CHARACTERS_AT_MOST = 100_000
_DEPTH_AT_MOST = 40
_OPAQUE = "user.overlay.opaque"


def changes(pairs: "list[dict[str, Any]]") -> "list[list[str]]":
    """Every difference as [kind, path], in order of path, bounded."""
    listing = _Listing()
    for pair in pairs:
        listing.compare(pair["original"], f"{pair['layer']}/upper", pair["copy"], 0)
    return listing.found


class _Listing:
    """Collects changes until there are too many of them."""

    def __init__(self) -> None:
        self.found: list[list[str]] = []
        self.characters = 0

    @property
    def is_full(self) -> bool:
        return len(self.found) >= CHANGES_AT_MOST or self.characters >= _CHARACTERS_AT_MOST

    def add(self, kind: str, path: str) -> None:
        """Note one change; what is beyond the bounds is not listed."""
        if not self.is_full:
            self.found.append([kind, path])
            self.characters += len(path)

    def compare(self, original: str, upper: str, shown: str, depth: int) -> None:
        """A folder of the layer with the same folder of the original."""
        names = _names(upper)
        if _is_opaque(upper):
            for name in sorted(set(_names(original, ours=False)) - set(names)):
                self.add("deleted", os.path.join(shown, name))
        for name in names:
            if self.is_full:
                return
            self._compare_entry(
                os.path.join(original, name),
                os.path.join(upper, name),
                os.path.join(shown, name),
                depth,
            )

    def _compare_entry(self, original: str, upper: str, shown: str, depth: int) -> None:
        try:
            mode = os.lstat(upper).st_mode
        except OSError:
            return  # a name too long to be looked at
        if stat.S_ISCHR(mode) and os.lstat(upper).st_rdev == 0:
            self.add("deleted", shown)
        elif not os.path.lexists(original):
            self._add_created(upper, shown, depth)
        elif stat.S_ISDIR(mode) and stat.S_ISDIR(os.lstat(original).st_mode):
            self.compare(original, upper, shown, depth + 1)
        elif not _same(original, upper):
            self.add("modified", shown)

    def _add_created(self, upper: str, shown: str, depth: int) -> None:
        self.add("created", shown)
        if os.path.islink(upper) or not os.path.isdir(upper) or depth > _DEPTH_AT_MOST:
            return
        for name in _names(upper):
            if self.is_full:
                return
            self._add_created(os.path.join(upper, name), os.path.join(shown, name), depth + 1)


def _names(folder: str, ours: bool = True) -> "list[str]":
    try:
        if ours:
            os.chmod(folder, 0o700)
        return sorted(os.listdir(folder))
    except OSError:
        return []  # a path too long to be opened, or a folder that its owner keeps closed


def _same(original: str, upper: str) -> bool:
    """Whether contents and kind are equal; a change of times alone is none."""
    first, second = os.lstat(original), os.lstat(upper)
    if stat.S_IFMT(first.st_mode) != stat.S_IFMT(second.st_mode):
        return False
    if stat.S_ISLNK(first.st_mode):
        return os.readlink(original) == os.readlink(upper)
    if not stat.S_ISREG(first.st_mode):
        return True
    if (first.st_mode ^ second.st_mode) & 0o111 or first.st_size != second.st_size:
        return False
    os.chmod(upper, 0o600)
    return filecmp.cmp(original, upper, shallow=False)


def _is_opaque(folder: str) -> bool:
    """Whether the layer hides everything the original has in this folder."""
    try:
        return os.getxattr(folder, _OPAQUE, follow_symlinks=False) == b"y"
    except OSError:
        return False  # it has no such mark
