"""Dreams by their id: what was offered of them, what waits for a person, and what people decided.

Signed words of people against decisions are kept as they were signed.
"""

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Table, delete, func, insert, select, update

from reverie.errors import StoreError, UsageError
from reverie.model.change import Change
from reverie.model.cycle import CycleDream, CycleHeader, Promotion, PromotionStatus, Rollback
from reverie.model.dream import DreamStatus
from reverie.model.ruling import Approval
from reverie.store.cycles.cycles import load_cycle
from reverie.store.journal import Journal
from reverie.store.rows import PROMOTIONS, Rows, believed
from reverie.store.scalars import one_line, storable, to_microseconds
from reverie.store.tables.cycle_tables import cycles, dreams, promotions, trials
from reverie.store.tables.promotion_tables import approvals, overrides, rollbacks
from reverie.store.tallies import counted

_NEWEST = 20
"""Cycles whose promotions may still be open."""
_SHORTEST = 4
_ROLLBACKS = Rows(rollbacks, Rollback, commit="commit_id")
_APPROVALS = Rows(approvals, Approval)


@dataclass(frozen=True, slots=True)
class JournaledDream:
    """A dream and the cycle that knows it."""

    header: CycleHeader
    each: CycleDream


@dataclass(frozen=True, slots=True)
class BranchCommit:
    """A commit of ours on a branch."""

    commit: str | None
    """None: the branch was removed instead."""
    status: PromotionStatus | None
    """None for what takes a promotion back."""


def find_tried(journal: Journal, repository: Path, given: str) -> JournaledDream:
    """The dream that an id, or its beginning, names; as it was tried last."""
    return _find(journal, repository, given, trials, "tried")


def find_offered(journal: Journal, repository: Path, given: str) -> JournaledDream:
    """The dream that an id, or its beginning, names; as it was promoted last."""
    try:
        return _find(journal, repository, given, promotions, "promoted")
    except UsageError:
        tried = find_tried(journal, repository, given).each.dream.id
    raise UsageError(
        f"the change {tried!r} is on no branch and has no proof bundle: it waits, or was refused; "
        f"its evidence: `reverie show {tried}`"
    )


def record_rollback(journal: Journal, cycle_id: str, rollback: Rollback, why: str) -> None:
    """Note that a promotion was taken back."""
    told = _ROLLBACKS.row(rollback, cycle_id=cycle_id, why=storable(one_line(why)))
    undone = update(promotions).where(
        promotions.c.cycle_id == cycle_id, promotions.c.dream_id == rollback.dream_id
    )
    dreamt = update(dreams).where(dreams.c.cycle_id == cycle_id, dreams.c.id == rollback.dream_id)
    with (
        journal.writing() as connection,
        counted(connection, cycle_id, [rollback.dream_id]),
    ):
        changed = connection.execute(undone.values(status=PromotionStatus.ROLLED_BACK.value))
        if changed.rowcount != 1:
            raise StoreError(f"the journal {journal.location} has lost a promotion of {cycle_id}")
        connection.execute(dreamt.values(status=DreamStatus.ROLLED_BACK.value))
        connection.execute(insert(rollbacks).values(told))


def record_offer(journal: Journal, cycle_id: str, promotion: Promotion) -> None:
    """Note where a dream is offered, also one that was taken back before."""
    place = (promotions.c.cycle_id == cycle_id, promotions.c.dream_id == promotion.dream_id)
    row = PROMOTIONS.row(promotion, cycle_id=cycle_id)
    dreamt = update(dreams).where(dreams.c.cycle_id == cycle_id, dreams.c.id == promotion.dream_id)
    with (
        journal.writing() as connection,
        counted(connection, cycle_id, [promotion.dream_id]),
    ):
        connection.execute(delete(promotions).where(*place))
        connection.execute(insert(promotions).values(row))
        connection.execute(dreamt.values(status=DreamStatus.PROMOTED.value))


def load_offered(journal: Journal, repository: Path) -> tuple[CycleDream, ...]:
    """Every dream that was ever promoted in a repository, oldest promotion first."""
    query = (
        select(promotions.c.cycle_id)
        .join(cycles, cycles.c.id == promotions.c.cycle_id)
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .group_by(promotions.c.cycle_id)
        .order_by(func.min(promotions.c.created_at_us), promotions.c.cycle_id)
    )
    with journal.reading() as connection:
        names = [row.cycle_id for row in connection.execute(query)]
    return tuple(each for name in names for each in load_cycle(journal, name).ever_promoted)


def made_paths(change: Change) -> frozenset[str]:
    """Files that are there only with a change."""
    return frozenset(edit.path for edit in change.edits if edit.before is None)


def offered_paths(
    journal: Journal,
    repository: Path,
    environment: Mapping[str, Any],
    but: Collection[str] = (),
) -> frozenset[str]:
    """Files that open promotions would make which were proven on the very same sources.

    `but`: dreams whose files are there already.
    """
    query = (
        select(promotions.c.cycle_id)
        .join(cycles, cycles.c.id == promotions.c.cycle_id)
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .group_by(promotions.c.cycle_id)
        .order_by(func.max(promotions.c.created_at_us).desc())
        .limit(_NEWEST)
    )
    with journal.reading() as connection:
        names = [row.cycle_id for row in connection.execute(query)]
    records = (load_cycle(journal, name) for name in names)
    return frozenset(
        path
        for record in records
        if record.header.environment.get("source") == environment.get("source")
        for each in record.promotions
        if each.dream.id not in but
        for path in made_paths(each.dream.change)
    )


