"""The gate by gains, and the score of runs."""

from datetime import UTC, datetime

import pytest

from reverie.errors import UsageError
from reverie.model.execution import Execution, Usage
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.model.workflow import StepRun, WorkflowRun
from reverie.scoring.roi import gate_by_gains, moving_averages
from reverie.scoring.workflows import score_runs


@pytest.mark.parametrize(
    ("gains", "stable"),
    [
        ([], False),
        ([0.0, 0.0], False),
        ([0.0, 0.0, 0.0], True),
        ([-1.0, -2.0, -3.0], True),
        ([0.0, 0.0, 9.0, 0.0, 0.0], False),
        ([9.0, 0.04, 0.04], False),
        ([0.05, 0.05, 0.05], True),
        ([float(n) for n in range(9)], False),
    ],
)
def test_the_gate_closes_after_three_averages_in_a_row_that_are_too_low(
    gains: list[float], stable: bool
) -> None:
    assert gate_by_gains(gains, 0.05, 3).is_stable is stable


def test_the_average_moves_half_way() -> None:
    assert moving_averages([4.0, 0.0, 2.0]) == [4.0, 2.0, 2.0]


def execution(seconds: float | None, outcome: TestOutcome = TestOutcome.SUCCESS) -> Execution:
    return Execution(
        id="1",
        outcome=outcome,
        error_category=None,
        output=None,
        error=None,
        stdout="",
        stderr="",
        usage=Usage(seconds or 1.0, seconds, 1000),
        isolation=IsolationTier.NONE,
        code_hash="",
        started_at=datetime(2024, 1, 1, tzinfo=UTC),
    )


def run_of(*seconds: float | None, outcome: TestOutcome = TestOutcome.SUCCESS) -> WorkflowRun:
    steps = tuple(StepRun(f"m:f{at}", execution(each, outcome)) for at, each in enumerate(seconds))
    return WorkflowRun(outcome, None, None, None, steps, {}, ())


def test_the_slowest_step_is_the_bottleneck() -> None:
    score = score_runs([run_of(1.0, 3.0)])
    assert score.bottleneck == "m:f1"
    assert [step.time_share for step in score.steps] == [0.25, 0.75]
    assert score.composite == 1.0
    assert score.stability is None


def test_failures_and_unsteadiness_lower_the_composite() -> None:
    steady = score_runs([run_of(1.0), run_of(1.0)])
    shaky = score_runs([run_of(1.0), run_of(3.0)])
    failing = score_runs([run_of(1.0), run_of(1.0, outcome=TestOutcome.RUNTIME_ERROR)])
    assert steady.composite == 1.0
    assert shaky.composite == pytest.approx(1 / 1.5)
    assert failing.composite == failing.success_rate == 0.5


def test_against_a_baseline_one_half_is_as_good() -> None:
    baseline = score_runs([run_of(2.0)])
    assert score_runs([run_of(2.0)], baseline).parts["speed"] == 0.5
    assert score_runs([run_of(1.0)], baseline).parts["speed"] == pytest.approx(2 / 3)


def test_what_was_not_measured_is_absent() -> None:
    score = score_runs([run_of(None)])
    assert score.cpu_seconds is None
    assert score.throughput is None
    with pytest.raises(UsageError, match="never ran"):
        score_runs([])
