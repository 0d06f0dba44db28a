"""One frozen tree of settings, and where each value came from.

Read from `[tool.reverie]` in the repository's `pyproject.toml`, its `.env`, the environment and
the command line, each stronger than the one before. Nothing is written, and nothing is put
into `os.environ`. Rooms do not import this module: they receive their section.
"""

from reverie.settings.aliases import ALIASES, Alias
from reverie.settings.load import load_settings
from reverie.settings.repository import Repository, find_repository
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
    "shown",
    "variable_of",
]
