"""Suggestions: every word of the evidence, the command to run, and what the worth is made of."""

from dataclasses import replace
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import cast

import pytest

from reverie.model.measurements.benchmark import Estimate, HotCallable, Regression
from reverie.model.repository.candidate import Candidate, CountedTouch, FileCoverage, ModuleHistory
from reverie.model.repository.code import Function
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Severity, Suggestion, SuggestionKind
from reverie.scoring.suggestions import (
    Known,
    Tally,
    suggest_mending,
    suggest_optimisation,
    suggest_refactoring,
    suggest_review,
    suggest_test,
)

SECTION = RoiSection()
PLAIN = Known(SECTION)
TOUCHES = (
    CountedTouch("1", "a", 1.0, 1.0, True, False),
    CountedTouch("2", "a", 1.0, 1.0, False, True),
    CountedTouch("3", "a", 1.0, 1.0, False, False),
)
PAST = Known(SECTION, {"src/a.py": ModuleHistory(TOUCHES)}, {"src/a.py": 0.5})
SAID = "3 commits, 2 of them fixes or reverts"
HOT = HotCallable("src/a.py", "f", 7, 1.5, 2.25)


def candidate(
    missing: int, executed: int, covered: int | None = None, total: int | None = None
) -> Candidate:
    lines = FileCoverage(
        frozenset(range(100, 100 + executed)), frozenset(range(missing)), covered, total
    )
    made = SimpleNamespace(module="shop.a", path="src/a.py", coverage=lines)
    return cast(Candidate, made)


def told(found: Suggestion | None) -> tuple[object, ...]:
    assert found is not None
    return found.kind, found.target, found.title, found.evidence, found.command


@pytest.mark.parametrize(
    ("tried", "promoted", "chance"), [(0, 0, 0.5), (1, 1, 2 / 3), (8, 0, 0.1), (8, 8, 0.9)]
)
def test_the_chance_starts_at_one_in_two(tried: int, promoted: int, chance: float) -> None:
    assert Tally(tried, promoted).chance == pytest.approx(chance)
    assert Tally() == Tally(0, 0)


def test_the_risk_of_a_file_is_its_past_and_who_imports_it() -> None:
    risk = PAST.risk_of("src/a.py")
    assert (risk.rolled_back, risk.kept) == (2, 1)
    other = PAST.risk_of("src/b.py")
    assert (other.rolled_back, other.kept) == (0, 0)
    assert (risk.severity, other.severity) == (Severity.CRITICAL, Severity.LOW)


def test_what_no_test_runs_is_told_in_lines_and_branches() -> None:
    found = suggest_test(PAST, candidate(3, 5, 1, 4))
    assert told(found) == (
        SuggestionKind.TEST, "src/a.py", "Test shop.a",
        ("3 of 8 lines are run by no test", "3 of 4 branches are not taken", SAID),
        "reverie enrich shop.a",
    )  # fmt: skip
    assert found is not None
    assert found.roi is not None
    assert found.roi.benefit[0].quantity == 3
    assert found.roi.kept_probability == 0.5
    assert found.roi.cost_points == pytest.approx(12 * SECTION.reviewed_line)
    assert found.chance == 0.5
    assert found.raroi == (None if found.risk is None else found.risk.points)


def test_without_branches_a_test_has_no_worth_yet() -> None:
    for measured in ((None, None), (1, None), (None, 4)):
        found = suggest_test(PLAIN, candidate(3, 5, *measured))
        assert told(found)[3] == ("3 of 8 lines are run by no test",)
        assert found is not None
        assert (found.roi, found.risk, found.raroi, found.chance) == (None, None, None, 0.5)


def test_a_module_that_tests_run_whole_needs_none() -> None:
    assert suggest_test(PLAIN, candidate(0, 5)) is None
    assert suggest_test(PLAIN, candidate(0, 5, 4, 4)) is None
    unmeasured = cast(Candidate, SimpleNamespace(module="a", path="a.py", coverage=None))
    assert suggest_test(PLAIN, unmeasured) is None
    branch = suggest_test(PLAIN, candidate(0, 5, 3, 4))
    assert told(branch)[3] == ("0 of 5 lines are run by no test", "1 of 4 branches are not taken")


def function(complexity: int) -> Function:
    return Function("f", "C.f", 1, 20, (), None, (), None, False, False, complexity, 5, 12)


