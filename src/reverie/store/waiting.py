"""Dreams that were tried and wait for a person, and how dreams of each kind have fared."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select

from reverie.model.cycle import CycleDream
from reverie.model.dream import DreamStatus
from reverie.store.cycle_tables import cycles, dreams, trials
from reverie.store.journal import Journal

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
