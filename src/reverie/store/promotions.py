"""Dreams by their id, what was offered of them, and what was done about it since."""

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Table, and_, delete, func, insert, select, update

from reverie.errors import StoreError, UsageError
from reverie.model.approval import Approval
from reverie.model.cycle import CycleDream, CycleHeader
from reverie.model.dream import DreamStatus
from reverie.model.promotion import Promotion, PromotionStatus, Rollback
from reverie.model.roi import TrackRecord
from reverie.store.cycle_queries import load_cycle
from reverie.store.cycle_tables import cycles, dreams, promotions, trials
from reverie.store.journal import Journal
from reverie.store.kept_tallies import counted
from reverie.store.promotion_tables import approvals, rollbacks
from reverie.store.rows import PROMOTIONS, Rows, believed
from reverie.store.text import one_line, storable

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
    return _find(journal, repository, given, promotions, "promoted")


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


def promotions_kept(journal: Journal, repository: Path, dreamer: str) -> TrackRecord:
    """What became of all that a dreamer has ever had promoted in a repository."""
    query = (
        select(promotions.c.status)
        .join(cycles, cycles.c.id == promotions.c.cycle_id)
        .join(
            dreams,
            and_(dreams.c.cycle_id == promotions.c.cycle_id, dreams.c.id == promotions.c.dream_id),
        )
        .where(cycles.c.repository == storable(str(repository.resolve())))
        .where(dreams.c.dreamer == dreamer)
    )
    with journal.reading() as connection:
        found = [row.status for row in connection.execute(query)]
    undone = found.count(PromotionStatus.ROLLED_BACK.value)
    return TrackRecord(bad=undone, kept=len(found) - undone)


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
        raise UsageError(f"{given!r} is too short for the id of a dream")
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
        raise UsageError(f"no dream {one_line(given)!r} was {what} here ({journal.location})")
    if len({row.dream_id for row in found}) > 1:
        raise UsageError(f"more than one dream has an id that starts with {one_line(given)!r}")
    record = load_cycle(journal, found[0].cycle_id)
    each = next(each for each in record.dreams if each.dream.id == found[0].dream_id)
    return JournaledDream(record.header, each)
