"""Decisions on proven dreams, wired: people approve, reject, take back; a canary takes back.

The same for the command line and the dashboard. A canary takes its versions from files or from a
promotion, and rolls back when the new one is worse.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import Refused, StoreError, UsageError
from reverie.model.cycle import Proven
from reverie.model.dream import DreamStatus
from reverie.model.events import EventName
from reverie.model.measurements.equivalence import Canary, CanaryPlan, CanaryState

if TYPE_CHECKING:
    from reverie.instruments.equivalence import Version
    from reverie.model.cycle import Deed, Promotion, Rollback
    from reverie.model.ruling import Approval
    from reverie.promotion.bundle.keys import SigningKey
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded
    from reverie.store import Journal
    from reverie.store.cycles.promotions import JournaledDream


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
    from reverie.promotion.trial_tree import read_source

    each, trial = found.each, found.each.trial
    if trial is None:
        raise UsageError(f"the change {each.dream.id} was never tried")
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
    from reverie.store.cycles.promotions import load_approvals

    proven = proven_of(loaded, found)
    approvers = loaded.settings.promotion.known_approvers()
    authors = existing_key(config_folder(environ))
    stored = load_approvals(journal, found.header.id, proven.dream.id)
    given = counted(proven, stored, authors, approvers)
    return Standing(given, approvals_required(proven, approvers))


def approve_dream(
    loaded: Loaded,
    environ: Mapping[str, str],
    journal: Journal,
    found: JournaledDream,
    person: Person,
) -> Approved:
    """Record an approval that counts; `Refused` when it would not."""
    from reverie.bootstrap.events import tell
    from reverie.bootstrap.governance import as_decided_now
    from reverie.promotion.approvals import approve, require_countable
    from reverie.promotion.bundle.keys import config_folder, existing_key
    from reverie.promotion.promoter import require_judged
    from reverie.store.cycles.promotions import record_approval

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
    from reverie.model.cycle import DeedKind
    from reverie.promotion.approvals import sign_deed
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
    group: str = "",
) -> Rollback:
    """Undo a promotion; with a person, under their signature.

    What people have to merge of one `group` is on one branch.
    """
    from reverie.bootstrap.events import tell
    from reverie.model.cycle import DeedKind
    from reverie.promotion.approvals import sign_deed
    from reverie.promotion.promoter import Promoter
    from reverie.promotion.rollback import roll_back
    from reverie.store.browsing.people import record_deed
    from reverie.store.cycles.promotions import record_rollback

    promotion = found.each.promotion
    if promotion is None:
        raise StoreError(f"the promotion of {found.each.dream.id!r} was there a moment ago")
    now, deed = datetime.now(UTC), None
    if person is not None:
        _require_known(loaded, person)
        dream_id = promotion.dream_id
        deed = sign_deed(DeedKind.ROLLBACK, dream_id, person.name, person.key, now, why)
    promoter = Promoter(loaded.repository, loaded.settings.promotion)
    rollback = roll_back(promoter, promotion, now, why, group)
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
    from reverie.model.ruling import same_person

    approvers = loaded.settings.promotion.known_approvers()
    keyid = person.key.public.fingerprint
    if approvers and not any(
        same_person(each.name, person.name) and each.keyid == keyid for each in approvers
    ):
        raise Refused(f"{person.name!r} with that key is not among promotion.approvers")


def _figure(score: Mapping[str, Any], name: str) -> float | None:
    value = score.get(name)
    return float(value) if isinstance(value, int | float) else None


@dataclass(frozen=True, slots=True)
class Sides:
    """Two versions of one callable."""

    old: Version
    new: Version


@contextmanager
def sides_of_promotion(repository: Path, promotion: Promotion) -> Iterator[list[Sides]]:
    """Old and new version of every callable that a promotion changes, in scratch folders."""
    from reverie.bootstrap.guard import read_change
    from reverie.instruments.equivalence import read_version
    from reverie.trials.changed import changed_code
    from reverie.trials.plan import write_trees

    if promotion.commit is None or promotion.base is None:
        raise UsageError(f"{promotion.dream_id} has no commit of its own: give --old and --new")
    files, change = read_change(repository, promotion.base, promotion.commit, None)
    with tempfile.TemporaryDirectory() as scratch:
        trees = write_trees(files, change, Path(scratch))
        found = []
        for edit in change.edits:
            if not edit.path.endswith(".py") or edit.before is None or edit.after is None:
                continue
            for name in changed_code(edit.before, edit.after).compare:
                if "." in name:
                    continue  # a method needs an object; functions are what traffic is made for
                found.append(
                    Sides(
                        read_version(f"{trees.base / edit.path}:{name}", trees.base),
                        read_version(f"{trees.head / edit.path}:{name}", trees.head),
                    )
                )
        if not found:
            raise UsageError(f"{promotion.dream_id} changes no function that calls can be made for")
        yield found


def run_recorded(
    journal: Journal,
    repository: Path,
    sandbox: Sandbox,
    sides: Sides,
    plan: CanaryPlan,
    *,
    traffic: Path | None,
    seed: int,
    dream_id: str | None = None,
) -> Canary:
    """One canary, from its first row in the journal to its last."""
    from secrets import token_hex

    from reverie.cycle.canarying import generated_traffic, recorded_traffic, run_canary
    from reverie.store.cycles.findings import find_canary, record_canary, update_canary

    calls = generated_traffic(sides.new, seed) if traffic is None else recorded_traffic(traffic)
    now = datetime.now(UTC)
    canary = Canary(token_hex(6), sides.old.label, sides.new.label, dream_id, plan,
                    CanaryState.RUNNING, now)  # fmt: skip
    record_canary(journal, repository, canary)

    def watch(each: Canary) -> CanaryState:
        update_canary(journal, each)
        return find_canary(journal, repository, each.id).state

    ended = run_canary(sandbox, canary, (sides.old, sides.new), calls, watch)
    update_canary(journal, ended)
    return ended


def roll_back_after(
    loaded: Loaded, journal: Journal, cycle_id: str, promotion: Promotion, canary: Canary
) -> Rollback | None:
    """Take back what a canary found worse, and tell; None when somebody did so already."""
    from reverie.promotion.promoter import Promoter
    from reverie.promotion.rollback import roll_back
    from reverie.store.cycles.promotions import record_rollback

    why = f"canary {canary.id}: {canary.reason}"
    promoter = Promoter(loaded.repository, loaded.settings.promotion)
    try:
        rollback = roll_back(promoter, promotion, datetime.now(UTC), why)
    except Refused:
        if promotion.status.value == "rolled_back":
            return None
        raise
    record_rollback(journal, cycle_id, rollback, why)
    _tell(loaded, cycle_id, rollback, canary, why)
    return rollback


def _tell(loaded: Loaded, cycle_id: str, rollback: Rollback, canary: Canary, why: str) -> None:
    """Twice: whoever follows promotions hears of it as of any other that is taken back."""
    from reverie.bootstrap.events import open_events
    from reverie.model.codec import pick
    from reverie.model.events import EventName

    undone = {"cycle_id": cycle_id, **pick(rollback, "dream_id branch commit")}
    figures = "figures.compared figures.differences figures.new_errors"
    seen = pick(canary, f"canary=id reason {figures}")
    with open_events(loaded) as publish:
        publish(EventName.CANARY_ROLLED_BACK, {**undone, **seen})
        publish(EventName.PROMOTION_ROLLED_BACK, {**undone, "why": why})
