"""Exchanges with models in the journal, found again by their tags."""

from collections.abc import Sequence

from sqlalchemy import insert, select

from reverie.model.interaction import Interaction, InteractionTag
from reverie.store.clock import from_microseconds, to_microseconds
from reverie.store.integration_tables import model_interactions
from reverie.store.journal import Journal
from reverie.store.rows import believed
from reverie.store.text import storable


class InteractionMemory:
    """All exchanges of one journal: it is only ever added to."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, interaction: Interaction) -> None:
        """Keep one."""
        row = {
            "created_at_us": to_microseconds(interaction.at),
            "tags": " ".join(interaction.tags),
            "prompt": storable(interaction.prompt),
            "response": storable(interaction.response),
        }
        with self._journal.writing() as connection:
            connection.execute(insert(model_interactions).values(row))

    def tagged(self, tag: InteractionTag, limit: int = 50) -> Sequence[Interaction]:
        """The latest with a tag, newest first."""
        table = model_interactions
        query = select(table).order_by(table.c.id.desc())
        with self._journal.reading() as connection:
            rows = connection.execute(query).mappings().all()
        found = believed(
            self._journal,
            lambda: [
                Interaction(
                    row["prompt"],
                    row["response"],
                    tuple(InteractionTag(each) for each in row["tags"].split()),
                    from_microseconds(row["created_at_us"]),
                )
                for row in rows
            ],
        )
        return [each for each in found if tag in each.tags][:limit]
