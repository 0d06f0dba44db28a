import math
from datetime import UTC, datetime

import pytest

from reverie.model.measurements.benchmark import Estimate, HotCallable, Regression
from reverie.model.repository.candidate import CountedTouch, ModuleHistory
from reverie.model.repository.code import Function
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Suggestion, SuggestionKind
from reverie.scoring.suggestions import (
    Known,
    Tally,
    suggest_mending,
    suggest_optimisation,
    suggest_refactoring,
    suggest_review,
)

KNOWN = Known(RoiSection())


def function(complexity: int) -> Function:
    return Function("f", "f", 1, 20, (), None, (), None, False, False, complexity, complexity, 20)


def hot(seconds: float) -> HotCallable:
    return HotCallable("a.py", "f", 10, seconds, seconds)


def test_a_function_that_decides_little_is_left_alone() -> None:
    assert suggest_refactoring(KNOWN, "a.py", function(10)) is None


def test_the_worth_of_simplifying_is_points_times_chance_less_review() -> None:
    found = suggest_refactoring(KNOWN, "a.py", function(30))
    assert found is not None
    assert found.roi is not None
    assert found.roi.kept_probability == 0.5
    assert found.roi.benefit[0].quantity == 20
    assert found.roi.cost_points == pytest.approx(20 * RoiSection().reviewed_line)
    assert found.raroi == pytest.approx(found.roi.points * (1 - 0.1 * 0.1))


def test_success_in_the_past_makes_a_suggestion_worth_more() -> None:
    better = Known(RoiSection(), tallies={SuggestionKind.REFACTOR: Tally(10, 9)})
    worths = [
        found.raroi
        for known in (KNOWN, better)
        if (found := suggest_refactoring(known, "a.py", function(30))) is not None
    ]
    assert worths[0] is not None
    assert worths[1] is not None
    assert worths[1] > worths[0]


def test_fixes_in_the_past_of_a_file_make_it_worth_less() -> None:
    touches = tuple(CountedTouch(str(n), "a", 1.0, 1.0, True, False) for n in range(20))
    risky = Known(RoiSection(), {"a.py": ModuleHistory(touches)}, {"a.py": 0.9})
    safe, unsafe = (suggest_refactoring(each, "a.py", function(30)) for each in (KNOWN, risky))
    assert safe is not None
    assert unsafe is not None
    assert (unsafe.raroi or 0) < (safe.raroi or 0)
    assert "20 commits, 20 of them fixes or reverts" in unsafe.evidence


def test_what_nobody_measured_has_no_worth() -> None:
    found = suggest_optimisation(KNOWN, "a.py", "f", ("list_to_set",), None)
    assert found.raroi is None
    assert found.roi is None


def test_the_hotter_the_more_it_is_worth() -> None:
    known = Known(RoiSection(), profile_seconds=100.0)
    found = [suggest_optimisation(known, "a.py", "f", ("heap",), hot(n)) for n in (1.0, 60.0)]
    assert (found[0].raroi or 0) < (found[1].raroi or 0)


def test_a_regression_names_its_commit_and_counts_its_least_slowdown() -> None:
    slow = Estimate(2.0, 1.5, 3.0)
    regression = Regression(
        "a.py:f", datetime(2026, 1, 1, tzinfo=UTC), "base", "head", slow, "abc", "Oops", ("abc",), 3
    )
    known = Known(RoiSection(), profile_seconds=100.0)
    found = suggest_mending(known, regression, hot(60.0))
    assert found.command == "git show abc"
    assert "since abc (Oops)" in found.evidence[0]
    assert found.roi is not None
    parts = {part.name: part.quantity for part in found.roi.benefit}
    assert parts == {
        "speed.doublings": pytest.approx(math.log2(1.5)),
        "speed.profile_share": pytest.approx(0.6 * (1 - 1 / 1.5)),
    }


def test_the_most_worth_comes_first_and_the_unknown_last() -> None:
    def review(dream: str, worth: float | None) -> Suggestion:
        return suggest_review(dream, "Test m", "promote", worth)

    found = sorted(
        (review("c", None), review("a", 1.0), review("b", 5.0)), key=lambda each: each.rank
    )
    assert [each.target for each in found] == ["b", "a", "c"]
