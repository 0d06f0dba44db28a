"""The files of a repository that the index reads, and what is known of it besides its Python files.

Files are found without following links out of the repository.
"""

import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from fnmatch import translate
from pathlib import Path
from typing import NamedTuple

from reverie.index.naming import Layout, layout_of, read_project
from reverie.index.paths import packages_around
from reverie.index.remembering.trail import NOTHING, sight
from reverie.model.outcome import TrustTier
from reverie.model.sections import IndexSection

_PROJECT_FILES = frozenset({"pyproject.toml", "setup.cfg", "setup.py"})
_MARKS_OF_OTHERS = frozenset({"pyvenv.cfg", "CACHEDIR.TAG"})
"""A folder with one of these is a virtual environment or a cache."""


class FoundFile(NamedTuple):
    """A Python file as the file system shows it. With a `problem` it is listed, not read."""

    path: str
    """Relative to the repository, with `/`; bytes that are no text as `\\xff`."""
    place: str
    """What to open."""
    signature: str
    """Changes when the file does."""
    changed_ns: int
    size: int
    """In bytes."""
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Survey:
    """What a walk through the repository found."""

    files: tuple[FoundFile, ...]
    """By path."""
    projects: tuple[str, ...]
    """Folders with a project file, from the repository on; `.` is the repository."""
    notes: tuple[str, ...]
    sights: Mapping[str, int]
    """What was seen at each place that the survey depends on; folders before they were listed."""
    changed_ns: int
    """When the youngest of them changed."""


def survey(root: Path, exclude: tuple[str, ...]) -> Survey:
    """Walk a repository. Hidden folders, caches and virtual environments are passed over."""
    walk = _Walk(os.path.realpath(root), exclude)
    walk.run()
    files = tuple(sorted(walk.files, key=lambda found: found.path))
    projects, notes = tuple(sorted(walk.projects)), tuple(sorted(walk.notes))
    return Survey(files, projects, notes, walk.sights, walk.changed_ns)


class _Walk:
    def __init__(self, root: str, exclude: tuple[str, ...]) -> None:
        self.files: list[FoundFile] = []
        self.projects: list[str] = []
        self.notes: list[str] = []
        self.sights: dict[str, int] = {}
        self.changed_ns = 0
        self._root = root
        self._excluded_names = _any_of(each for each in exclude if not _is_for_paths(each))
        self._excluded_paths = _any_of(each for each in exclude if _is_for_paths(each))

    def run(self) -> None:
        pending = [(self._root, "")]
        while pending:
            place, prefix = pending.pop()
            pending += self._look_into(place, prefix)

    def _look_into(self, place: str, prefix: str) -> list[tuple[str, str]]:
        """Take the files of a folder; the folders in it, each with its prefix.

        Half of what a look for changes takes is spent here: nothing is done twice per entry.
        """
        try:
            self._see(place, os.stat(place))
            with os.scandir(place) as entries:
                listed = list(entries)
        except OSError as error:
            folder = prefix.removesuffix("/") or "."
            self.notes.append(f"{folder}: cannot be looked into: {error.strerror}")
            return []
        names = [entry.name for entry in listed]
        if prefix and not _MARKS_OF_OTHERS.isdisjoint(names):
            return []
        if not _PROJECT_FILES.isdisjoint(names):
            self._take_project(place, prefix, names)
        folders = []
        for entry, name in zip(listed, names, strict=True):
            if name.endswith(".py"):
                if name[0] != ".":
                    self._take(entry, prefix + shown(name))
            elif entry.is_dir(follow_symlinks=False) and name[0] != ".":
                path = prefix + shown(name)
                if not self._is_excluded(path, name):
                    folders.append((entry.path, f"{path}/"))
        return folders

    def _see(self, place: str, about: os.stat_result) -> None:
        self.changed_ns = max(self.changed_ns, about.st_mtime_ns, about.st_ctime_ns)
        self.sights[place] = sight(about)

    def _take_project(self, place: str, prefix: str, names: list[str]) -> None:
        self.projects.append(prefix.removesuffix("/") or ".")
        for name in _PROJECT_FILES.intersection(names):
            self.sights[f"{place}/{name}"] = NOTHING
            with suppress(OSError):
                self._see(f"{place}/{name}", os.stat(f"{place}/{name}"))

    def _take(self, entry: "os.DirEntry[str]", path: str) -> None:
        if entry.is_dir(follow_symlinks=False) or self._is_excluded(path, entry.name):
            return
        try:
            about = entry.stat()
        except OSError as error:
            self.sights[entry.path] = NOTHING
            self.files.append(FoundFile(path, entry.path, "", 0, 0, _unreadable(error)))
            return
        self._see(entry.path, about)
        if not stat.S_ISREG(about.st_mode):
            if not stat.S_ISDIR(about.st_mode):
                self.files.append(FoundFile(path, entry.path, "", 0, 0, "not a regular file"))
            return
        problem = None
        if entry.is_symlink() and not self._is_inside(os.path.realpath(entry.path)):
            problem = "a link out of the repository"
        signature = f"{about.st_size}.{about.st_mtime_ns}.{about.st_ctime_ns}.{about.st_ino}"
        changed = max(about.st_mtime_ns, about.st_ctime_ns)
        self.files.append(FoundFile(path, entry.path, signature, changed, about.st_size, problem))

    def _is_inside(self, place: str) -> bool:
        return place.startswith(self._root.rstrip("/") + "/")

    def _is_excluded(self, path: str, name: str) -> bool:
        if self._excluded_names.match(name) is not None:
            return True
        return self._excluded_paths.match(path) is not None


def read_file(found: FoundFile, most_bytes: int) -> bytes:
    """The bytes of a file; `OSError` or `ValueError` say why there are none."""
    descriptor = os.open(found.place, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb", buffering=0) as file:
        about = os.fstat(descriptor)
        if not stat.S_ISREG(about.st_mode):
            raise ValueError("not a regular file")
        if about.st_size > most_bytes:
            raise ValueError(f"{about.st_size} bytes, more than the {most_bytes} that are read")
        return file.read()


def shown(name: str) -> str:
    """A file name as text; bytes that are none of it as `\\xff`."""
    if name.isascii():
        return name
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _is_for_paths(pattern: str) -> bool:
    """A pattern without slashes is for names, any other for paths from the repository on."""
    return "/" in pattern.rstrip("/")


def _any_of(patterns: Iterable[str]) -> re.Pattern[str]:
    """One expression for all patterns; without any, one that matches nothing."""
    return re.compile("|".join(translate(each.strip("/")) for each in patterns) or r"(?!)")


def _unreadable(error: OSError) -> str:
    return f"cannot be read: {error.strerror}"


TierOf = Callable[[str], TrustTier]


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Where imports start, and what files and settings say about paths."""

    repository: str
    layout: Layout
    distributions: Mapping[str, str]
    """Name of the distribution by the folder of its project file."""
    tier_of: TierOf
    notes: tuple[str, ...] = ()


def surroundings(root: Path, found: Survey, section: IndexSection, tier_of: TierOf) -> Surroundings:
    """Read the project files of a repository."""
    place = Path(os.path.realpath(root))
    folders = dict.fromkeys((".", *found.projects))
    projects = [read_project(place, folder) for folder in folders]
    return Surroundings(
        repository=str(place),
        layout=layout_of(projects, packages_around(place), section.roots),
        distributions={each.folder: each.distribution for each in projects if each.distribution},
        tier_of=tier_of,
        notes=found.notes,
    )
