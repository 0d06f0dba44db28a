"""The torture project, again and again: one run is like the other."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

ALONE = ("-p", "no:xdist")
WAYS = (
    ALONE,
    (*ALONE, "-p", "no:terminalprogress"),
    (*ALONE, "--tb=short"),
    ("-n", "2"),
    (*ALONE, "--reverie-order=random"),
    *[ALONE] * 5,
)


def test_ten_runs_have_the_same_outcomes_and_the_same_signatures(
    project: Path, run_pytest: Callable[..., Any], plugins: tuple[str, ...]
) -> None:
    seen = []
    for number, way in enumerate(WAYS):
        shutil.rmtree(project / "reports", ignore_errors=True)
        given = "0" if number else None  # one of the runs restarts for it
        line = ("-q", "-rA", "--tb=no", *way)
        seen.append(run_pytest(project, *line, beside=plugins, PYTHONHASHSEED=given))
    assert len(seen) == 10
    first = seen[0]
    assert first.code == 1, first.err
    assert len(first.outcomes) > 60
    for other in seen[1:]:
        assert other.outcomes == first.outcomes
        assert other.signatures == first.signatures
    check_clock_and_network({test: outcome for outcome, test in first.outcomes})
    check_phases({(each["test_id"].split("::")[-1], each["phase"]) for each in first.events})


def check_clock_and_network(outcomes: dict[str, str]) -> None:
    """All passed, but for the three that fail to be told."""
    for test, outcome in outcomes.items():
        if test.startswith(("test_clock", "test_network")):
            is_told = test.endswith(("_hang", "_shows_the_time", "_told"))
            assert outcome == ("FAILED" if is_told else "PASSED"), test


def check_phases(phases: set[tuple[str, str]]) -> None:
    """Every kind of failure is an event, and nothing else is."""
    assert phases >= {
        ("test_setup_fails", "setup"),
        ("test_teardown_fails", "teardown"),
        ("test_call_and_teardown_fail", "call"),
        ("test_call_and_teardown_fail", "teardown"),
        ("test_no_such_fixture", "setup"),
        ("test_passes_though_it_should_not", "call"),
        ("test_fails", "call"),
        ("test_coroutine_fails", "call"),
        ("test_phases.documented", "call"),
        ("test_phases.documented_error", "call"),
        ("test_cannot_be_imported.py", "collect"),
        ("test_is_no_python.py", "collect"),
    }
    named = {name for name, _ in phases}
    assert not named & {"test_fails_as_expected", "test_skipped", "test_passes"}
