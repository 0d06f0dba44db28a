"""What project files say: the name of the distribution, and where its packages start."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

_MOST_BYTES = 1 << 20
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
    if source.is_dir() and not (source / "__init__.py").exists():
        roots.append("src")
    inside = (_below(folder, root) for root in dict.fromkeys(roots))
    return Project(folder, name, tuple(root for root in inside if root not in (None, folder)))


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
