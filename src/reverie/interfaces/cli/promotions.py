"""Promotions as the command line tells of them, and what it needs to make one."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie import __version__
from reverie.interfaces.cli.app import App
from reverie.model.approval import Approval
from reverie.model.codec import pick
from reverie.model.promotion import Promotion, Proven

if TYPE_CHECKING:
    from reverie.promotion.bundle.keys import SigningKey
    from reverie.store.promotions import JournaledDream

BUNDLES, PATCHES = "bundles", "patches"


@dataclass(frozen=True, slots=True)
class Requested:
    """How a person wants one dream to be offered."""

    branch: str | None = None
    approvals: tuple[Approval, ...] = ()
    signing_key: str | None = None
    key_file: Path | None = None


def proven_of(app: App, found: "JournaledDream") -> Proven:
    """A journaled dream with all that is known for it."""
    from reverie.bootstrap import deciding

    return deciding.proven_of(app.loaded, found)


def offer(app: App, proven: Proven, requested: Requested) -> Promotion:
    """Seal the proof of a dream and offer it; one that is offered already is told as it stands."""
    from reverie.bootstrap.events import open_events
    from reverie.promotion.bundle.environment import read_environment
    from reverie.promotion.bundle.writing import Sealing
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
        promoter = Promoter(app.repository.path, section, app.settings.alignment, publish)
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
