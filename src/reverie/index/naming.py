"""Which name a file is imported by, from project files and the folders of Python's path."""

import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import Any

_MOST_BYTES = 1 << 20
_MOST_FILES = 2000
_NAMES_SRC = re.compile(r"^\s*(?:from|import)\s+src\b", re.MULTILINE)
_Config = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Project:
    """A folder with a project file."""

    folder: str
    """From the repository on; `.` is the repository."""
    distribution: str | None
    roots: tuple[str, ...]
    """Folders that its packages are imported from, from the repository on, first found first."""


def read_project(repository: Path, folder: str) -> Project:
    """Read the project files of one folder; what cannot be read says nothing."""
    place = repository / folder
    told = _toml(place / "pyproject.toml")
    config = _config(place / "setup.cfg")
    name = _distribution(told, config)
    roots = [root for root in _declared(told, config) if (place / root).is_dir()]
    source = place / "src"
    if source.is_dir() and not is_package(source):
        roots.append("src")
    inside = (_below(folder, root) for root in dict.fromkeys(roots))
    return Project(folder, name, tuple(root for root in inside if root not in (None, folder)))


def import_root_of(file: Path) -> Path:
    """The first folder above a file that is no package: imports start there."""
    folder = file.parent
    while is_package(folder):
        folder = folder.parent
    return folder


def is_package(folder: Path) -> bool:
    """Whether a folder is imported by its name.

    A `src` beside a project file is a place for packages, also where somebody put an `__init__.py`
    into it, unless some file imports it.
    """
    if not (folder / "__init__.py").is_file():
        return False
    return folder.name != "src" or not _is_place_for_packages(str(folder))


@lru_cache(maxsize=512)
def _is_place_for_packages(source: str) -> bool:
    project = Path(source).parent
    if not any((project / name).is_file() for name in ("pyproject.toml", "setup.py", "setup.cfg")):
        return False
    if not any(each.is_file() for each in Path(source).glob("*/__init__.py")):
        return False
    files = (Path(folder, name) for folder, _, names in os.walk(project) for name in names
             if name.endswith(".py"))  # fmt: skip
    return not any(_NAMES_SRC.search(_text(each) or "") for each in islice(files, _MOST_FILES))


def _toml(path: Path) -> dict[str, Any]:
    written = _text(path)
    if written is None:
        return {}
    import tomllib

    try:
        return tomllib.loads(written)
    except (ValueError, RecursionError):
        return {}


def _config(path: Path) -> _Config:
    written = _text(path)
    if written is None:
        return {}
    import configparser

    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read_string(written)
    except (ValueError, configparser.Error):
        return {}
    return {name: dict(section) for name, section in parser.items()}


def _text(path: Path) -> str | None:
    """The start of a file; None when there is none that could be read."""
    try:
        return path.read_bytes()[:_MOST_BYTES].decode("utf-8")
    except (OSError, ValueError):
        return None


def _distribution(told: dict[str, Any], config: _Config) -> str | None:
    for keys in (("project", "name"), ("tool", "poetry", "name"), ("tool", "flit", "name")):
        name = _dig(told, *keys)
        if isinstance(name, str) and name:
            return name
    return config.get("metadata", {}).get("name")


def _declared(told: dict[str, Any], config: _Config) -> Iterator[str]:
    """Folders named in any of the ways that build tools and pytest know."""
    tool = told.get("tool")
    setuptools = ("tool", "setuptools")
    yield from _texts(_dig(told, *setuptools, "packages", "find", "where"))
    yield from _texts(_dig(told, *setuptools, "package-dir", ""))
    for package in _texts(_dig(told, "tool", "hatch", "build", "targets", "wheel", "packages")):
        yield str(PurePosixPath(package).parent)
    for package in _dig(tool, "poetry", "packages") or ():
        yield from _texts(_dig(package, "from"))
    yield from _texts(_dig(told, "tool", "pdm", "build", "package-dir"))
    yield from _texts(_dig(told, "tool", "maturin", "python-source"))
    yield from _texts(_dig(told, "tool", "pytest", "ini_options", "pythonpath"))
    yield from config.get("options.packages.find", {}).get("where", "").split()
    for line in config.get("options", {}).get("package_dir", "").splitlines():
        package, _, folder = line.partition("=")
        if folder and not package.strip():
            yield folder.strip()


def _dig(value: Any, *keys: str) -> Any:
    for key in keys:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        yield from (each for each in value if isinstance(each, str))


def _below(folder: str, root: str) -> str | None:
    """The root from the repository on; None when it leads out of the project."""
    path = PurePosixPath(root)
    if path.is_absolute() or ".." in path.parts:
        return None
    return str(PurePosixPath(folder) / path)


@dataclass(frozen=True, slots=True)
class Named:
    """A file with its import name."""

    path: str
    name: str
    root: str
    """The folder that has to be on Python's path, from the repository on."""
    is_package: bool

    @property
    def location(self) -> str:
        """The path that an import looks for: without `.py`, a package by its folder."""
        return location_of(self.path)

    @property
    def folder(self) -> str:
        """The folder that relative imports start from."""
        return self.path.rpartition("/")[0]


def location_of(path: str) -> str:
    """The path that an import looks for: without `.py`, a package by its folder."""
    stem = path.removesuffix(".py")
    if stem == "__init__":
        return ""
    return stem.removesuffix("/__init__")


