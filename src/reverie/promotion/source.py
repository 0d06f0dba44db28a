"""Which code a proof is about: a revision with its tree, and the files that were used."""

import hashlib
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from reverie.model.promotion import Source
from reverie.promotion.git import Git
from reverie.promotion.trees import (
    SUBMODULE,
    SYMLINK,
    contents,
    is_safe,
    path_bytes,
    read_tree,
    tree_of,
)
from reverie.promotion.trial_tree import walk_files

USED = (".py", ".pyi", ".toml", ".cfg", ".ini")


def read_source(
    repository: Path, revision: str | None = None, paths: Iterable[str] | None = None
) -> Source:
    """The source at a revision (otherwise HEAD), with the digests of those `paths` that it has.

    Without paths, of all code and configuration. Where there is no git, of the files on disk.
    """
    git = Git.find(repository)
    if git is None:
        return Source(None, None, dict(_on_disk(repository, paths)))
    commit = git.find_commit("HEAD") if revision is None else git.resolve(revision)
    if commit is None:
        return Source(None, None)
    tree = tree_of(git, commit)
    return Source(commit, tree, dict(_in_tree(git, tree, paths)))


def _in_tree(git: Git, tree: str, paths: Iterable[str] | None) -> Iterator[tuple[str, str]]:
    entries = {
        path: entry
        for path, entry in read_tree(git, tree).items()
        if entry.mode not in (SUBMODULE, SYMLINK)
    }
    wanted = [path for path in entries if path.endswith(USED)] if paths is None else list(paths)
    there = {path: entries[path] for path in wanted if path in entries}
    for path, content in contents(git, there):
        yield path, hashlib.sha256(content).hexdigest()


def _on_disk(repository: Path, paths: Iterable[str] | None) -> Iterator[tuple[str, str]]:
    found = walk_files(repository)
    wanted = [path for path in found if path.endswith(USED)] if paths is None else paths
    for path in sorted(wanted):
        place = repository / os.fsdecode(path_bytes(path))
        if is_safe(path) and place.is_file() and not place.is_symlink():
            yield path, hashlib.sha256(place.read_bytes()).hexdigest()
