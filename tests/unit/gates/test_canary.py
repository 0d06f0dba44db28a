from reverie.gates.governance import regression
from reverie.model.measurements.equivalence import CanaryFigures, CanaryPlan

FINE = CanaryFigures(1000, 500, 0, 0, 1.0, 1.1, 2.0, 2.1, 0.6)
PLAN = CanaryPlan()


def figures(**changes: float) -> CanaryFigures:
    from dataclasses import replace

    return replace(FINE, **changes)


def test_a_new_version_that_is_as_good_goes_on() -> None:
    assert regression(FINE, PLAN) is None
    assert regression(CanaryFigures(), PLAN) is None


def test_one_error_or_difference_is_enough() -> None:
    assert (regression(figures(new_errors=1), PLAN) or "").startswith("new_error")
    assert (regression(figures(differences=1), PLAN) or "").startswith("difference")


def test_slowness_needs_median_tail_and_most_calls() -> None:
    slow = {"p50_new_ms": 2.0, "p95_new_ms": 4.0, "slower_share": 0.9}
    assert (regression(figures(**slow), PLAN) or "").startswith("latency")
    assert regression(figures(**{**slow, "slower_share": 0.5}), PLAN) is None
    assert regression(figures(**{**slow, "p95_new_ms": 2.1}), PLAN) is None
    assert regression(figures(**{**slow, "p50_new_ms": 1.0}), PLAN) is None
    assert regression(figures(**slow, compared=20), PLAN) is None
