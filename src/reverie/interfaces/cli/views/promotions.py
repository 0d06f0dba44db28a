"""Promotions on the command line: who decides, how a dream is offered, and the document of it.

The person is named by what was given, or by the name and key that are usual on the machine.
"""

import getpass
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie import __version__
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.model.codec import pick
from reverie.model.cycle import Promotion, Proven
from reverie.model.ruling import Approval
from reverie.promotion import BUNDLES, PATCHES

if TYPE_CHECKING:
    from reverie.bootstrap.deciding import Person
    from reverie.promotion.bundle.keys import SigningKey
    from reverie.store.cycles.promotions import JournaledDream

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


@dataclass(frozen=True, slots=True)
class Requested:
    """How a person wants one dream to be offered."""

    branch: str | None = None
    approvals: tuple[Approval, ...] = ()
    signing_key: str | None = None
    key_file: Path | None = None
    used: frozenset[str] = frozenset()
    """Names of branches that are not given again."""


def proven_of(app: App, found: "JournaledDream") -> Proven:
    """A journaled dream with all that is known for it."""
    from reverie.bootstrap import deciding

    return deciding.proven_of(app.loaded, found)


def offer(app: App, proven: Proven, requested: Requested) -> Promotion:
    """Seal the proof of a dream and offer it; one that is offered already is told as it stands."""
    from reverie.bootstrap.events import open_events
    from reverie.promotion.bundle.writing import Sealing, read_environment
    from reverie.promotion.offering import offer_dream
    from reverie.promotion.promoter import Offer, Promoter, require_judged
    from reverie.promotion.rollback import status_of

    require_judged(proven)  # before a key is made for it
    now = datetime.now(UTC)
    section = app.settings.promotion
    sealing = Sealing(
        key=sealing_key(app, requested.key_file),
        at=now,
        environment=read_environment(),
        version=__version__,
        with_archive=section.archive,
    )
    wanted = Offer(
        at=now,
        branch=requested.branch,
        patches=app.loaded.data_dir / PATCHES,
        approvals=requested.approvals,
        signing_key=requested.signing_key,
    )
    bundles = app.loaded.data_dir / BUNDLES
    with open_events(app.loaded) as publish:
        where = (app.repository.path, section, app.settings.alignment, publish)
        promoter = Promoter(*where, requested.used)
        made = offer_dream(promoter, proven, wanted, sealing, bundles)
    return replace(made, status=status_of(promoter, made))


def sealing_key(app: App, file: Path | None) -> "SigningKey":
    """The key given, or the user's own, made on first use."""
    from reverie.promotion.bundle.keys import config_folder, own_key, read_signing_key

    return own_key(config_folder(app.environ)) if file is None else read_signing_key(file)


def promotion_document(promotion: Promotion) -> dict[str, Any]:
    """A promotion as JSON values."""
    names = "dream_id kind title status branch commit base patch bundle roi raroi created_at"
    return pick(promotion, names)
