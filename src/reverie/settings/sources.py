"""Where settings come from, looked at without reading them: a plain question waits for this."""

import os
from typing import TYPE_CHECKING, NamedTuple

from reverie.errors import UsageError
from reverie.home.folder import settings_file
from reverie.index.trail import look
from reverie.settings.aliases import ALIASES, REPOSITORY_KEY

if TYPE_CHECKING:
    from collections.abc import Mapping

PREFIX = "REVERIE_"
VARIABLE = "REVERIE_REPOSITORY"
MARKERS = (".git", "pyproject.toml")
FILES = ("pyproject.toml", ".env")
"""The files of a repository that settings are read from, weakest first."""


class Place(NamedTuple):
    """A folder, and why it was taken to be the repository."""

    folder: str
    origin: str


def look_at_sources(folder: str, environ: "Mapping[str, str]") -> tuple[int, ...] | None:
    """What the files look like that settings come from; None: variables speak as well."""
    if any(each.startswith(PREFIX) and each != VARIABLE for each in environ):
        return None
    if any(environ.get(each.name) for each in ALIASES if each.key != REPOSITORY_KEY):
        return None
    own = settings_file(environ)
    files = (*(f"{folder}/{name}" for name in FILES), *([] if own is None else [own]))
    return tuple(map(look, files))


def find_folder(given: str | None, environ: "Mapping[str, str]") -> Place:
    """The folder given, else the one the environment names, else the one around us."""
    if given is not None:
        return Place(_existing_folder(given, "--repo"), "--repo")
    aliases = [alias.name for alias in ALIASES if alias.key == REPOSITORY_KEY]
    for name in (VARIABLE, *aliases):
        if environ.get(name):
            suffix = "" if name == VARIABLE else " (alias)"
            origin = f"environment {name}{suffix}"
            return Place(_existing_folder(environ[name], origin), origin)
    return Place(_around(_current_folder()), "current folder")


def _existing_folder(text: str, origin: str) -> str:
    try:
        path = os.path.expanduser(text) or "."
        if os.path.isdir(path):
            return os.path.realpath(path)
    except (OSError, ValueError) as error:
        raise UsageError(f"repository {text!r} ({origin}): {error}") from error
    raise UsageError(f"repository {text!r} ({origin}): not a folder")


def _current_folder() -> str:
    try:
        return os.getcwd()
    except FileNotFoundError:
        raise UsageError("the current folder no longer exists; give --repo") from None


def _around(start: str) -> str:
    """The nearest folder upwards with a marker that belongs to the owner of `start`.

    The owner counts because anybody can put a `pyproject.toml` into `/tmp`.
    """
    owner, folder = os.stat(start).st_uid, start
    while True:
        for marker in MARKERS:
            try:
                if os.lstat(os.path.join(folder, marker)).st_uid == owner:
                    return folder
            except OSError:
                continue
        if folder == os.path.dirname(folder):
            return start
        folder = os.path.dirname(folder)
