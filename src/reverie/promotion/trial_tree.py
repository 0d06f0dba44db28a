"""A copy of a repository to try things on, outside of the user's tree and soon gone.

Files are written byte for byte as git stores them: no filter and no attribute of the repository
is asked. A submodule is an empty folder.
"""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reverie.errors import Refused
from reverie.model.change import Change
from reverie.promotion.applying import apply_to_folder, aside
from reverie.promotion.git import Git
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trees import (
    EXECUTABLE,
    SUBMODULE,
    SYMLINK,
    Entry,
    contents,
    is_safe,
    path_bytes,
    path_text,
    read_tree,
    tree_of,
)
from reverie.promotion.working_tree import write_working_tree

MAX_FILES = 200_000
_PASSED_OVER = frozenset({".git", ".hg", ".svn", ".reverie", "__pycache__", "node_modules"})
_ENVIRONMENT_MARK = "pyvenv.cfg"


@contextmanager
def open_trial_tree(
    repository: Path, revision: str | None = None, change: Change | None = None
) -> Iterator[Path]:
    """A folder with the files of a revision, or as they stand, with a change on them.

    It has the name of the repository, as some test suites look at that. Also of a folder that is
    no git repository, as long as no revision is asked for.
    """
    git = Git.find(repository)
    if git is None and revision is not None:
        raise Refused(f"{str(repository)!r} is no git repository: it has no revision {revision!r}")
    with scratch_folder(avoid=repository) as parent:
        folder = parent / (repository.resolve().name or "repository")
        folder.mkdir()
        if git is None:
            _copy(repository, folder)
        elif revision is not None:
            export_tree(git, tree_of(git, git.resolve(revision)), folder)
        else:
            with aside(git) as own:
                export_tree(own, write_working_tree(git, own), folder)
        if change is not None:
            apply_to_folder(folder, change)
        yield folder


def export_tree(git: Git, tree: str, folder: Path) -> None:
    """Write the files of a tree into an empty folder."""
    entries = read_tree(git, tree)
    _require_plain(entries)
    for path, entry in entries.items():
        place = folder / os.fsdecode(path_bytes(path))
        place.parent.mkdir(parents=True, exist_ok=True)
        if entry.mode == SUBMODULE:
            place.mkdir(exist_ok=True)
    links: list[tuple[Path, bytes]] = []
    for path, content in contents(git, entries):
        place = folder / os.fsdecode(path_bytes(path))
        if entries[path].mode == SYMLINK:
            links.append((place, content))
            continue
        with open(place, "xb") as stream:
            stream.write(content)
        place.chmod(0o755 if entries[path].mode == EXECUTABLE else 0o644)
    for place, content in links:  # last, so that no file was ever written through one
        os.symlink(os.fsdecode(content), place)


def _require_plain(entries: dict[str, Entry]) -> None:
    """git checks trees that it fetches; one made by hand may hold anything."""
    if len(entries) > MAX_FILES:
        raise Refused(f"{len(entries)} files are more than a trial copies ({MAX_FILES})")
    for path in entries:
        if not is_safe(path):
            raise Refused(f"{path!r} is no path inside of a repository")


def read_files(folder: Path) -> dict[str, bytes]:
    """The contents of all plain files of a trial tree, by path."""
    places = {path: folder / os.fsdecode(path_bytes(path)) for path in walk_files(folder)}
    return {path: place.read_bytes() for path, place in places.items() if not place.is_symlink()}


def walk_files(repository: Path) -> Iterator[str]:
    """Every file and link of a folder that is no git repository; caches and the like are not."""
    count = 0
    for place, names, files in os.walk(repository):
        names[:] = sorted(name for name in names if not _is_passed_over(Path(place, name)))
        linked = [name for name in names if os.path.islink(os.path.join(place, name))]
        for name in (*files, *linked):
            source = Path(place, name)
            count += 1
            if count > MAX_FILES:
                raise Refused(f"{str(repository)!r} has more than {MAX_FILES} files")
            if source.is_symlink() or source.is_file():
                yield path_text(os.fsencode(source.relative_to(repository).as_posix()))


def _copy(repository: Path, folder: Path) -> None:
    for path in walk_files(repository):
        name = os.fsdecode(path_bytes(path))
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(repository / name, target, follow_symlinks=False)


def _is_passed_over(folder: Path) -> bool:
    return folder.name in _PASSED_OVER or (folder / _ENVIRONMENT_MARK).is_file()
