"""`DreamTestRunner`: tests the dreams that an evaluation found viable, and learns from them.

    runner = DreamTestRunner(db, sandbox_timeout_seconds=30, tests_per_dream=5)
    result = await runner.test_tier1_dreams()
    report = await runner.generate_learning_report()

Every dream is called in the sandbox on synthetic inputs and on edges, beside its base. Without a
sandbox of the caller's it opens one with the first test, and closes it with `close`. Tests become
documents: plain values under documented keys. What they teach is told and put into force.
"""

import asyncio
import threading
import weakref
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime
from types import TracebackType
from typing import Any, Self

from reverie.errors import MachineryError, UsageError
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.instruments.self_check import Proofs
from reverie.learning.tightening import DreamFailure, gather_failures, improvement_for, tighten
from reverie.model.call import Call
from reverie.model.codec import pick
from reverie.model.dream import DreamStatus
from reverie.model.measurements.equivalence import Seen
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import DreamProcedure, DreamTier, ProcedureTest, Tightening
from reverie.sandbox.engine import Sandbox
from reverie.store import DreamStore, ExecutionRecorder, Journal
from reverie.trials.procedures import Plan, ProcedureTrials, Tried, compared, make_plan, usual_calls

_MOST_TESTS = 100_000
_TOP = 10


async def learning_report(store: DreamStore, top: int = _TOP) -> dict[str, Any]:
    """Figures over all tests, the failures that most dreams met, and what would help."""
    tests = await store.get_tests(limit=_MOST_TESTS)
    latest = {test.dream_id: test for test in reversed(tests)}
    failures = await _failures(store)
    outcomes = [test.outcome for test in latest.values()]
    inputs = sum(test.inputs for test in tests)
    good = sum(test.succeeded for test in tests)
    return {
        "total_dreams_tested": len(latest),
        "dreams_passed": outcomes.count(TestOutcome.SUCCESS),
        "test_statistics": {
            "total_tests": inputs,
            "successful_tests": good,
            "success_rate": good / inputs if inputs else None,
            "outcomes": {each.value: outcomes.count(each) for each in dict.fromkeys(outcomes)},
            "failure_patterns_count": len(failures),
        },
        "top_failure_patterns": [_pattern(each) for each in failures[:top]],
        "suggested_improvements": [_improvement(each) for each in failures[:top]],
        "tightenings": [tightening_document(each) for each in await store.get_tightenings()],
        "by_dreamer": {
            rule: {"passed": passed, "tested": tested}
            for rule, (passed, tested) in sorted((await store.test_record_by_dreamer()).items())
        },
    }


async def learn(store: DreamStore) -> list[Tightening]:
    """Put on dreamers' rules what their tests call for; what is new."""
    found = tighten(
        await store.test_record_by_dreamer(),
        await _failures(store),
        await store.get_tightenings(in_force=False),
        datetime.now(UTC),
    )
    for each in found:
        await store.store_tightening(each)
    return found


async def _failures(store: DreamStore) -> list[DreamFailure]:
    tests = await store.get_tests(limit=_MOST_TESTS)
    dreams = {each.id: each for each in await store.list_dreams() if each.id is not None}
    return gather_failures(tests, dreams)


def tightening_document(tightening: Tightening) -> dict[str, Any]:
    """A constraint on a dreamer's rule."""
    names = "id dreamer share constraint evidence created_at lifted_at"
    return pick(tightening, names, constraint=tightening.constraint or None)


def _pattern(failure: DreamFailure) -> dict[str, Any]:
    return pick(failure, "pattern=signature frequency category last_seen message inputs dreams")


def _improvement(failure: DreamFailure) -> dict[str, Any]:
    found = improvement_for(failure)
    return {
        "category": failure.category.value.capitalize(),
        "issue": failure.message,
        "frequency": failure.frequency,
        "suggestion": found.suggestion,
        "constraint": found.constraint or None,
        "pattern": failure.signature,
    }


_SHOWN = 200


def test_document(test: ProcedureTest, has_base: bool) -> dict[str, Any]:
    """One test, as far as it is in the journal."""
    return pick(
        test,
        "dream_id tested_at success=passed outcome error inputs succeeded compared same different "
        "more_robust less_robust speedup effectiveness seconds failures",
        dream_id=test.dream_id or None,
        compared=list(compared(test, has_base)),
    )


def result_document(
    dream: DreamProcedure, tried: Tried, *, with_inputs: bool = False
) -> dict[str, Any]:
    """One dream's test, with what was seen on each input if wanted."""
    document = {
        **test_document(tried.test, dream.is_variant),
        "title": dream.title,
        "base_procedure": dream.base_procedure,
        "dreamer": dream.dreamer,
    }
    if with_inputs:
        document["statistics"] = statistics_document(tried.seen)
        document["results"] = [
            {
                "call": call.render(dream.entry)[:_SHOWN],
                "outcome": each.outcome.value,
                "value": each.value[:_SHOWN],
                "error": each.error,
                "base": None if tried.base is None else tried.base[place].value[:_SHOWN],
            }
            for place, (call, each) in enumerate(zip(tried.plan.calls, tried.seen, strict=True))
        ]
    return document


def statistics_document(seen: Sequence[Seen]) -> dict[str, Any]:
    """Figures over executions. Without any there is no rate and no average: None."""
    made = [each for each in seen if each.is_made]
    outcomes = Counter(each.outcome for each in made)
    good = outcomes[TestOutcome.SUCCESS]
    return {
        "total_tests": len(made),
        "successful_tests": good,
        "success_rate": good / len(made) if made else None,
        "average_execution_time_ms": (
            sum(each.duration_ms for each in made) / len(made) if made else None
        ),
        "outcomes": {outcome.value: count for outcome, count in outcomes.most_common()},
        "failure_patterns_count": len({each.signature for each in made if each.signature}),
    }


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
