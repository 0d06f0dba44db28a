"""One frozen tree of settings, and where each value came from.

Read from the user's `config.toml`, `[tool.reverie]` in the repository's `pyproject.toml`, its
`.env`, the environment and the command line, each stronger than the one before; the files of a
repository are heard only as far as each setting permits. Nothing is written, and nothing is put
into `os.environ`. Rooms do not import this module: they receive their section.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.settings.load import load_settings, settings_of_revision
    from reverie.settings.repository import Repository, find_repository
    from reverie.settings.sources import ALIASES, Alias
    from reverie.settings.tree import (
        Loaded,
        Settings,
        flag_of,
        known_setting,
        known_settings,
        shown,
        variable_of,
    )

__all__ = [
    "ALIASES",
    "Alias",
    "Loaded",
    "Repository",
    "Settings",
    "find_repository",
    "flag_of",
    "known_setting",
    "known_settings",
    "load_settings",
    "settings_of_revision",
    "shown",
    "variable_of",
]

_MODULES = {
    "ALIASES": "sources",
    "Alias": "sources",
    "Repository": "repository",
    "find_repository": "repository",
    "load_settings": "load",
    "settings_of_revision": "load",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_MODULES.get(name, 'tree')}"), name)
