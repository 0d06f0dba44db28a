"""What changes of one cycle do together, as it was measured."""

from collections.abc import Iterable
from datetime import UTC, datetime

from sqlalchemy import insert, select

from reverie.model.benchmark import Estimate
from reverie.model.synergy import Interaction, SynergyKind
from reverie.store.clock import to_microseconds
from reverie.store.governance_tables import interactions
from reverie.store.journal import Journal
from reverie.store.reading import believed


def record_interactions(journal: Journal, cycle_id: str, found: Iterable[Interaction]) -> None:
    """Add what was measured."""
    now = to_microseconds(datetime.now(UTC))
    rows = [
        {
            "cycle_id": cycle_id,
            "first": each.first,
            "second": each.second,
            "metric": each.metric,
            "kind": each.kind.value,
            "effect": None if each.effect is None else each.effect.value,
            "low": None if each.effect is None else each.effect.low,
            "high": None if each.effect is None else each.effect.high,
            "n": each.n,
            "created_at_us": now,
        }
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
    return believed(
        journal,
        lambda: tuple(
            Interaction(
                row["first"],
                row["second"],
                row["metric"],
                None if row["effect"] is None else Estimate(row["effect"], row["low"], row["high"]),
                SynergyKind(row["kind"]),
                row["n"],
            )
            for row in rows
        ),
    )
