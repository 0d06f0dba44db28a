"""Tests that nobody would want are refused where Reverie wrote them, and only there."""

from dataclasses import replace

from reverie.gates.proof import KeepingGate
from reverie.model.ruling import Answer, Ruling
from reverie.model.settings.judgement import GuardSection

from .matters import proven

POOR = proven(
    {"tests.unkeepable": 2.0, "tests.keepability": 0.1},
    {"tests.unkeepable": ("tests/test_a.py::test_one", "tests/test_a.py::test_two")},
    section=GuardSection(keepability=0.4),
)
GOOD = proven({"tests.unkeepable": 0.0, "tests.keepability": 0.7})


def test_a_test_below_the_bar_that_was_written_here_is_refused_by_name() -> None:
    said = "tests that a maintainer would hardly keep as they are: "
    said += "tests/test_a.py::test_one, tests/test_a.py::test_two"
    expected = Ruling("keeping", Answer.FAIL, "unkeepable_test", said, 0.1, 0.4)
    assert KeepingGate().judge(replace(POOR, is_own=True)) == (expected,)


def test_how_the_test_of_a_person_looks_is_no_reason_to_refuse_it() -> None:
    (ruling,) = KeepingGate().judge(POOR)
    assert ruling.verdict is Answer.PASS
    assert ruling.reason == "not written here: how a test looks is no reason to refuse it"


def test_tests_above_the_bar_pass_wherever_they_were_written() -> None:
    for is_own in (True, False):
        (ruling,) = KeepingGate().judge(replace(GOOD, is_own=is_own))
        assert ruling.verdict is Answer.PASS


def test_what_nobody_scored_is_held() -> None:
    for is_own in (True, False):
        (ruling,) = KeepingGate().judge(replace(proven({}), is_own=is_own))
        assert (ruling.verdict, ruling.reason_code) == (Answer.HOLD, "not_measured")
