"""`DreamStore`: the dream journal, for whoever dreams, evaluates, tests or looks.

    store = DreamStore(journal)
    dream_id = await store.store_dream(dream)
    waiting = await store.get_by_status(DreamStatus.PENDING_TEST)

A dream moves from status to status only as `reverie.model.dream_moves` allows; the move is checked
against what the journal says at that moment, so that two processes cannot both make it.
"""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, insert, select, update

from reverie.errors import UsageError
from reverie.model.dream import DreamStatus
from reverie.model.dream_moves import check_move
from reverie.model.evaluation import Evaluation
from reverie.model.procedure import HIGH_NOVELTY, DreamProcedure, DreamTier, DreamType
from reverie.store import procedure_rows as rows
from reverie.store.clock import to_microseconds
from reverie.store.dream_records import DreamRecords
from reverie.store.journal import Journal
from reverie.store.procedure_tables import dream_procedures as table
from reverie.store.reading import believed
from reverie.store.text import storable

MOST_DREAMS = 10_000


class DreamStore(DreamRecords):
    """Dreams of procedures in a journal. Every method is one transaction."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    async def store_dream(self, dream: DreamProcedure) -> int:
        """Keep a dream; its number. One that is known already keeps the number it has."""
        return (await self.store_dreams_batch([dream]))[0]

    async def store_dreams_batch(self, dreams: Iterable[DreamProcedure]) -> list[int]:
        """Keep many dreams in one transaction; their numbers, in order."""
        return await asyncio.to_thread(self._store, tuple(dreams))

    async def get_dream(self, dream_id: int) -> DreamProcedure:
        """The dream of a number; `UsageError` when there is none."""
        found = await self._select(table.c.id == dream_id)
        if not found:
            raise UsageError(f"there is no dream {dream_id} in {self.journal.location}")
        return found[0]

    async def list_dreams(self, limit: int = MOST_DREAMS) -> list[DreamProcedure]:
        """The newest dreams, newest first."""
        return await self._select(limit=limit, newest_first=True)

    async def get_by_status(
        self, status: DreamStatus, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams that stand there, oldest first."""
        return await self._select(table.c.status == DreamStatus(status).value, limit=limit)

    async def get_by_tier(self, tier: DreamTier, limit: int = MOST_DREAMS) -> list[DreamProcedure]:
        """Dreams of a tier, oldest first."""
        return await self._select(table.c.tier == DreamTier(tier).value, limit=limit)

    async def get_by_type(
        self, dream_type: DreamType, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams that were imagined in one way, oldest first."""
        return await self._select(table.c.dream_type == DreamType(dream_type).value, limit=limit)

    async def get_by_base(
        self, base_procedure: str, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """The variants of a procedure, oldest first."""
        return await self._select(table.c.base_procedure == storable(base_procedure), limit=limit)

    async def get_high_novelty(
        self, threshold: float = HIGH_NOVELTY, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams at least so novel, oldest first."""
        return await self._select(table.c.novelty_score >= threshold, limit=limit)

    async def get_cross_project(
        self, least_matches: int = 1, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams that work in so many other repositories, oldest first."""
        return await self._select(table.c.cross_project_matches >= least_matches, limit=limit)

    async def update_dream(self, dream: DreamProcedure) -> None:
        """Keep what has been learnt about a dream; `UsageError` for a move that does not exist."""
        await asyncio.to_thread(self._update, dream)

    async def move(self, dream_id: int, status: DreamStatus) -> DreamProcedure:
        """Let a dream take one step; `UsageError` for a move that does not exist."""
        return await asyncio.to_thread(self._move, dream_id, DreamStatus(status))

    async def evaluate(self, evaluation: Evaluation, evaluator: str) -> DreamProcedure:
        """Note what an evaluator thinks of a dream; one of tier 1 waits for its test from then on.

        `UsageError` when the dream is past its evaluation.
        """
        return await asyncio.to_thread(self._evaluate, evaluation, evaluator)

    async def count_by_status(self) -> dict[DreamStatus, int]:
        """How many dreams stand where; every status is there."""
        found = await asyncio.to_thread(self._count, table.c.status)
        return {status: found.get(status.value, 0) for status in DreamStatus}

    async def count_by_tier(self) -> dict[DreamTier, int]:
        """How many evaluated dreams each tier has; every tier is there."""
        found = await asyncio.to_thread(self._count, table.c.tier)
        return {tier: found.get(tier.value, 0) for tier in DreamTier}

    async def count_by_type(self) -> dict[DreamType, int]:
        """How many dreams were imagined in each way; every way is there."""
        found = await asyncio.to_thread(self._count, table.c.dream_type)
        return {kind: found.get(kind.value, 0) for kind in DreamType}

    async def _select(
        self,
        *where: ColumnElement[bool],
        limit: int = MOST_DREAMS,
        newest_first: bool = False,
    ) -> list[DreamProcedure]:
        order = table.c.id.desc() if newest_first else table.c.id
        query = select(table).where(*where).order_by(order).limit(limit)
        return await asyncio.to_thread(self._read, query)

    def _read(self, query: Select[tuple[Any, ...]]) -> list[DreamProcedure]:
        with self.journal.reading() as connection:
            found = connection.execute(query).mappings().all()
        return believed(self.journal, lambda: [rows.procedure_of(row) for row in found])

    def _store(self, dreams: Sequence[DreamProcedure]) -> list[int]:
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

    def _update(self, dream: DreamProcedure) -> None:
        if dream.id is None:
            raise UsageError("a dream that was never stored cannot be updated")
        with self.journal.writing() as connection:
            before = self._locked(connection, dream.id)
            self._save(connection, before, dream)

    def _move(self, dream_id: int, status: DreamStatus) -> DreamProcedure:
        with self.journal.writing() as connection:
            before = self._locked(connection, dream_id)
            return self._save(connection, before, replace(before, status=status))

    def _evaluate(self, evaluation: Evaluation, evaluator: str) -> DreamProcedure:
        with self.journal.writing() as connection:
            before = self._locked(connection, evaluation.dream_id)
            if before.status not in (DreamStatus.PENDING_EVALUATION, DreamStatus.EVALUATED):
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
        return believed(self.journal, lambda: rows.procedure_of(row))

    def _save(
        self, connection: Connection, before: DreamProcedure, after: DreamProcedure
    ) -> DreamProcedure:
        check_move(before.status, after.status)
        row = rows.procedure_row(after, 0)
        changed = {name: row[name] for name in rows.CHANGEABLE}
        connection.execute(update(table).where(table.c.id == before.id).values(changed))
        return after

    def _count(self, column: ColumnElement[Any]) -> dict[str, int]:
        query = select(column, func.count()).group_by(column)
        with self.journal.reading() as connection:
            found = connection.execute(query).all()
        return {str(word): int(count) for word, count in found if word is not None}
