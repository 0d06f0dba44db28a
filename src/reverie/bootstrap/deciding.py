"""What people decide about dreams, wired: the same for the command line and the dashboard."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from reverie.errors import Refused, StoreError, UsageError
from reverie.model.dream import DreamStatus
from reverie.model.promotion import Proven
from reverie.model.published import EventName

if TYPE_CHECKING:
    from reverie.model.approval import Approval
    from reverie.model.deed import Deed
    from reverie.model.promotion import Rollback
    from reverie.promotion.bundle.keys import SigningKey
    from reverie.settings import Loaded
    from reverie.store import Journal
    from reverie.store.promotions import JournaledDream


@dataclass(frozen=True, slots=True)
class Person:
    """Who decides."""

    name: str
    key: SigningKey
    why: str


@dataclass(frozen=True, slots=True)
class Approved:
    """An approval that counts, and how many there are with it."""

    approval: Approval
    count: int
    required: int
    is_listed: bool
    """Whether `promotion.approvers` says who may."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a dream is from what people owe it."""

    approvals: tuple[Approval, ...]
    """Those that count."""
    required: int


def proven_of(loaded: Loaded, found: JournaledDream) -> Proven:
    """A journaled dream with all that is known for it."""
    from reverie.promotion.source import read_source

    each, trial = found.each, found.each.trial
    if trial is None:
        raise UsageError(f"the dream {each.dream.id} was never tried")
    return Proven(
        dream=each.dream,
        stage=each.dream.kind.stage,
        source=read_source(loaded.repository, found.header.revision),
        evidence=trial.evidence,
        judgement=trial.judgement,
        roi=_figure(trial.score, "roi"),
        raroi=_figure(trial.score, "raroi"),
    )


def standing_of(
    loaded: Loaded, environ: Mapping[str, str], journal: Journal, found: JournaledDream
) -> Standing:
    """The approvals of a dream that count, and how many it takes."""
    from reverie.promotion.approvals import counted
    from reverie.promotion.bundle.keys import config_folder, existing_key
    from reverie.promotion.promoter import approvals_required
    from reverie.store.promotions import load_approvals

    proven = proven_of(loaded, found)
    approvers = loaded.settings.promotion.known_approvers()
    authors = existing_key(config_folder(environ))
    stored = load_approvals(journal, found.header.id, proven.dream.id)
    return Standing(counted(proven, stored, authors, approvers), approvals_required(proven))


def approve_dream(
    loaded: Loaded,
    environ: Mapping[str, str],
    journal: Journal,
    found: JournaledDream,
    person: Person,
) -> Approved:
    """Record an approval that counts; `Refused` when it would not."""
    from reverie.bootstrap.events import tell
    from reverie.bootstrap.redeciding import as_decided_now
    from reverie.promotion.approvals import approve, require_countable
    from reverie.promotion.bundle.keys import config_folder, existing_key
    from reverie.promotion.promoter import require_judged
    from reverie.store.promotions import record_approval

    found = as_decided_now(loaded, journal, found)
    proven = proven_of(loaded, found)
    require_judged(proven)
    approvers = loaded.settings.promotion.known_approvers()
    authors = existing_key(config_folder(environ))
    standing = standing_of(loaded, environ, journal, found)
    given = approve(proven, person.name, person.key, datetime.now(UTC), person.why)
    require_countable(proven, given, standing.approvals, authors, approvers)
    record_approval(journal, found.header.id, given)
    approved = Approved(given, len(standing.approvals) + 1, standing.required, bool(approvers))
    counts = {"approvals": approved.count, "required": approved.required}
    told = {**_ids(found), "name": given.name, "keyid": given.keyid, **counts}
    tell(loaded, EventName.APPROVAL_GIVEN, told)
    return approved


def reject_dream(loaded: Loaded, journal: Journal, found: JournaledDream, person: Person) -> Deed:
    """Put a dream aside that evidence speaks for; who did and why is kept, signed."""
    from reverie.bootstrap.events import tell
    from reverie.model.deed import DeedKind
    from reverie.promotion.deeds import sign_deed
    from reverie.store.browsing.people import record_deed

    dream, status = found.each.dream, found.each.status
    if status is not DreamStatus.TESTED:
        raise Refused(f"{dream.id} is {status}: only what waits for its promotion is rejected")
    _require_known(loaded, person)
    now = datetime.now(UTC)
    deed = sign_deed(DeedKind.REJECTION, dream.id, person.name, person.key, now, person.why)
    record_deed(journal, found.header.id, deed)
    told = {**_ids(found), "name": deed.name, "keyid": deed.keyid, "why": deed.why}
    tell(loaded, EventName.DREAM_REJECTED, told)
    return deed


def take_back(
    loaded: Loaded,
    journal: Journal,
    found: JournaledDream,
    why: str,
    person: Person | None = None,
) -> Rollback:
    """Undo a promotion; with a person, under their signature."""
    from reverie.bootstrap.events import tell
    from reverie.model.deed import DeedKind
    from reverie.promotion.deeds import sign_deed
    from reverie.promotion.promoter import Promoter
    from reverie.promotion.rollback import roll_back
    from reverie.store.browsing.people import record_deed
    from reverie.store.promotions import record_rollback

    promotion = found.each.promotion
    if promotion is None:
        raise StoreError(f"the promotion of {found.each.dream.id!r} was there a moment ago")
    now, deed = datetime.now(UTC), None
    if person is not None:
        _require_known(loaded, person)
        dream_id = promotion.dream_id
        deed = sign_deed(DeedKind.ROLLBACK, dream_id, person.name, person.key, now, why)
    promoter = Promoter(loaded.repository, loaded.settings.promotion)
    rollback = roll_back(promoter, promotion, now, why)
    record_rollback(journal, found.header.id, rollback, why)
    if deed is not None:
        record_deed(journal, found.header.id, deed)
    undone = {"branch": rollback.branch, "commit": rollback.commit, "why": why}
    tell(loaded, EventName.PROMOTION_ROLLED_BACK, {**_ids(found), **undone})
    return rollback


def _ids(found: JournaledDream) -> dict[str, str]:
    return {"cycle_id": found.header.id, "dream_id": found.each.dream.id}


def _require_known(loaded: Loaded, person: Person) -> None:
    """Where approvers are named, only they decide."""
    from reverie.model.approval import same_person

    approvers = loaded.settings.promotion.known_approvers()
    keyid = person.key.public.fingerprint
    if approvers and not any(
        same_person(each.name, person.name) and each.keyid == keyid for each in approvers
    ):
        raise Refused(f"{person.name!r} with that key is not among promotion.approvers")


def _figure(score: Mapping[str, Any], name: str) -> float | None:
    value = score.get(name)
    return float(value) if isinstance(value, int | float) else None
