"""`DreamStore`: the dream journal, for whoever dreams, evaluates, tests or looks.

    store = DreamStore(journal)
    dream_id = await store.store_dream(dream)
    waiting = await store.get_by_status(DreamStatus.PENDING_TEST)

A dream moves from status to status only as `reverie.model.dream` allows; the move is checked
against what the journal says at that moment, so that two processes cannot both make it.
"""

import asyncio
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reverie.model.dream import DreamStatus
from reverie.model.procedure import (
    HIGH_NOVELTY,
    DreamMetrics,
    DreamProcedure,
    DreamTier,
    DreamType,
    Evaluation,
    GenerationRun,
    ProcedureTest,
    Tightening,
)
from reverie.store.journal import Journal
from reverie.store.scalars import storable

if TYPE_CHECKING:
    from reverie.store.dream_queries import DreamQueries, RecordQueries

MOST_DREAMS = 10_000
MOST_RECORDS = 1000
_run = asyncio.to_thread


class DreamStore:
    """Dreams of procedures in a journal. Every method is one transaction."""

    def __init__(self, journal: Journal) -> None:
        self.journal = journal

    async def store_dream(self, dream: DreamProcedure) -> int:
        """Keep a dream; its number. One that is known already keeps the number it has."""
        return (await self.store_dreams_batch([dream]))[0]

    async def store_dreams_batch(self, dreams: Iterable[DreamProcedure]) -> list[int]:
        """Keep many dreams in one transaction; their numbers, in order."""
        return await _run(self._dreams.add, tuple(dreams))

    async def get_dream(self, dream_id: int) -> DreamProcedure:
        """The dream of a number; `UsageError` when there is none."""
        return await _run(self._dreams.one, dream_id)

    async def list_dreams(self, limit: int = MOST_DREAMS) -> list[DreamProcedure]:
        """The newest dreams, newest first."""
        return await _run(self._dreams.newest, limit)

    async def get_by_status(
        self, status: DreamStatus, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams that stand there, oldest first."""
        return await _run(self._dreams.equal, "status", DreamStatus(status).value, limit)

    async def get_by_tier(self, tier: DreamTier, limit: int = MOST_DREAMS) -> list[DreamProcedure]:
        """Dreams of a tier, oldest first."""
        return await _run(self._dreams.equal, "tier", DreamTier(tier).value, limit)

    async def get_by_type(
        self, dream_type: DreamType, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams that were imagined in one way, oldest first."""
        return await _run(self._dreams.equal, "dream_type", DreamType(dream_type).value, limit)

    async def get_by_base(
        self, base_procedure: str, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """The variants of a procedure, oldest first."""
        return await _run(self._dreams.equal, "base_procedure", storable(base_procedure), limit)

    async def get_high_novelty(
        self, threshold: float = HIGH_NOVELTY, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams at least so novel, oldest first."""
        return await _run(self._dreams.at_least, "novelty_score", threshold, limit)

    async def get_cross_project(
        self, least_matches: int = 1, limit: int = MOST_DREAMS
    ) -> list[DreamProcedure]:
        """Dreams that work in so many other repositories, oldest first."""
        return await _run(self._dreams.at_least, "cross_project_matches", least_matches, limit)

    async def update_dream(self, dream: DreamProcedure) -> None:
        """Keep what has been learnt about a dream; `UsageError` for a move that does not exist."""
        await _run(self._dreams.update, dream)

    async def move(self, dream_id: int, status: DreamStatus) -> DreamProcedure:
        """Let a dream take one step; `UsageError` for a move that does not exist."""
        return await _run(self._dreams.move, dream_id, DreamStatus(status))

    async def evaluate(self, evaluation: Evaluation, evaluator: str) -> DreamProcedure:
        """Note what an evaluator thinks of a dream; one of tier 1 waits for its test from then on.

        `UsageError` when the dream is past its evaluation.
        """
        return await _run(self._dreams.evaluate, evaluation, evaluator)

    async def count_by_status(self) -> dict[DreamStatus, int]:
        """How many dreams stand where; every status is there."""
        found = await _run(self._dreams.count, "status")
        return {status: found.get(status.value, 0) for status in DreamStatus}

    async def count_by_tier(self) -> dict[DreamTier, int]:
        """How many evaluated dreams each tier has; every tier is there."""
        found = await _run(self._dreams.count, "tier")
        return {tier: found.get(tier.value, 0) for tier in DreamTier}

    async def count_by_type(self) -> dict[DreamType, int]:
        """How many dreams were imagined in each way; every way is there."""
        found = await _run(self._dreams.count, "dream_type")
        return {kind: found.get(kind.value, 0) for kind in DreamType}

    async def get_statistics(self) -> dict[str, Any]:
        """Figures over all dreams. What has no data is None, never 0."""
        return await _run(self._records.statistics)

    async def store_generation_run(self, run: GenerationRun) -> int:
        """Keep a generation run; its number."""
        return await _run(self._records.add_run, run)

    async def update_generation_run(self, run: GenerationRun) -> None:
        """Keep what a run came to."""
        await _run(self._records.change_run, run)

    async def get_generation_runs(self, limit: int = MOST_RECORDS) -> list[GenerationRun]:
        """The newest runs, newest first."""
        return await _run(self._records.runs, limit)

    async def record_test(self, test: ProcedureTest) -> int:
        """Keep a test with its failures; its number."""
        return await _run(self._records.add_test, test)

    async def get_tests(
        self, dream_id: int | None = None, limit: int = MOST_RECORDS
    ) -> list[ProcedureTest]:
        """The newest tests, of one dream or of all, newest first."""
        return await _run(self._records.tests, dream_id, limit)

    async def get_failures(self, limit: int = MOST_RECORDS) -> list[ProcedureTest]:
        """The newest tests that were not passed, newest first."""
        return await _run(self._records.tests, None, limit, only_failed=True)

    async def test_record_by_dreamer(self) -> Mapping[str, tuple[int, int]]:
        """Of every `dreamer/rule`: dreams that passed their last test, and dreams tested."""
        return await _run(self._records.record_by_dreamer)

    async def record_metrics(self, metrics: DreamMetrics) -> None:
        """Keep the figures of a moment, for the trend."""
        await _run(self._records.add_metrics, metrics)

    async def get_metrics(
        self, since: datetime | None = None, limit: int = MOST_RECORDS
    ) -> list[DreamMetrics]:
        """The figures that were kept, newest first."""
        return await _run(self._records.metrics, since, limit)

    async def store_tightening(self, tightening: Tightening) -> int:
        """Put a constraint on a dreamer's rule; its number."""
        return await _run(self._records.add_tightening, tightening)

    async def lift_tightening(self, number: int) -> None:
        """Take a constraint back; it stays to be seen."""
        await _run(self._records.lift_tightening, number)

    async def get_tightenings(self, *, in_force: bool = True) -> list[Tightening]:
        """Constraints on dreamers, oldest first; with `in_force=False` lifted ones too."""
        return await _run(self._records.tightenings, in_force)

    @cached_property
    def _dreams(self) -> "DreamQueries":
        from reverie.store.dream_queries import DreamQueries

        return DreamQueries(self.journal)

    @cached_property
    def _records(self) -> "RecordQueries":
        from reverie.store.dream_queries import RecordQueries

        return RecordQueries(self.journal)
