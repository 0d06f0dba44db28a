"""Which repository a command is about."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reverie.settings.sources import MARKERS, find_folder


@dataclass(frozen=True, slots=True)
class Repository:
    """A folder, and why it was taken to be the repository."""

    path: Path
    origin: str


def find_repository(given: str | None, environ: Mapping[str, str]) -> Repository:
    """The folder given, else the one the environment names, else the one around us."""
    place = find_folder(given, environ)
    return Repository(Path(place.folder), place.origin)


def is_repository(folder: Path) -> bool:
    """Whether a folder looks like the root of a repository."""
    return any((folder / marker).exists() for marker in MARKERS)
