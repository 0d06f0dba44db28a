"""Private copies of folders: fresh before each execution, compared with the original after.

The original is mounted read-only beside the copy, so nothing that an execution does can
reach it.
"""

import filecmp
import os
import shutil
import stat
import time
from typing import Any

from . import wipe

CHANGES_AT_MOST = 2000
_DEPTH = 40  # of a new folder that is listed; what lies deeper is only there to do harm
_ENTRIES_AT_MOST = 100_000
_COARSE_CLOCK = 5  # the clock that the kernel stamps files with


def refresh(pairs: "list[dict[str, Any]]") -> None:
    """Make each copy equal to its original."""
    for pair in pairs:
        _copy_tree(pair["original"], pair["copy"])
        pair["made_at"] = time.clock_gettime_ns(_COARSE_CLOCK)


def changes(pairs: "list[dict[str, Any]]") -> "list[list[str]]":
    """What differs, as [kind, path]."""
    found: list[list[str]] = []
    for pair in pairs:
        _compare(pair["original"], pair["copy"], pair["made_at"], found)
    return found[:CHANGES_AT_MOST]


def empty(pairs: "list[dict[str, Any]]") -> None:
    """Make room for the next execution's copies."""
    for pair in pairs:
        wipe.empty(pair["copy"], _ENTRIES_AT_MOST)


def _copy_tree(original: str, copy: str) -> None:
    for entry in os.scandir(original):
        target = os.path.join(copy, entry.name)
        if entry.is_symlink():
            os.symlink(os.readlink(entry.path), target)
        elif entry.is_dir():
            os.mkdir(target)
            _copy_tree(entry.path, target)
            shutil.copystat(entry.path, target)
            os.chmod(target, entry.stat().st_mode | stat.S_IRWXU)
        elif entry.is_file():
            shutil.copy2(entry.path, target)
            os.chmod(target, entry.stat().st_mode | stat.S_IRUSR | stat.S_IWUSR)


def _compare(original: str, copy: str, made_at: int, found: "list[list[str]]") -> None:
    """The copy was made by us but changed by foreign code: only lstat it, never follow it."""
    before = {entry.name: entry for entry in os.scandir(original)}
    after = {entry.name: entry for entry in _scan(copy)}
    for name in sorted(before.keys() | after.keys()):
        path = os.path.join(copy, name)
        if name not in after:
            found.append(["deleted", path])
        elif name not in before:
            _list_created(path, after[name], found, _DEPTH)
        elif before[name].is_dir(follow_symlinks=False) and after[name].is_dir(
            follow_symlinks=False
        ):
            _compare(before[name].path, path, made_at, found)
        elif not _same(before[name].path, path, made_at):
            found.append(["modified", path])


def _scan(folder: str) -> "list[os.DirEntry[str]]":
    try:
        os.chmod(folder, 0o700)
        return list(os.scandir(folder))
    except OSError:
        return []  # a path longer than the kernel takes: seen, but not listed


def _list_created(
    path: str, entry: "os.DirEntry[str]", found: "list[list[str]]", depth: int
) -> None:
    found.append(["created", path])
    if depth and entry.is_dir(follow_symlinks=False) and len(found) < CHANGES_AT_MOST:
        for inner in _scan(path):
            _list_created(os.path.join(path, inner.name), inner, found, depth - 1)


def _same(original: str, copy: str, made_at: int) -> bool:
    """Contents count, not times: only the kernel sets the change time, so that one is believed."""
    first, second = os.lstat(original), os.lstat(copy)
    if stat.S_IFMT(first.st_mode) != stat.S_IFMT(second.st_mode):
        return False
    if stat.S_ISLNK(first.st_mode):
        return os.readlink(original) == os.readlink(copy)
    if not stat.S_ISREG(first.st_mode):
        return True
    if (first.st_mode ^ second.st_mode) & 0o111 or first.st_size != second.st_size:
        return False
    if second.st_ctime_ns < made_at:
        return True
    os.chmod(copy, 0o600)
    return filecmp.cmp(original, copy, shallow=False)
