"""What an execution changed in its private views, read from the layer that took the changes.

The layer was written by foreign code: it is only ever lstat-ed and compared, never followed.
"""

import filecmp
import os
import stat
from typing import Any

CHANGES_AT_MOST = 2000
_OPAQUE = "user.overlay.opaque"


def changes(pairs: "list[dict[str, Any]]") -> "list[list[str]]":
    """Every difference as [kind, path], in order of path, bounded."""
    found: list[list[str]] = []
    for pair in pairs:
        _compare(pair["original"], f"{pair['layer']}/upper", pair["copy"], found)
    return found[:CHANGES_AT_MOST]


def _compare(original: str, upper: str, shown: str, found: "list[list[str]]") -> None:
    if _is_opaque(upper):
        present = set(os.listdir(upper))
        deleted = [name for name in os.listdir(original) if name not in present]
        found += [["deleted", os.path.join(shown, name)] for name in sorted(deleted)]
    for name in sorted(os.listdir(upper)):
        if len(found) >= CHANGES_AT_MOST:
            return
        _compare_entry(
            os.path.join(original, name),
            os.path.join(upper, name),
            os.path.join(shown, name),
            found,
        )


def _compare_entry(original: str, upper: str, shown: str, found: "list[list[str]]") -> None:
    status = os.lstat(upper)
    is_folder = stat.S_ISDIR(status.st_mode)
    if is_folder:
        os.chmod(upper, 0o700)
    if stat.S_ISCHR(status.st_mode) and status.st_rdev == 0:
        found.append(["deleted", shown])
    elif not os.path.lexists(original):
        found.append(["created", shown])
        if is_folder:
            _list_created(upper, shown, found)
    elif is_folder and stat.S_ISDIR(os.lstat(original).st_mode):
        _compare(original, upper, shown, found)
    elif not _same(original, upper):
        found.append(["modified", shown])


def _list_created(upper: str, shown: str, found: "list[list[str]]") -> None:
    for name in sorted(os.listdir(upper)):
        if len(found) >= CHANGES_AT_MOST:
            return
        inner = os.path.join(upper, name)
        found.append(["created", os.path.join(shown, name)])
        if stat.S_ISDIR(os.lstat(inner).st_mode):
            os.chmod(inner, 0o700)
            _list_created(inner, os.path.join(shown, name), found)


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
