from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from reverie.dreamers.procedures.variant import CONSTRAINTS
from reverie.learning.tightening import (
    FLOOR,
    IMPROVEMENTS,
    gather_failures,
    improvement_for,
    lowest_shares,
    tighten,
)
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.model.procedure import FailureShare, ProcedureTest
from reverie.testing.cycles import procedure

NOW = datetime(2026, 3, 4, tzinfo=UTC)
ZERO = FailureShare("aa", ErrorCategory.RUNTIME, "ZeroDivisionError: division by zero", 3)


def _test(dream_id: int, *met: FailureShare, hours: int = 0) -> ProcedureTest:
    outcome = TestOutcome.RUNTIME_ERROR if met else TestOutcome.SUCCESS
    moment = NOW + timedelta(hours=hours)
    return ProcedureTest(dream_id, moment, outcome, 5, 2, failures=met, id=dream_id)


def _dreams(count: int, dreamer: str = "parameters/integer"):
    return {number: procedure(number, id=number, dreamer=dreamer) for number in range(1, count + 1)}


def test_failures_are_counted_by_dream_and_rule_over_the_last_tests() -> None:
    tests = [_test(1, ZERO), _test(2, ZERO), _test(2, hours=1), _test(3, ZERO)]
    (found,) = gather_failures(tests, _dreams(3))
    assert found.dreams == (1, 3)
    assert (found.frequency, found.inputs) == (2, 6)
    assert found.by_rule == {"parameters/integer": 2}
    assert improvement_for(found).constraint == "no_zero"


@pytest.mark.parametrize("category", ErrorCategory)
def test_every_category_has_a_suggestion_for_every_rule(category: ErrorCategory) -> None:
    met = FailureShare("bb", category, "words that nobody thought of", 1)
    for rule in ("parameters/text", "relaxing/guard", "conditions/retry", "synthesis/fallback", ""):
        (found,) = gather_failures([_test(1, met)], _dreams(1, rule))
        assert improvement_for(found).suggestion


def test_every_constraint_that_is_suggested_exists() -> None:
    assert {each.constraint for each in IMPROVEMENTS if each.constraint} <= CONSTRAINTS.keys()


def test_what_fails_again_and_again_is_lowered_and_constrained() -> None:
    failures = gather_failures([_test(number, ZERO) for number in range(1, 6)], _dreams(5))
    records = {"parameters/integer": (1, 6), "relaxing/skip": (6, 6), "conditions/none": (0, 3)}
    (found,) = tighten(records, failures, [], NOW)
    assert (found.dreamer, found.constraint) == ("parameters/integer", "no_zero")
    assert found.share == pytest.approx(0.36)
    assert found.evidence["signature"] == "aa"
    assert tighten(records, failures, [found], NOW) == []


def test_a_share_is_never_below_the_floor() -> None:
    (found,) = tighten({"relaxing/reorder": (0, 1000)}, [], [], NOW)
    assert found.share == FLOOR
    lower = replace(found, share=0.01)
    assert lowest_shares([found, lower]) == {"relaxing/reorder": FLOOR}


def test_what_was_lifted_stays_lifted_until_more_was_tested() -> None:
    records = {"relaxing/reorder": (0, 6)}
    (found,) = tighten(records, [], [], NOW)
    lifted = replace(found, lifted_at=NOW)
    assert tighten(records, [], [lifted], NOW) == []
    assert tighten({"relaxing/reorder": (0, 9)}, [], [lifted], NOW) == []
    assert len(tighten({"relaxing/reorder": (0, 10)}, [], [lifted], NOW)) == 1


def test_few_tests_and_single_failures_tighten_nothing() -> None:
    failures = gather_failures([_test(1, ZERO)], _dreams(1))
    assert tighten({"parameters/integer": (0, 3)}, failures, [], NOW) == []
    (found,) = tighten({"parameters/integer": (0, 4)}, failures, [], NOW)
    assert found.constraint == ""
