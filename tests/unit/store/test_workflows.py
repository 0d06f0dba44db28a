"""Workflows in the journal: versions, runs, what evolving them came to."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.errors import UsageError
from reverie.model.execution import Execution, Usage
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.model.workflow import Step, StepRun, Workflow, WorkflowOrigin, WorkflowRun
from reverie.model.workflow_evolution import EvolutionStatus, PastEvolution
from reverie.store import Journal, WorkflowDB

FLOW = Workflow("flow", (Step("m:f"), Step("m:g", {"n": 1}, each=True)), params={"x": [1]})


@pytest.fixture
def database(any_url: str, tmp_path: Path) -> Iterator[WorkflowDB]:
    with Journal.open(any_url) as journal:
        yield WorkflowDB(journal, tmp_path)


def test_a_workflow_reads_back_and_the_same_is_no_new_version(database: WorkflowDB) -> None:
    assert database.save(FLOW).version == 1
    assert database.save(replace(FLOW, source="elsewhere")).version == 1
    assert [each.workflow for each in database.current()] == [FLOW]


def test_a_change_is_a_new_version_and_the_newest_holds(database: WorkflowDB) -> None:
    database.save(FLOW)
    better = replace(FLOW, steps=FLOW.steps[:1], origin=WorkflowOrigin.EVOLVED)
    assert database.save(better, FLOW.digest).version == 2
    (current,) = database.current()
    assert (current.workflow, current.version, current.parent) == (better, 2, FLOW.digest)
    assert [each.version for each in database.versions("flow")] == [1, 2]


def test_a_merged_workflow_says_where_it_went(database: WorkflowDB) -> None:
    database.save(FLOW)
    database.mark_merged("flow", "other")
    assert database.current()[0].merged_into == "other"
    with pytest.raises(UsageError, match="no workflow 'gone' is kept"):
        database.mark_merged("gone", "other")


def test_repositories_do_not_see_each_other(database: WorkflowDB, tmp_path: Path) -> None:
    database.save(FLOW)
    assert WorkflowDB(database.journal, tmp_path / "other").current() == []


def test_runs_are_kept_newest_first(database: WorkflowDB) -> None:
    for seconds in (1.0, 2.0):
        database.record_run(FLOW, run_of(seconds))
    first, second = database.runs("flow")
    assert (first["cpu_seconds"], second["cpu_seconds"]) == (2.0, 1.0)
    assert first["steps"][0]["name"] == "m:f"
    assert first["digest"] == FLOW.digest


def test_attempts_are_kept_in_order(database: WorkflowDB) -> None:
    made = [
        PastEvolution(EvolutionStatus.PROMOTED, 1.5, "aa"),
        PastEvolution(EvolutionStatus.UNCHANGED, 0.0, "bb"),
    ]
    for each in made:
        database.record_evolution("flow", each, {"variants": []})
    assert database.evolutions("flow") == made


def run_of(seconds: float) -> WorkflowRun:
    execution = Execution(
        id="1",
        outcome=TestOutcome.SUCCESS,
        error_category=None,
        output=None,
        error=None,
        stdout="",
        stderr="",
        usage=Usage(seconds, seconds, 1000),
        isolation=IsolationTier.NONE,
        code_hash="",
        started_at=datetime(2024, 1, 1, tzinfo=UTC),
    )
    return WorkflowRun(TestOutcome.SUCCESS, None, None, None, (StepRun("m:f", execution),), {}, ())
