from dataclasses import replace
from typing import Any, cast

import pytest

from reverie.instruments.suite.plain import PlainRun
from reverie.model.change import Change, FileEdit
from reverie.model.measurements.suite import CoverageMap, TestEnd, TestLook
from reverie.trials import suites as suites_module
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import MeasuredTree, compare_suites, confirm_failing

PROJECT = SANDBOX = cast(Any, object())

CHANGE = Change((FileEdit("src/shop.py", "a = 1\n", "a = 2\n"),))


def tree(**outcomes: str) -> MeasuredTree:
    looks = (
        TestLook(f"tests/test_a.py::{n}", o, "", 0.0, False, False) for n, o in outcomes.items()
    )
    return MeasuredTree(None, CoverageMap(tuple(looks), {}, {}, 0.0))


def test_cases_that_are_named_by_the_time_are_the_same_cases() -> None:
    before = tree(**{"test_now[12:01]": "passed", "test_now[12:02]": "passed"})
    after = tree(**{"test_now[12:03]": "passed", "test_now[12:04]": "passed"})
    found = compare_suites(before, after, CHANGE)
    assert (found.lost, found.new, found.newly_failing) == ((), (), ())


def test_a_case_that_fails_under_another_name_fails() -> None:
    before, after = tree(**{"test_now[12:01]": "passed"}), tree(**{"test_now[12:03]": "failed"})
    assert compare_suites(before, after, CHANGE).newly_failing == (
        "tests/test_a.py::test_now[12:01]",
    )


def test_fewer_cases_are_lost_cases() -> None:
    before = tree(**{"test_now[12:01]": "passed", "test_now[12:02]": "passed"})
    after = tree(**{"test_now[12:03]": "passed"})
    assert len(compare_suites(before, after, CHANGE).lost) == 2


def test_files_of_tests_are_those_that_tests_come_from() -> None:
    names = (
        "shop/checks.py::test_a",
        "shop/more.py::TestB::test_b[1.5]",
        "src/shop.py::shop.total",
    )
    looks = tuple(TestLook(name, "passed", "", 0.0, False, False) for name in names)
    found = MeasuredTree(None, CoverageMap(looks, {}, {}, 0.0)).test_files
    assert found == {"shop/checks.py", "shop/more.py"}


class Turns:
    """Plain runs that end as they are told, before and after a change in turn."""

    def __init__(self, *turns: str) -> None:
        self.turns = iter(turns)

    def __call__(self, sandbox: object, project: object, *rest: object) -> PlainRun:
        ends = next(self.turns, "++")
        names = ("test_a", "test_b")
        read = {"+": TestEnd.PASSED, "-": TestEnd.FAILED, "?": TestEnd.MISSING}
        return PlainRun({("tests.test_a", n): read[e] for n, e in zip(names, ends, strict=True)})


@pytest.mark.parametrize(
    ("turns", "failing", "wavering"),
    [
        (("++", "-+") * 3, ["test_a"], ["test_b"]),
        (("-+", "-+", "++", "-+", "++", "-+"), [], ["test_b"]),  # it failed before as well
        (("++", "--", "++", "+-", "++", "--"), ["test_b"], ["test_a"]),
        (("??", "--") * 3, ["test_a", "test_b"], []),  # under another name before
    ],
)
def test_a_test_that_fails_now_is_looked_at_again(
    turns: tuple[str, ...],
    failing: list[str],
    wavering: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(suites_module, "run_plainly", Turns(*turns))
    before = replace(tree(test_a="passed", test_b="passed"), project=PROJECT)
    after = replace(tree(test_a="failed", test_b="failed"), project=PROJECT)
    suites = compare_suites(before, after, CHANGE)
    suites = replace(suites, newly_failing=(*suites.newly_failing, "tests/test_gone.py"))
    found = confirm_failing(suites, before, after, SANDBOX, TrialPlan())
    names = [f"tests/test_a.py::{name}" for name in failing]
    assert list(found.newly_failing) == [*names, "tests/test_gone.py"]
    assert list(found.wavering) == [f"tests/test_a.py::{name}" for name in wavering]


@pytest.mark.parametrize(
    ("more", "flaky", "wavering"),
    [
        (["++"] * 4 + ["+-"], ["test_b"], []),
        (["++"] * 9, [], ["test_b"]),
    ],
)
def test_a_test_that_comes_and_goes_without_the_change_as_well_is_flaky(
    more: list[str], flaky: list[str], wavering: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(suites_module, "run_plainly", Turns("++", "--", *["++"] * 4, *more))
    before = replace(tree(test_b="passed"), project=PROJECT)
    after = replace(tree(test_b="failed"), project=PROJECT)
    suites = compare_suites(before, after, CHANGE)
    found = confirm_failing(suites, before, after, SANDBOX, TrialPlan())
    assert list(found.flaky) == [f"tests/test_a.py::{name}" for name in flaky]
    assert list(found.wavering) == [f"tests/test_a.py::{name}" for name in wavering]


def test_a_test_that_fails_now_is_named_with_what_it_says() -> None:
    before = tree(test_a="passed")
    look = TestLook("tests/test_a.py::test_a", "failed", "assert 2\n  == 3", 0.0, False, False)
    after = MeasuredTree(None, CoverageMap((look,), {}, {}, 0.0, broken=(("tests/b.py", "no b"),)))
    found = compare_suites(before, after, CHANGE)
    assert found.newly_failing == ("tests/test_a.py::test_a", "tests/b.py")
    assert found.with_reasons(found.newly_failing) == (
        "tests/test_a.py::test_a (assert 2 == 3)",
        "tests/b.py (no b)",
    )
