"""`DreamTestRunner`: tests the dreams that an evaluation found viable, and learns from them.

    runner = DreamTestRunner(db, sandbox_timeout_seconds=30, tests_per_dream=5)
    result = await runner.test_tier1_dreams()
    report = await runner.generate_learning_report()

Every dream is called in the sandbox on synthetic inputs and on edges, beside its base. Without a
sandbox of the caller's it opens one with the first test, and closes it with `close`.
"""

import asyncio
import threading
import weakref
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Any, Self

from reverie.cycle.dreams.learning import learning_report
from reverie.cycle.dreams.telling import result_document, statistics_document
from reverie.errors import MachineryError, UsageError
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.instruments.proof import Proofs
from reverie.model.call import Call
from reverie.model.dream import DreamStatus
from reverie.model.procedure import DreamProcedure, DreamTier
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore, ExecutionRecorder, Journal
from reverie.trials.procedures import Plan, ProcedureTrials, Tried, make_plan, usual_calls

_EDGE_CALLS = 30


class DreamTestRunner:
    """Tests dreams of a journal. Close it, or use it as a context manager."""

    def __init__(
        self,
        db: Journal,
        sandbox_timeout_seconds: float = 30,
        tests_per_dream: int = 5,
        *,
        sandbox: Sandbox | None = None,
        seed: int = 42,
    ) -> None:
        """`db` is the journal; a `sandbox` that is given stays open."""
        if tests_per_dream < 1:
            raise UsageError(f"tests_per_dream must be at least 1, not {tests_per_dream!r}")
        if not sandbox_timeout_seconds > 0:
            seconds = sandbox_timeout_seconds
            raise UsageError(f"sandbox_timeout_seconds must be above 0, not {seconds!r}")
        self.db = db
        self.store = DreamStore(db)
        self.sandbox_timeout_seconds = sandbox_timeout_seconds
        self.tests_per_dream = tests_per_dream
        self.seed = seed
        self._sandbox = sandbox
        self._trials: ProcedureTrials | None = None
        self._opening = threading.Lock()
        self._resources = ExitStack()
        self._closing = weakref.finalize(self, self._resources.close)

    async def test_tier1_dreams(self) -> dict[str, Any]:
        """Test every viable dream that waits for its test; what came of it.

        A failure of our own is told under `error`; what was tested before it stays tested.
        """
        viable = await self.store.get_by_tier(DreamTier.VIABLE)
        waiting = [each for each in viable if each.status is DreamStatus.PENDING_TEST]
        tried: list[Tried] = []
        error = None
        try:
            await self._test_all(waiting, tried)
        except MachineryError as failure:
            error = str(failure)
        passed = sum(each.test.passed for each in tried)
        found = {
            "success": error is None,
            "total_tier1_dreams": len(viable),
            "tested_dreams": len(tried),
            "dreams_passed": passed,
            "dreams_failed": len(tried) - passed,
            "pass_rate": passed / len(tried) if tried else None,
            "statistics": statistics_document([seen for each in tried for seen in each.seen]),
            "tested_dreams_details": [
                result_document(dream, each) for dream, each in zip(waiting, tried, strict=False)
            ],
        }
        return found if error is None else {**found, "error": error}

    async def test_dream(
        self, dream: DreamProcedure, variant_indices: Sequence[int] | None = None
    ) -> dict[str, Any]:
        """Test one dream; with `variant_indices` on those of its usual inputs alone."""
        if variant_indices is None:
            return await self._test(dream, None, counts=True)
        usual = usual_calls(dream, self.tests_per_dream, self.seed)
        chosen = _picked(usual, variant_indices, self.tests_per_dream)
        return await self._test(dream, Plan(chosen), counts=True)

    async def test_with_edge_cases(self, dream: DreamProcedure) -> dict[str, Any]:
        """Test one dream at the edges of what it may be given; its status stays as it is."""
        edges = make_plan(dream, _EDGE_CALLS, self.seed).edges
        return await self._test(dream, Plan((), edges), counts=False)

    async def generate_learning_report(self) -> dict[str, Any]:
        """What the tests so far teach: figures, what fails most, and what would help."""
        return await learning_report(self.store)

    async def run_continuous_testing(
        self, interval_seconds: float = 300, max_iterations: int | None = None
    ) -> dict[str, Any]:
        """Test what waits, again and again; `max_iterations=None` goes on until it is cancelled."""
        done: Counter[str] = Counter()
        while max_iterations is None or done["iterations"] < max_iterations:
            if done["iterations"]:
                await asyncio.sleep(interval_seconds)
            found = await self.test_tier1_dreams()
            done["iterations"] += 1
            for name in ("tested_dreams", "dreams_passed", "dreams_failed"):
                done[name] += found[name]
        return dict(done)

    def close(self) -> None:
        """Commit what was recorded, and end what was opened here. Twice is once."""
        self._closing()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    async def _test_all(self, dreams: Sequence[DreamProcedure], tried: list[Tried]) -> None:
        """Test dreams, each kept in the journal and in `tried` as soon as it is over."""
        if not dreams:
            return
        trials = await asyncio.to_thread(self._opened)
        found = iter(trials.try_all(dreams))
        for dream in dreams:
            each = await asyncio.to_thread(next, found)
            await self._keep(dream, each)
            tried.append(each)

    async def _test(
        self, dream: DreamProcedure, plan: Plan | None, *, counts: bool
    ) -> dict[str, Any]:
        trials = await asyncio.to_thread(self._opened)
        tried = await asyncio.to_thread(trials.try_dream, dream, plan)
        if counts and dream.id is not None:
            await self._keep(dream, tried)
        return result_document(dream, tried, with_inputs=True)

    async def _keep(self, dream: DreamProcedure, tried: Tried) -> None:
        test = tried.test
        await self.store.record_test(test)
        waits = dream.status is DreamStatus.PENDING_TEST
        learnt = replace(
            dream,
            status=DreamStatus.TESTED if waits else dream.status,
            test_outcome=test.outcome,
            test_error=test.error,
            test_timestamp=test.tested_at,
            effectiveness=test.effectiveness,
        )
        await self.store.update_dream(learnt)

    def _opened(self) -> ProcedureTrials:
        with self._opening:
            if not self._closing.alive:
                raise UsageError("this DreamTestRunner is closed")
            if self._trials is None:
                if self._sandbox is None:
                    self._sandbox = self._resources.enter_context(Sandbox())
                recorder = self._resources.enter_context(ExecutionRecorder(self.db))
                Proofs(self._sandbox).require("behaviour")
                behaviours = Behaviours(
                    self._sandbox, self.sandbox_timeout_seconds, record=recorder
                )
                self._trials = ProcedureTrials(behaviours, self.tests_per_dream, self.seed)
            return self._trials


def _picked(usual: Sequence[Call], indices: Sequence[int], most: int) -> tuple[Call, ...]:
    """The calls of some numbers; a function that has fewer different calls has fewer here too."""
    wrong = [each for each in indices if not 0 <= each < most]
    if wrong:
        raise UsageError(f"variant_indices must be from 0 to {most - 1}, not {wrong[0]!r}")
    return tuple(usual[each] for each in indices if each < len(usual))
