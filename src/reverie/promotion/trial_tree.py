"""A copy of a repository to try things on, outside of the user's tree and soon gone.

Files are written byte for byte as git stores them: no filter and no attribute of the repository
is asked. A submodule is an empty folder. Files that a build has put beside the code and git
ignores (a version, compiled parts, messages) belong to a copy that is to run: code that imports
them cannot run without them. The source of a proof is a revision with its tree, and the files
that were used.
"""

import hashlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from reverie.errors import Refused
from reverie.model.change import Change
from reverie.model.cycle import Source
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
    write_working_tree,
)

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


def read_links(folder: Path) -> dict[str, str]:
    """The links of a trial tree by path, with what they say."""
    places = {path: folder / os.fsdecode(path_bytes(path)) for path in walk_files(folder)}
    return {
        path: path_text(os.fsencode(os.readlink(place)))
        for path, place in places.items()
        if place.is_symlink()
    }


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


MAX_GENERATED_FILES = 5000
MAX_GENERATED_BYTES = 16 << 20
_SUBMODULE = b"160000 "
_GIT = shutil.ignore_patterns(".git")
_NEVER = frozenset({"__pycache__", "node_modules", "build", "dist", "site-packages", ".tox"})


def lay_generated(git: Git, folder: Path) -> tuple[str, ...]:
    """Copy them into a copy of a revision; their paths. What the copy has stays as it is."""
    laid = [path for path in _ignored(git) if _belongs(path, folder) and _lay(git, folder, path)]
    return tuple(laid[:MAX_GENERATED_FILES])


def read_generated(git: Git) -> dict[str, bytes]:
    """The contents of those that lie beside the code, as long as they are few."""
    found: dict[str, bytes] = {}
    left = MAX_GENERATED_BYTES
    for path in _ignored(git):
        place = git.folder / os.fsdecode(path_bytes(path))
        if not _belongs(path, git.folder) or not _is_plain(place):
            continue
        left -= place.stat().st_size
        if left < 0 or len(found) >= MAX_GENERATED_FILES:
            break
        found[path] = place.read_bytes()
    return found


def lay_files(folder: Path, files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Write files that a build would make into a copy; what the copy has stays as it is."""
    laid = []
    for path, content in files.items():
        target = folder / os.fsdecode(path_bytes(path))
        if is_safe(path) and not os.path.lexists(target):
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            laid.append(path)
    return tuple(laid)


def lay_submodules(git: Git, folder: Path) -> tuple[str, ...]:
    """Copy what is checked out of other repositories into the empty folders for it; their paths."""
    laid = []
    for line in git.run("ls-files", "-z", "--stage").split(b"\0"):
        about, _, name = line.partition(b"\t")
        path = path_text(name)
        source = git.folder / os.fsdecode(name)
        target = folder / os.fsdecode(name)
        if not about.startswith(_SUBMODULE) or not is_safe(path) or source.is_symlink():
            continue
        if source.is_dir() and target.is_dir() and not any(target.iterdir()):
            shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True, ignore=_GIT)
            laid.append(path)
    return tuple(laid)


def _ignored(git: Git) -> list[str]:
    listed = git.run("ls-files", "-z", "-o", "-i", "--exclude-standard").split(b"\0")
    return sorted(path_text(name) for name in listed if name)


def _belongs(path: str, folder: Path) -> bool:
    """Whether a file lies in a folder of code, or below one, and is no cache or environment."""
    parents = PurePosixPath(path).parents
    names = [parent.name for parent in parents if parent.name]
    is_passed_over = any(
        name in _NEVER or name.startswith(".") or name.endswith(".egg-info") for name in names
    )
    if not is_safe(path) or is_passed_over or path.endswith((".pyc", ".pyo")):
        return False
    above = [str(parent) for parent in parents if str(parent) != "."]
    return any(next((folder / place).glob("*.py"), None) is not None for place in above)


def _lay(git: Git, folder: Path, path: str) -> bool:
    source, target = (place / os.fsdecode(path_bytes(path)) for place in (git.folder, folder))
    try:
        if not _is_plain(source) or os.path.lexists(target):
            return False
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target, follow_symlinks=False)
    except OSError:
        return False  # gone in the meantime, or not ours to read
    return True


def _is_plain(source: Path) -> bool:
    """Whether it is a file of a size that is copied, and of no environment."""
    if not source.is_file() or source.is_symlink() or source.stat().st_size > MAX_GENERATED_BYTES:
        return False
    return not (source.parent / "pyvenv.cfg").exists()


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
