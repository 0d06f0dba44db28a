"""Dreams of procedures as the journal is asked about them; each method is one transaction."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from reverie.errors import UsageError
from reverie.model.dream import DreamStatus
from reverie.model.dream_moves import EVALUABLE, check_move
from reverie.model.evaluation import Evaluation
from reverie.model.procedure import DreamProcedure, DreamTier
from reverie.store import rows
from reverie.store.clock import to_microseconds
from reverie.store.journal import Journal
from reverie.store.procedure_tables import dream_procedures as table
from reverie.store.rows import believed


@dataclass(frozen=True, slots=True)
class DreamQueries:
    """The table of dreams of one journal."""

    journal: Journal

    def one(self, dream_id: int) -> DreamProcedure:
        """The dream of a number; `UsageError` when there is none."""
        with self.journal.reading() as connection:
            return self._locked(connection, dream_id)

    def equal(self, name: str, value: Any, limit: int) -> list[DreamProcedure]:
        """Dreams whose column holds a value, oldest first."""
        return self._read(table.c[name] == value, limit)

    def at_least(self, name: str, value: float, limit: int) -> list[DreamProcedure]:
        """Dreams whose figure is so high, oldest first."""
        return self._read(table.c[name] >= value, limit)

    def newest(self, limit: int) -> list[DreamProcedure]:
        """Dreams, newest first."""
        query = select(table).order_by(table.c.id.desc()).limit(limit)
        with self.journal.reading() as connection:
            found = connection.execute(query).mappings().all()
        return believed(self.journal, lambda: [rows.PROCEDURES.value(row) for row in found])

    def _read(self, condition: Any, limit: int) -> list[DreamProcedure]:
        query = select(table).where(condition).order_by(table.c.id).limit(limit)
        with self.journal.reading() as connection:
            found = connection.execute(query).mappings().all()
        return believed(self.journal, lambda: [rows.PROCEDURES.value(row) for row in found])

    def add(self, dreams: Sequence[DreamProcedure]) -> list[int]:
        """Keep dreams; their numbers, in order. One that is known keeps the number it has."""
        now = to_microseconds(datetime.now(UTC))
        numbers: list[int] = []
        with self.journal.writing() as connection:
            for dream in dreams:
                digest = table.c.digest == dream.digest
                known = connection.execute(select(table.c.id).where(digest)).scalar()
                if known is None:
                    added = insert(table).values(rows.procedure_row(dream, now))
                    known = connection.execute(added.returning(table.c.id)).scalar_one()
                numbers.append(int(known))
        return numbers

    def update(self, dream: DreamProcedure) -> None:
        """Keep what has been learnt about a dream."""
        if dream.id is None:
            raise UsageError("a dream that was never stored cannot be updated")
        with self.journal.writing() as connection:
            before = self._locked(connection, dream.id)
            self._save(connection, before, dream)

    def move(self, dream_id: int, status: DreamStatus) -> DreamProcedure:
        """Let a dream take one step."""
        with self.journal.writing() as connection:
            before = self._locked(connection, dream_id)
            return self._save(connection, before, replace(before, status=status))

    def evaluate(self, evaluation: Evaluation, evaluator: str) -> DreamProcedure:
        """Note an opinion about a dream; one of tier 1 waits for its test from then on."""
        with self.journal.writing() as connection:
            before = self._locked(connection, evaluation.dream_id)
            if before.status not in EVALUABLE:
                raise UsageError(f"dream {before.id} is {before.status}: past its evaluation")
            judged = replace(
                before,
                status=DreamStatus.EVALUATED,
                viability_score=evaluation.viability,
                tier=evaluation.tier,
                reasoning=evaluation.reasoning,
                evaluator=evaluator,
                evaluated_at=datetime.now(UTC),
            )
            judged = self._save(connection, before, judged)
            if judged.tier is DreamTier.VIABLE:
                waiting = replace(judged, status=DreamStatus.PENDING_TEST)
                judged = self._save(connection, judged, waiting)
            return judged

    def _locked(self, connection: Connection, dream_id: int) -> DreamProcedure:
        row = connection.execute(select(table).where(table.c.id == dream_id)).mappings().first()
        if row is None:
            raise UsageError(f"there is no dream {dream_id} in {self.journal.location}")
        return believed(self.journal, lambda: rows.PROCEDURES.value(row))

    def _save(
        self, connection: Connection, before: DreamProcedure, after: DreamProcedure
    ) -> DreamProcedure:
        check_move(before.status, after.status)
        row = rows.procedure_row(after, 0)
        changed = {name: row[name] for name in rows.CHANGEABLE}
        connection.execute(update(table).where(table.c.id == before.id).values(changed))
        return after

    def count(self, name: str) -> dict[str, int]:
        """How many dreams there are by the words of a column."""
        column = table.c[name]
        query = select(column, func.count()).group_by(column)
        with self.journal.reading() as connection:
            found = connection.execute(query).all()
        return {str(word): int(count) for word, count in found if word is not None}
