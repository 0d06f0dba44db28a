"""Who decides: the name and the key that were given, or those that are usual on a machine."""

import getpass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App

if TYPE_CHECKING:
    from reverie.bootstrap.deciding import Person

_USUAL_KEY = "~/.ssh/id_ed25519"


def person_of(app: App, name: str | None, key: str | None, why: str) -> "Person":
    """The person at the keyboard, by what was given or by the login name and the usual key."""
    from reverie.bootstrap.deciding import Person
    from reverie.promotion.bundle.keys import read_signing_key

    home = app.environ.get("HOME")
    usual = Path(_USUAL_KEY.replace("~", home)) if home else Path(_USUAL_KEY).expanduser()
    if key is None and not usual.is_file():
        making = "ssh-keygen -t ed25519"
        raise UsageError(f"--key: there is no {_USUAL_KEY}; give one, or make one: {making}")
    file = usual if key is None else Path(key).expanduser()
    signing = read_signing_key(file)
    return Person(name or _login_name(), signing, why)


def _login_name() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        raise UsageError("--as: this account has no name; say who you are") from None
