"""Where the user's own files lie. Nothing is imported for it: a plain question asks it as well."""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS_FILE = "config.toml"


def config_folder(environ: "Mapping[str, str]") -> str:
    """The folder of Reverie's configuration and keys, by the habits of the desktop."""
    given = environ.get("XDG_CONFIG_HOME", "")
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(given if os.path.isabs(given) else f"{home}/.config", "reverie")


def state_folder(environ: "Mapping[str, str]") -> str:
    """The folder of what Reverie remembers between runs, of all repositories."""
    given = environ.get("XDG_STATE_HOME", "")
    home = environ.get("HOME") or os.path.expanduser("~")
    return os.path.join(given if os.path.isabs(given) else f"{home}/.local/state", "reverie")


def settings_file(environ: "Mapping[str, str]") -> str | None:
    """The user's settings; None where the environment does not say whose they would be."""
    if not (environ.get("HOME") or os.path.isabs(environ.get("XDG_CONFIG_HOME", ""))):
        return None
    return os.path.join(config_folder(environ), SETTINGS_FILE)
