"""What changes of one cycle do together, as it was measured."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import insert, select

from reverie.model.benchmark import Estimate
from reverie.model.codec import pick
from reverie.model.synergy import Interaction
from reverie.store.clock import to_microseconds
from reverie.store.governance_tables import interactions
from reverie.store.journal import Journal
from reverie.store.rows import Rows, believed

_INTERACTIONS = Rows(interactions, Interaction)


def record_interactions(journal: Journal, cycle_id: str, found: Iterable[Interaction]) -> None:
    """Add what was measured."""
    now = to_microseconds(datetime.now(UTC))
    rows = [
        _INTERACTIONS.row(
            each,
            cycle_id=cycle_id,
            created_at_us=now,
            **pick(each, "effect=effect.value effect.low effect.high"),
        )
        for each in found
    ]
    if rows:
        with journal.writing() as connection:
            connection.execute(insert(interactions), rows)


def load_interactions(journal: Journal, cycle_id: str) -> tuple[Interaction, ...]:
    """What was measured in one cycle, in order."""
    table = interactions
    query = select(table).where(table.c.cycle_id == cycle_id).order_by(table.c.id)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return believed(journal, lambda: tuple(map(_interaction, rows)))


def _interaction(row: Any) -> Interaction:
    value = row["effect"]
    effect = None if value is None else Estimate(value, row["low"], row["high"])
    return _INTERACTIONS.value(row, effect=effect)
