"""What changes do together, cycle by cycle: pairs as they were measured, with what names them."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, exists, select

from reverie.model.synergy import Interaction
from reverie.store.browsing.dreams import place_name
from reverie.store.cycle_tables import cycles, dreams
from reverie.store.governance_tables import interactions
from reverie.store.journal import Journal
from reverie.store.synergies import load_interactions
from reverie.store.text import storable

CYCLES = 30


@dataclass(frozen=True, slots=True)
class Named:
    """A dream that was tried together with others. A pruned one has only its id."""

    id: str
    title: str
    module: str
    status: str | None


def cycles_with_pairs(journal: Journal, repository: Path, most: int = CYCLES) -> tuple[str, ...]:
    """The last cycles of a repository in which pairs were measured, newest first."""
    measured = exists().where(interactions.c.cycle_id == cycles.c.id)
    query = (
        select(cycles.c.id)
        .where(cycles.c.repository == place_name(repository), measured)
        .order_by(cycles.c.started_at_us.desc(), cycles.c.id.desc())
        .limit(most)
    )
    with journal.reading() as connection:
        return tuple(connection.execute(query).scalars())


def pairs_of(
    journal: Journal, repository: Path, cycle_id: str
) -> tuple[tuple[Interaction, ...], Mapping[str, Named]]:
    """What was measured in a cycle, each pair as it was last; and the dreams by their ids."""
    name = storable(cycle_id)
    own = select(cycles.c.id).where(
        cycles.c.id == name, cycles.c.repository == place_name(repository)
    )
    with journal.reading() as connection:
        if connection.execute(own).first() is None:
            return (), {}
    # A cycle that was recovered may have measured a pair again.
    last = {
        (each.metric, frozenset((each.first, each.second))): each
        for each in load_interactions(journal, name)
    }
    found = tuple(last.values())
    with journal.reading() as connection:
        named = _named(connection, name, {id for each in found for id in (each.first, each.second)})
    return found, named


def _named(connection: Connection, cycle_id: str, ids: Iterable[str]) -> Mapping[str, Named]:
    known = {each: Named(each, each, "", None) for each in ids}
    columns = (dreams.c.id, dreams.c.title, dreams.c.module, dreams.c.status)
    query = select(*columns).where(dreams.c.cycle_id == cycle_id, dreams.c.id.in_(sorted(known)))
    if known:
        known.update((row.id, Named(*row)) for row in connection.execute(query))
    return known
