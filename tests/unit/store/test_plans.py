"""Queries stay fast with a million rows: each walks an index and sorts nothing."""

from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, event

from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.store import (
    ExecutionRecorder,
    Journal,
    details,
    failure_patterns,
    history,
    journal_url,
    prune,
    statistics,
)
from reverie.testing.fakes import FIRST_START, finished


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(tmp_path)) as journal:
        with ExecutionRecorder(journal) as recorder:
            for number in range(9):
                outcome = TestOutcome.RUNTIME_ERROR if number % 3 else TestOutcome.SUCCESS
                recorder(*finished(number, outcome=outcome))
        yield journal


@pytest.fixture
def plans() -> Iterator[dict[str, list[str]]]:
    """The plan of every statement that is executed, by statement."""
    seen: dict[str, list[str]] = {}

    def explain(_: Any, cursor: Any, statement: str, parameters: Any, *__: Any) -> None:
        if statement.startswith(("SELECT", "DELETE")):
            rows = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            seen[statement] = [row[3] for row in rows]

    event.listen(Engine, "before_cursor_execute", explain)
    yield seen
    event.remove(Engine, "before_cursor_execute", explain)


def slow_steps(plans: dict[str, list[str]]) -> list[str]:
    return [
        step
        for steps in plans.values()
        for step in steps
        if "TEMP B-TREE" in step or (step.startswith("SCAN") and "INDEX" not in step)
    ]


def test_the_instrument_sees_a_slow_query(journal: Journal, plans: dict[str, list[str]]) -> None:
    with journal.reading() as connection:
        connection.exec_driver_sql("SELECT * FROM executions ORDER BY exit_code")
    assert len(slow_steps(plans)) == 2


def test_history_walks_an_index(journal: Journal, plans: dict[str, list[str]]) -> None:
    newest = finished(8)[1]
    options = {
        "before": (None, newest.id),
        "outcome": (None, TestOutcome.RUNTIME_ERROR),
        "isolation": (None, IsolationTier.NAMESPACES),
        "code_hash": (None, newest.code_hash),
        "since": (None, FIRST_START),
    }
    for values in product(*options.values()):
        history(journal, **dict(zip(options, values, strict=True)))  # type: ignore[arg-type]
    assert len(plans) >= 2 ** len(options)
    assert slow_steps(plans) == []


NARROWEST_FIRST = (
    ("code_hash", finished()[1].code_hash, "executions_by_code"),
    ("outcome", TestOutcome.TIMEOUT, "executions_by_outcome"),
    ("isolation", IsolationTier.NAMESPACES, "executions_by_isolation"),
    ("since", FIRST_START, "executions_by_time"),
)


@pytest.mark.parametrize("first", range(len(NARROWEST_FIRST)))
def test_history_follows_the_narrowest_filter(
    journal: Journal, plans: dict[str, list[str]], first: int
) -> None:
    filters = NARROWEST_FIRST[first:]
    history(journal, **{name: value for name, value, _ in filters})  # type: ignore[arg-type]
    ((step,),) = plans.values()
    assert f"INDEX {filters[0][2]} " in step


def test_details_searches_indexes(journal: Journal, plans: dict[str, list[str]]) -> None:
    details(journal, finished(1)[1].id[:9])
    assert slow_steps(plans) == []


def test_statistics_reads_indexes_only(journal: Journal, plans: dict[str, list[str]]) -> None:
    statistics(journal)
    statistics(journal, since=FIRST_START + timedelta(seconds=1))
    steps = [steps for statement, steps in plans.items() if "executions" in statement]
    assert len(steps) >= 4
    assert {step.split("COVERING INDEX ")[1].split()[0] for each in steps for step in each} == {
        "executions_by_group",
        "executions_by_duration",
    }
    executions = {key: value for key, value in plans.items() if "executions" in key}
    assert slow_steps(executions) == []


def test_patterns_walk_an_index(journal: Journal, plans: dict[str, list[str]]) -> None:
    failure_patterns(journal)
    assert slow_steps(plans) == []


def test_pruning_finds_the_oldest_by_index(journal: Journal, plans: dict[str, list[str]]) -> None:
    prune(journal, FIRST_START + timedelta(seconds=3))
    executions = {key: value for key, value in plans.items() if "DELETE FROM executions" in key}
    assert executions
    assert slow_steps(executions) == []
