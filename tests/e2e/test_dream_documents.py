"""The dream journal's examples of `dream_sandbox_testing.md`, with our import path."""

import ast
import asyncio
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import reverie
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import Evaluation
from reverie.testing.cycles import procedure

# "DreamTestRunner", "Usage"
USAGE = """
runner = DreamTestRunner(
    db=database,                    # Existing Athena database
    sandbox_timeout_seconds=30,     # Timeout per test
    tests_per_dream=5,              # Number of test variants
)

# Test all Tier 1 dreams
result = await runner.test_tier1_dreams()
tier1 = result

# Test a single dream with edge cases
result = await runner.test_dream(dream_procedure, variant_indices=[0, 1, 2])
single = result
result = await runner.test_with_edge_cases(dream_procedure)

# Get learning insights
report = await runner.generate_learning_report()

# Continuous testing mode
await runner.run_continuous_testing(
    interval_seconds=300,  # Test every 5 minutes
    max_iterations=10,     # Stop after 10 runs (None = infinite)
)
runner.close()
"""
TIER1_KEYS = {
    "success", "total_tier1_dreams", "tested_dreams", "dreams_passed", "dreams_failed",
    "pass_rate", "statistics", "tested_dreams_details",
}  # fmt: skip
REPORT_KEYS = {
    "total_dreams_tested", "dreams_passed", "test_statistics", "top_failure_patterns",
    "suggested_improvements",
}  # fmt: skip

# "Dream Store Integration"
STORE = """
# Uses existing methods
dreams = await store.get_by_tier(DreamTier.VIABLE)
viable = dreams
dreams = await store.get_by_status(DreamStatus.PENDING_TEST)

# Updates dreams after testing
await store.update_dream(dream)  # With test results
"""

# "Standalone Usage"
STANDALONE = """
from reverie import DreamTestRunner
from reverie import Database

# Create runner
db = Database()
runner = DreamTestRunner(db, sandbox_timeout_seconds=30, tests_per_dream=5)

# Test Tier 1 dreams
import asyncio
result = asyncio.run(runner.test_tier1_dreams())
print(f"Pass rate: {result['pass_rate']:.1%}")

# Generate learning report
report = asyncio.run(runner.generate_learning_report())
print(f"Top failures: {report['top_failure_patterns'][:3]}")
runner.close()
"""

# "Integration with Nightly Cycle"
NIGHTLY = """
import asyncio
import logging
from reverie import DreamTestRunner
from reverie import Database

logging.basicConfig(level=logging.INFO)

async def test_dreams():
    db = Database()
    runner = DreamTestRunner(db, sandbox_timeout_seconds=30, tests_per_dream=5)
    result = await runner.test_tier1_dreams()

    if result['success']:
        print(f"✅ Tested {result['tested_dreams']} dreams, {result['dreams_passed']} passed")
        report = await runner.generate_learning_report()
        # Could integrate report into consolidation feedback
    else:
        print(f"Testing failed: {result.get('error')}")

asyncio.run(test_dreams())
"""
BROKEN = "def double(x: int) -> int:\n    return 2 * x + missing\n"


@pytest.fixture
def database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The journal of the current folder, with two dreams of tier 1 that wait for their test."""
    monkeypatch.chdir(tmp_path)
    with reverie.Database() as journal:
        asyncio.run(_two_dreams(reverie.DreamStore(journal)))
        yield journal


async def _two_dreams(store: reverie.DreamStore) -> None:
    kind = {"base_code": "def double(x: int) -> int:\n    return 2 * x\n", "import_roots": ()}
    good = procedure(1, code="def double(x: int) -> int:\n    return x + x + 0\n", **kind)
    bad = procedure(2, code=BROKEN, **kind)
    for number in await store.store_dreams_batch([good, bad]):
        viable = Evaluation(number, 0.9, reverie.DreamTier.VIABLE, "likely")
        await store.evaluate(viable, "a person")


def run_example(source: str, scope: dict[str, Any]) -> dict[str, Any]:
    scope |= {name: getattr(reverie, name) for name in reverie.__all__}
    code = compile(source, "<example>", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)

    async def run() -> None:
        pending = eval(code, scope)
        if inspect.isawaitable(pending):
            await pending

    if code.co_flags & inspect.CO_COROUTINE:
        asyncio.run(run())
    else:
        eval(code, scope)
    return scope


def test_the_runner_as_its_document_shows_it(
    database: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited: list[float] = []

    async def wait(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("reverie.cycle.dreams.runner.asyncio.sleep", wait)
    store = reverie.DreamStore(database)
    dream = asyncio.run(store.get_dream(1))
    found = run_example(USAGE, {"database": database, "dream_procedure": dream})
    tier1, single, report = found["tier1"], found["single"], found["report"]
    assert tier1.keys() == TIER1_KEYS
    assert (tier1["success"], tier1["total_tier1_dreams"], tier1["tested_dreams"]) == (True, 2, 2)
    assert (tier1["dreams_passed"], tier1["dreams_failed"], tier1["pass_rate"]) == (1, 1, 0.5)
    assert tier1["statistics"]["outcomes"] == {"success": 5, "runtime_error": 5}
    assert [each["success"] for each in tier1["tested_dreams_details"]] == [True, False]
    assert (single["success"], single["inputs"], single["compared"][0]) == (True, 3, "same")
    assert found["result"]["inputs"] > 3
    assert report.keys() >= REPORT_KEYS
    assert (report["total_dreams_tested"], report["dreams_passed"]) == (2, 1)
    (pattern,), (improvement,) = report["top_failure_patterns"], report["suggested_improvements"]
    assert pattern.keys() >= {"pattern", "frequency", "category", "last_seen"}
    assert (pattern["category"], pattern["frequency"]) == ("runtime", 1)
    assert improvement.keys() >= {"category", "issue", "frequency", "suggestion"}
    assert improvement["category"] == "Runtime"
    assert "missing" in improvement["issue"]
    assert waited == [300] * 9


def test_the_database_columns_are_updated_by_a_test(database: Any) -> None:
    store = reverie.DreamStore(database)
    with reverie.DreamTestRunner(database, 30, 5) as runner:
        asyncio.run(runner.test_tier1_dreams())
    good, bad = (asyncio.run(store.get_dream(number)) for number in (1, 2))
    assert good.status is bad.status is reverie.DreamStatus.TESTED
    assert (good.test_outcome, good.test_error) == (TestOutcome.SUCCESS, None)
    assert bad.test_outcome is TestOutcome.RUNTIME_ERROR
    assert "missing" in str(bad.test_error)
    assert good.test_timestamp is not None
    assert (good.effectiveness, bad.effectiveness) == (1.0, 0.0)
    statistics = asyncio.run(store.get_statistics())
    assert (statistics["tier1_test_count"], statistics["tier1_test_success_rate"]) == (2, 0.5)


def test_the_store_as_its_document_shows_it(database: Any) -> None:
    store = reverie.DreamStore(database)
    dream = asyncio.run(store.get_dream(1))
    found = run_example(STORE, {"store": store, "dream": dream})
    assert [each.id for each in found["viable"]] == [1, 2]
    assert [each.id for each in found["dreams"]] == [1, 2]


def test_the_standalone_and_nightly_examples_run_in_a_repository(
    database: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    run_example(STANDALONE, {})
    said = capsys.readouterr().out
    assert "Pass rate: 50.0%" in said
    assert "NameError" in said
    run_example(NIGHTLY, {})
    assert "Tested 0 dreams, 0 passed" in capsys.readouterr().out
