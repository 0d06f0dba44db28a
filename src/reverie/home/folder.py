"""Where the user's own files lie. Nothing is imported for it: a plain question asks it as well.

Where the home cannot be written (a read-only one, or none at all) they lie in a folder of the
user's own below the temporary folder, readable by nobody else, until that is emptied.
"""

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

SETTINGS_FILE = "config.toml"
_FOR_OTHERS = 0o077
_IS_FOLDER = 0o040000


def config_folder(environ: "Mapping[str, str]") -> str:
    """The folder of Reverie's configuration and keys, by the habits of the desktop."""
    return _own_folder(environ, "XDG_CONFIG_HOME", ".config")


def state_folder(environ: "Mapping[str, str]") -> str:
    """The folder of what Reverie remembers between runs, of all repositories."""
    return _own_folder(environ, "XDG_STATE_HOME", ".local/state")


def settings_file(environ: "Mapping[str, str]") -> str | None:
    """The user's settings; None where the environment does not say whose they would be."""
    if not (environ.get("HOME") or os.path.isabs(environ.get("XDG_CONFIG_HOME", ""))):
        return None
    return os.path.join(config_folder(environ), SETTINGS_FILE)


def _own_folder(environ: "Mapping[str, str]", variable: str, usual: str) -> str:
    given = environ.get(variable, "")
    if os.path.isabs(given):
        return os.path.join(given, "reverie")
    home = environ.get("HOME") or os.path.expanduser("~")
    wanted = os.path.join(home, usual, "reverie")
    if os.path.isdir(wanted) or _can_be_made(wanted):
        return wanted
    instead = _temporary(environ)
    return wanted if instead is None else os.path.join(instead, usual, "reverie")


def _can_be_made(folder: str) -> bool:
    """Whether the nearest folder above that is there can be written."""
    above = os.path.dirname(folder)
    while not os.path.lexists(above) and above != os.path.dirname(above):
        above = os.path.dirname(above)
    return os.access(above, os.W_OK | os.X_OK)


def _temporary(environ: "Mapping[str, str]") -> str | None:
    """A folder below the temporary one that is this user's alone; None where there can be none."""
    place = os.path.join(environ.get("TMPDIR") or "/tmp", f"reverie-home-{os.getuid()}")
    try:
        os.makedirs(place, mode=0o700, exist_ok=True)
        about = os.lstat(place)
    except OSError:
        return None
    is_own = about.st_uid == os.getuid() and not about.st_mode & _FOR_OTHERS
    return place if is_own and about.st_mode & 0o170000 == _IS_FOLDER else None