def test_a_function_worth_simplifying_is_told_with_its_figures() -> None:
    found = suggest_refactoring(PAST, "src/a.py", function(11))
    assert told(found) == (
        SuggestionKind.REFACTOR, "src/a.py:C.f", "Simplify C.f",
        ("complexity 11, cognitive 5, 12 lines", SAID), "reverie refactor src/a.py:C.f",
    )  # fmt: skip
    assert found is not None
    assert found.roi is not None
    assert found.roi.value == pytest.approx(SECTION.clarity)
    assert found.roi.cost_points == pytest.approx(12 * SECTION.reviewed_line)
    assert suggest_refactoring(PAST, "src/a.py", function(10)) is None


def test_a_function_worth_speeding_up_is_told_with_its_cost() -> None:
    found = suggest_optimisation(PAST, "src/a.py", "f", ("heap", "set"), HOT)
    assert told(found) == (
        SuggestionKind.OPTIMISE, "src/a.py:f", "Speed up f",
        ("1.500 s of its own in 7 calls of one run of the suite",
         "rewrites that fit: heap, set", SAID),
        "reverie optimise src/a.py:f",
    )  # fmt: skip
    assert found.roi is not None
    assert found.roi.cost_points == pytest.approx(
        max(8 * SECTION.reviewed_line, SECTION.least_review)
    )
    assert [part.name for part in found.roi.benefit] == ["speed.doublings"], "no profile was made"
    cold = suggest_optimisation(PLAIN, "src/a.py", "f", ("heap",), None)
    assert (cold.evidence, cold.roi, cold.chance) == (("rewrites that fit: heap",), None, 0.5)


REGRESSION = Regression(
    "src/a.py:f", datetime(2026, 1, 1, tzinfo=UTC), "b" * 40, "h" * 40, Estimate(2.0, 1.5, 3.0),
    "c" * 40, "Oops", ("c",), 3,
)  # fmt: skip


def test_a_regression_is_told_with_its_interval_and_commit() -> None:
    found = suggest_mending(PLAIN, REGRESSION, HOT)
    assert told(found) == (
        SuggestionKind.REGRESSION, "src/a.py:f", "Mend f, which got slower",
        ("2.00x [1.50, 3.00] the time since cccccccc (Oops)", "3 commits were timed to find it",
         "2.250 s in one run of the suite"),
        f"git show {'c' * 40}",
    )  # fmt: skip
    unknown = suggest_mending(PLAIN, replace(REGRESSION, commit=None), None)
    assert unknown.evidence == (
        "2.00x [1.50, 3.00] the time since bbbbbbbb",
        "3 commits were timed to find it",
    )
    assert unknown.command == "reverie track src/a.py:f"
    assert (unknown.roi, unknown.chance) == (None, 0.5)


def test_the_risk_of_a_regression_is_that_of_its_file() -> None:
    risky = suggest_mending(PAST, REGRESSION, HOT)
    assert (risky.raroi or 0) < (suggest_mending(PLAIN, REGRESSION, HOT).raroi or 0)


def test_a_dream_that_waits_is_told_with_how_to_approve_it() -> None:
    found = suggest_review("d" * 16, "Test the cart", "borderline", 4.5)
    assert told(found) == (
        SuggestionKind.REVIEW, "d" * 16, "Test the cart", ("tried: borderline",),
        f"reverie approve {'d' * 12} --as NAME --key FILE",
    )  # fmt: skip
    assert (found.roi, found.risk, found.chance, found.raroi) == (None, None, None, 4.5)


@pytest.mark.parametrize("kind", [SuggestionKind.TEST, SuggestionKind.REFACTOR])
def test_each_kind_has_a_chance_of_its_own(kind: SuggestionKind) -> None:
    known = Known(SECTION, tallies={kind: Tally(8, 8)})
    chances = {
        SuggestionKind.TEST: suggest_test(known, candidate(3, 5, 1, 4)),
        SuggestionKind.REFACTOR: suggest_refactoring(known, "src/a.py", function(30)),
    }
    for each, found in chances.items():
        assert found is not None
        assert found.chance == pytest.approx(0.9 if each is kind else 0.5)


def test_a_file_without_commits_has_no_past() -> None:
    empty = Known(SECTION, {"src/a.py": ModuleHistory(())})
    found = suggest_optimisation(empty, "src/a.py", "f", ("heap",), None)
    assert found.evidence == ("rewrites that fit: heap",)