@dataclass(frozen=True, slots=True)
class Layout:
    """Where imports start in a repository."""

    enclosing: tuple[str, ...]
    """Names of the packages around the repository, when it is itself a package."""
    declared: tuple[str, ...]
    """Folders that a setting or a project file names, or that are called `src`."""
    projects: tuple[str, ...]
    """Folders with a project file, the repository among them."""


def layout_of(
    projects: Iterable[Project], enclosing: tuple[str, ...], configured: tuple[str, ...]
) -> Layout:
    """The layout; what is configured replaces what project files say."""
    listed = tuple(projects)
    declared = configured or tuple(root for project in listed for root in project.roots)
    folders = dict.fromkeys([".", *(project.folder for project in listed)])
    return Layout(enclosing, tuple(dict.fromkeys(declared)), tuple(folders))


def name_files(
    paths: Collection[str], layout: Layout, imported: Callable[[], Collection[str]]
) -> dict[str, Named]:
    """A unique name for every path.

    `imported` gives every dotted name that some file imports, prefixes too; it is asked only
    where folders leave a choice: `lib/beta` may be `lib.beta` or `beta`.
    """
    namer = _Namer(frozenset(paths), layout, imported)
    named: dict[str, Named] = {}
    taken: set[str] = set()
    for path in sorted(paths, key=namer.precedence):
        root = namer.root_of(path)
        name = namer.name_below(root, path)
        if not name or name in taken:
            root, name = ".", namer.name_below(".", path)
        if not name or name in taken:
            name = path
        taken.add(name)
        named[path] = Named(path, name, root, path.rpartition("/")[2] == "__init__.py")
    return named


class _Namer:
    def __init__(
        self, paths: frozenset[str], layout: Layout, imported: Callable[[], Collection[str]]
    ) -> None:
        self._packages = {
            path.removesuffix("__init__.py").removesuffix("/")
            for path in paths
            if path.endswith("/__init__.py") or path == "__init__.py"
        }
        self._layout = layout
        self._imported = imported
        self._used: Collection[str] | None = None
        self._roots: dict[str, str] = {}

    def precedence(self, path: str) -> tuple[bool, int, bool, str]:
        """Declared roots first, then what lies higher: the order in which names are given."""
        is_declared = any(_is_below(path, root) for root in self._layout.declared)
        is_package = path.endswith("__init__.py")
        return (not is_declared, location_of(path).count("/"), not is_package, path)

    def name_below(self, root: str, path: str) -> str:
        """The dotted name of a file when `root` is on Python's path."""
        location = location_of(path)
        rest = location if root == "." else location[len(root) + 1 :]
        parts = [part for part in rest.split("/") if part]
        if root == ".":
            parts = [*self._layout.enclosing, *parts]
        return ".".join(parts)

    def root_of(self, path: str) -> str:
        """The folder on Python's path below which a file has its name."""
        folder = path.rpartition("/")[0]
        known = self._roots.get(folder)
        if known is None:
            known = self._roots[folder] = self._find_root(folder)
        return known

    def _find_root(self, folder: str) -> str:
        listed = self._deepest_listed(folder)
        top = self._topmost_package(folder)
        if top is None or top == "" or listed in self._layout.declared:
            return listed
        above = top.rpartition("/")[0] or "."
        if above == listed or _is_below(listed, above):
            return listed
        return self._most_used(top, above, listed)

    def _most_used(self, top: str, above: str, listed: str) -> str:
        """The root under which some file imports the package; otherwise the folder above it."""
        if self._used is None:
            self._used = self._imported()
        start = 0 if listed == "." else len(listed) + 1
        parts = top[start:].split("/")
        for index in range(len(parts)):
            if ".".join(parts[index:]) in self._used:
                root = "/".join(parts[:index])
                return _joined(listed, root)
        return above

    def _deepest_listed(self, folder: str) -> str:
        """The nearest listed folder around this one: declared, or not itself a package."""
        around = [
            root
            for root in (*self._layout.declared, *self._layout.projects)
            if (root not in self._packages or root in self._layout.declared)
            and (folder == root or _is_below(folder, root))
        ]
        return max(around, key=lambda root: 0 if root == "." else len(root), default=".")

    def _topmost_package(self, folder: str) -> str | None:
        """The highest folder from which `__init__.py` goes down to this one without a gap."""
        if folder not in self._packages:
            return None
        top = folder
        while "/" in top and top.rpartition("/")[0] in self._packages:
            top = top.rpartition("/")[0]
        return "" if "" in self._packages and "/" not in top else top


def _is_below(path: str, folder: str) -> bool:
    return folder == "." or path.startswith(f"{folder}/")


def _joined(folder: str, rest: str) -> str:
    if not rest:
        return folder
    return rest if folder == "." else f"{folder}/{rest}"


def prefixes(names: Iterable[str]) -> set[str]:
    """Every name, and every name above it."""
    found: set[str] = set()
    for name in names:
        while name and name not in found:
            found.add(name)
            name = name.rpartition(".")[0]
    return found


def by_location(named: Mapping[str, Named]) -> dict[str, Named]:
    """Modules by the path that an import looks for; a package hides a module of its name."""
    found: dict[str, Named] = {}
    for each in named.values():
        location = each.location
        if each.is_package or location not in found:
            found[location] = each
    return found
