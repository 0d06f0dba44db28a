from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from reverie.learning.failure_events import cluster, flake_score
from reverie.model.history import FailureEvent, TestRun

START = datetime(2025, 1, 1, tzinfo=UTC)


def event(
    signature: str, minute: int, *, test: str = "t", run: str | None = None, phase: str = "call"
) -> FailureEvent:
    return FailureEvent(
        seen_at=START + timedelta(minutes=minute),
        test_id=test,
        error_class=f"E{minute}",
        message=f"at {minute}",
        signature=signature,
        repro_cmd=f"pytest {test}",
        phase=phase,
        run=run,
    )


def passed(run: str, minute: int, *tests: str) -> TestRun:
    return TestRun(run, START + timedelta(minutes=minute), frozenset(tests))


def test_events_of_one_signature_come_together() -> None:
    (one,) = cluster([event("a", 3, test="x"), event("a", 1, test="y", phase="setup")], ())
    assert (one.count, one.tests, one.phases) == (2, ("x", "y"), ("call", "setup"))
    assert (one.first_seen.minute, one.last_seen.minute) == (1, 3)
    assert (one.error_class, one.message, one.repro_cmd) == ("E3", "at 3", "pytest x")


def test_the_most_frequent_comes_first_and_among_equals_the_latest() -> None:
    events = [event("rare", 9), event("old", 1), event("old", 2), event("new", 3), event("new", 4)]
    assert [each.signature for each in cluster(events, ())] == ["new", "old", "rare"]


@pytest.mark.parametrize(
    ("outcomes", "score"),
    [
        ([], None),
        ([False], None),
        ([False] * 5, 0.0),
        ([False, True] * 3, 1.0),
        ([False] * 5 + [True] * 5, 1 / 9),
        ([False, False, True], 0.5),
    ],
)
def test_the_flake_score_is_the_share_of_changes(
    outcomes: Sequence[bool], score: float | None
) -> None:
    assert flake_score(outcomes) == score


def test_passes_between_failures_make_it_flaky() -> None:
    events = [event("a", 0, run="r0"), event("a", 20, run="r2"), event("a", 21, run="r2")]
    runs = (passed("r1", 10, "t"), passed("r2", 22), passed("r3", 30, "other"))
    (one,) = cluster(events, runs)
    assert (one.runs_failed, one.runs_passed, one.flake_score) == (2, 1, 1.0)


def test_a_run_in_which_it_failed_is_no_pass_though_another_test_passed() -> None:
    events = [event("a", 0, test="x", run="r0"), event("a", 10, test="y", run="r1")]
    (one,) = cluster(events, (passed("r1", 11, "x"),))
    assert (one.runs_failed, one.runs_passed, one.flake_score) == (2, 0, 0.0)


def test_events_that_name_no_run_have_no_score() -> None:
    (one,) = cluster([event("a", 0), event("a", 5, run="r")], (passed("p", 3, "t"),))
    assert one.flake_score is None
