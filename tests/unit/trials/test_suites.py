from reverie.model.change import Change, FileEdit
from reverie.model.mutation import CoverageMap, TestLook
from reverie.trials.suites import MeasuredTree, compare_suites

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