def commits_by_branch(
    journal: Journal, repository: Path, branches: Collection[str]
) -> dict[str, list[BranchCommit]]:
    """What we committed to some branches of a repository: promotions, and what takes them back."""
    of_here = cycles.c.repository == storable(str(repository.resolve()))
    found: dict[str, list[BranchCommit]] = {}
    with journal.reading() as connection:
        for table in (promotions, rollbacks):
            status = (promotions.c.status,) if table is promotions else ()
            query = (
                select(table.c.branch, table.c.commit_id, *status)
                .join(cycles, cycles.c.id == table.c.cycle_id)
                .where(of_here, table.c.branch.in_(branches))
            )
            for row in connection.execute(query).mappings():
                offered = PromotionStatus(row["status"]) if status else None
                commit = BranchCommit(row["commit_id"], offered)
                found.setdefault(row["branch"], []).append(commit)
    return found


def used_branches(journal: Journal | None, repository: Path) -> frozenset[str]:
    """Every branch that a promotion of a repository was on, also those that are gone."""
    if journal is None:
        return frozenset()
    query = (
        select(promotions.c.branch)
        .join(cycles, cycles.c.id == promotions.c.cycle_id)
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .where(promotions.c.branch.is_not(None))
        .distinct()
    )
    with journal.reading() as connection:
        return frozenset(connection.execute(query).scalars())


def record_approval(journal: Journal, cycle_id: str, approval: Approval) -> None:
    """Keep what a person has signed."""
    told = _APPROVALS.row(approval, cycle_id=cycle_id)
    with journal.writing() as connection:
        connection.execute(insert(approvals).values(told))


def load_approvals(journal: Journal, cycle_id: str, dream_id: str) -> tuple[Approval, ...]:
    """What people have signed about a dream, oldest first. Nothing of it is checked here."""
    place = (approvals.c.cycle_id == cycle_id, approvals.c.dream_id == dream_id)
    query = select(approvals).where(*place).order_by(approvals.c.created_at_us, approvals.c.keyid)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return believed(journal, lambda: tuple(map(_APPROVALS.value, rows)))


def _find(
    journal: Journal, repository: Path, given: str, table: Table, what: str
) -> JournaledDream:
    if len(given) < _SHORTEST:
        raise UsageError(f"{given!r} is too short for the id of a change")
    place = storable(str(repository.resolve()))
    query = (
        select(table.c.cycle_id, table.c.dream_id)
        .join(cycles, cycles.c.id == table.c.cycle_id)
        .where(cycles.c.repository == place)
        .where(table.c.dream_id.startswith(storable(given), autoescape=True))
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
    )
    with journal.reading() as connection:
        found = connection.execute(query).all()
    if not found:
        raise UsageError(f"no change {one_line(given)!r} was {what} here ({journal.location})")
    if len({row.dream_id for row in found}) > 1:
        raise UsageError(f"more than one change has an id that starts with {one_line(given)!r}")
    record = load_cycle(journal, found[0].cycle_id)
    each = next(each for each in record.dreams if each.dream.id == found[0].dream_id)
    return JournaledDream(record.header, each)


_PROMOTED = (DreamStatus.PROMOTED,)


@dataclass(frozen=True, slots=True)
class WaitingDream:
    """A dream that evidence speaks for, or nearly, and that is not offered yet."""

    dream_id: str
    title: str
    verdict: str
    raroi: float | None


def waiting_dreams(journal: Journal, repository: Path) -> tuple[WaitingDream, ...]:
    """Those whose last trial left them tested or borderline, newest first."""
    open_ones = (DreamStatus.TESTED.value, DreamStatus.BORDERLINE.value)
    query = (
        select(dreams.c.id, dreams.c.title, dreams.c.status, trials.c.verdict, trials.c.score)
        .join(cycles, cycles.c.id == dreams.c.cycle_id)
        .join(trials, (trials.c.cycle_id == dreams.c.cycle_id) & (trials.c.dream_id == dreams.c.id))
        .where(cycles.c.repository == str(repository.resolve()))
        .order_by(cycles.c.started_at_us.desc(), dreams.c.id)
    )
    found: dict[str, WaitingDream | None] = {}
    with journal.reading() as connection:
        for row in connection.execute(query).mappings():
            if row["id"] in found:
                continue
            is_open = row["status"] in open_ones
            raroi = json.loads(row["score"]).get("raroi")
            waiting = WaitingDream(row["id"], row["title"], row["verdict"], raroi)
            found[row["id"]] = waiting if is_open else None
    return tuple(each for each in found.values() if each is not None)


def tally_of(decided: Iterable[CycleDream]) -> dict[str, tuple[int, int]]:
    """By kind of dream: how many were decided, and how many of them are promoted."""
    counts: dict[str, tuple[int, int]] = {}
    for each in decided:
        tried, promoted = counts.get(each.dream.kind.value, (0, 0))
        counts[each.dream.kind.value] = tried + 1, promoted + (each.status in _PROMOTED)
    return counts


def record_override(journal: Journal, repository: Path, subject: str, envelope: bytes) -> None:
    """Keep what a person has signed; it is never changed."""
    told = {
        "repository": storable(str(repository.resolve())),
        "subject": storable(subject),
        "envelope": envelope.decode("ascii"),
        "created_at_us": to_microseconds(datetime.now(UTC)),
    }
    with journal.writing() as connection:
        connection.execute(insert(overrides).values(told))


def load_overrides(journal: Journal, repository: Path) -> tuple[bytes, ...]:
    """The envelopes of a repository, oldest first. Nothing of them is checked here."""
    place = storable(str(repository.resolve()))
    query = (
        select(overrides.c.envelope).where(overrides.c.repository == place).order_by(overrides.c.id)
    )
    with journal.reading() as connection:
        return tuple(row.envelope.encode("utf-8") for row in connection.execute(query))
