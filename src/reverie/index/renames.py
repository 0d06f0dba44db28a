"""Which commits belong to a file that is there now, under whatever name it had then."""

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from reverie.model.commit import Commit, FileTouch, History, TouchKind


@dataclass(frozen=True, slots=True)
class FileCommit:
    """A commit, and what it did to the file in question."""

    commit: Commit
    touch: FileTouch


def trace_files(history: History, paths: Collection[str]) -> dict[str, tuple[FileCommit, ...]]:
    """The commits of every path, newest first, renames followed.

    Commits are read from the newest back, so a name means what it meant at that time. A branch
    that still used the old name may come before the rename in that order: what was done under a
    name that nobody has now is kept until a rename tells whose it was, or an addition shows that
    it was a file which is gone.
    """
    owners = {path: path for path in paths}
    found: dict[str, list[FileCommit]] = {path: [] for path in paths}
    unclaimed: defaultdict[str, list[FileCommit]] = defaultdict(list)
    for commit in history.commits:
        for touch in commit.touches:
            entry = FileCommit(commit, touch)
            owner = owners.get(touch.path)
            if owner is not None:
                found[owner].append(entry)
            elif touch.kind is not TouchKind.DELETED:
                unclaimed[touch.path].append(entry)
            if touch.kind is TouchKind.ADDED and owner is None:
                unclaimed.pop(touch.path, None)
        _rename(commit, owners, found, unclaimed)
    return {path: tuple(entries) for path, entries in found.items()}


def _rename(
    commit: Commit,
    owners: dict[str, str],
    found: dict[str, list[FileCommit]],
    unclaimed: defaultdict[str, list[FileCommit]],
) -> None:
    """Before this commit the files it renamed had their old names: all at once, as it did it."""
    moved = {
        touch.previous_path: owners.pop(touch.path)
        for touch in commit.touches
        if touch.previous_path is not None and touch.path in owners
    }
    for name, owner in moved.items():
        owners[name] = owner
        found[owner].extend(unclaimed.pop(name, ()))
