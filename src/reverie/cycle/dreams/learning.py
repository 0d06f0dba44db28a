"""What the tests of dreams teach, told and put into force."""

from datetime import UTC, datetime
from typing import Any

from reverie.learning.improvements import DreamFailure, gather_failures, improvement_for
from reverie.learning.tightening import tighten
from reverie.model.codec import pick
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import Tightening
from reverie.store import DreamStore

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
