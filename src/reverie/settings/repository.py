"""Which repository a command is about."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.errors import UsageError
from reverie.settings.aliases import ALIASES, REPOSITORY_KEY

VARIABLE = "REVERIE_REPOSITORY"
_MARKERS = (".git", "pyproject.toml")


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder, and why it was taken to be the repository."""

    path: Path
    origin: str


def find_repository(given: str | None, environ: Mapping[str, str]) -> Repository:
    """The folder given, else the one the environment names, else the one around us."""
    if given is not None:
        return Repository(_existing_folder(given, "--repo"), "--repo")
    aliases = [alias.name for alias in ALIASES if alias.key == REPOSITORY_KEY]
    for name in (VARIABLE, *aliases):
        if environ.get(name):
            suffix = "" if name == VARIABLE else " (alias)"
            origin = f"environment {name}{suffix}"
            return Repository(_existing_folder(environ[name], origin), origin)
    return Repository(_around(_current_folder()), "current folder")


def is_repository(folder: Path) -> bool:
    """Whether a folder looks like the root of a repository."""
    return any((folder / marker).exists() for marker in _MARKERS)


def _existing_folder(text: str, origin: str) -> Path:
    try:
        path = Path(text).expanduser()
        if path.is_dir():
            return path.resolve()
    except (OSError, RuntimeError, ValueError) as error:
        raise UsageError(f"repository {text!r} ({origin}): {error}") from error
    raise UsageError(f"repository {text!r} ({origin}): not a folder")


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        raise UsageError("the current folder no longer exists; give --repo") from None


def _around(start: Path) -> Path:
    """The nearest folder upwards with a marker that belongs to the owner of `start`.

    The owner counts because anybody can put a `pyproject.toml` into `/tmp`.
    """
    owner = start.stat().st_uid
    for folder in (start, *start.parents):
        for marker in _MARKERS:
            try:
                if os.lstat(folder / marker).st_uid == owner:
                    return folder
            except OSError:
                continue
    return start
