"""Paths on a command line: from here, or from the repository; and one that is a repository."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from reverie.interfaces.cli.app import App
from reverie.settings.repository import find_repository, is_repository
from reverie.store.location import JOURNAL_FOLDER


def settle_places(app: App, params: dict[str, Any], names: Sequence[str]) -> None:
    """Make the paths among some parameters ones that hold from the current folder.

    A folder that is a repository of its own names it, as `--repo` does. Where `--repo` was given,
    paths are looked for in it first; otherwise where the person stands, then in the repository.
    """
    for name in names:
        value = params.get(name)
        if isinstance(value, tuple):
            params[name] = tuple(_settled(app, each) for each in value)
        elif isinstance(value, str) and value:
            params[name] = _settled(app, value)


def _settled(app: App, given: str) -> str:
    if app.repo is None and _is_other_repository(app, given):
        app.repo = given
        return given
    path, colon, entry = given.rpartition(":")
    if not colon:
        path, entry = given, ""
    if not path or os.path.isabs(path):
        return given
    inside = app.repository.path / path
    is_here = os.path.exists(path)
    if not inside.exists() or (is_here and app.repo is None):
        return given
    if is_here and os.path.samefile(path, inside):
        return given
    return f"{inside}{colon}{entry}"


def _is_other_repository(app: App, given: str) -> bool:
    """Whether a folder is a repository, and not a part of the one that we stand in."""
    folder = Path(os.path.expanduser(given))
    if not folder.is_dir() or not (is_repository(folder) or (folder / JOURNAL_FOLDER).is_dir()):
        return False
    around = find_repository(None, {}).path
    return not is_repository(around) or not folder.resolve().is_relative_to(around)
