"""Findings for people: which come first, each once; failing and flaky tests among them."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from reverie.dreamers.enrich.writing.subject import QUESTION, SuspectedBug
from reverie.model.cycle import Sighting
from reverie.model.history import FailureCluster
from reverie.model.measurements.suite import TestLook
from reverie.model.outcome import IsolationTier
from reverie.model.repository.environment import Discovery, Opinion, opinion_on
from reverie.model.ruling import Evidence
from reverie.scoring.finding_ranks import FindingRank, rank_of, ranked
from reverie.stages.discovery import sighting_of
from reverie.stages.test_health import failing_of, flaky_in, is_flaky, quarantine_of
from reverie.stages.tests import _sighting

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def failures(failed: int, passed: int, flake: float | None) -> FailureCluster:
    return FailureCluster("s", failed, "AssertionError", "assert 1 == 2", ("call",),
                          ("tests/test_a.py::test_f",), NOW, NOW, failed, passed, flake,
                          "pytest tests/test_a.py::test_f")  # fmt: skip


@pytest.mark.parametrize(
    ("details", "rank"),
    [
        ({"kind": "example", "basis": "stated"}, FindingRank.CONTRADICTS_DOCS),
        ({"kind": "contradicts_example"}, FindingRank.CONTRADICTS_DOCS),
        ({"kind": "error", "documented": True}, FindingRank.CRASHES_ON_DOCUMENTED),
        ({"kind": "error"}, FindingRank.CRASHES_ON_ALLOWED),
        ({"kind": "round trip", "basis": "named"}, FindingRank.ODD),
        ({"kind": "look_at"}, FindingRank.ODD),
    ],
)
def test_the_clearer_it_is_wrong_the_earlier_it_is_told(
    details: dict[str, object], rank: FindingRank
) -> None:
    assert rank_of(details) is rank


def test_what_two_searches_saw_alike_is_one_finding() -> None:
    seen = {"function": "f", "actual": "10"}
    odd = Sighting("a", "f: 10", {**seen, "kind": "look_at"})
    clear = Sighting("a", "f(18): 10", {**seen, "kind": "example"})
    other = Sighting("a", "g: 1", {"function": "g", "actual": "1", "kind": "error"})
    assert ranked([odd, other, clear]) == (clear, other)


def test_one_symptom_is_one_finding_whichever_value_shows_it() -> None:
    def seen(actual: str, kind: str) -> Sighting:
        details = {"function": "f", "actual": actual, "kind": kind}
        return Sighting("a", f"f returns {actual}", details)

    six, fifty = seen("-6", "negative_quantity"), seen("-50", "postcondition")
    assert len(ranked([six, fifty, seen("10", "example"), seen("20", "example")])) == 3
    one, two = seen("KeyError: 0x7f01", "error"), seen("KeyError: 0x7f02", "error")
    assert len(ranked([one, two])) == 1


def test_the_id_of_a_symptom_is_the_same_for_every_value() -> None:
    def told(actual: str, kind: str = "negative_quantity") -> Sighting:
        return _sighting(SuspectedBug("a", "f", 3, kind, f"f({actual})", "0", actual, "w", "r"))

    assert told("-6").signature == told("-50").signature
    assert told("-6").names[1] != told("-50").names[1], "what was said of a value stays in force"
    assert told("-6").function == "a:f"
    assert told("1", QUESTION).signature != told("2", QUESTION).signature


def test_a_finding_of_the_search_is_told_by_its_call() -> None:
    def told(given: str, kind: str, actual: str) -> str:
        return _sighting(SuspectedBug("a", "f", 3, kind, given, "0", actual, "w", "r")).title

    assert told("f(6)", "negative_quantity", "-6") == "f(6) returns -6"
    assert told("f('')", "IndexError", "IndexError: none") == "f('') raises IndexError: none"
    assert told(f"f({'x' * 90})", "negative_quantity", "-6") == "f returns -6"
    assert told("a = A(); a.f(2)", "negative_quantity", "-6") == "f returns -6"


def test_what_is_said_of_a_finding_goes_before_what_is_said_of_its_function() -> None:
    finding = Sighting("a", "f fails", {"function": "f"})
    opinions = {"a:f": Opinion.OUT_OF_SCOPE}
    assert opinion_on(finding.names, opinions) is Opinion.OUT_OF_SCOPE
    both = {**opinions, finding.signature: Opinion.BUG}
    assert opinion_on(finding.names, both) is Opinion.BUG
    assert opinion_on(Sighting("a", "g fails", {"function": "g"}).names, both) is None


def test_a_finding_of_the_fuzzer_is_told_by_its_call() -> None:
    found = Discovery("0" * 16, "a:f", "example", "stated", "result = f(18)", "20", "10",
                      "h", "do", "assert f(18) == 20")  # fmt: skip
    told = sighting_of("a", found, is_documented=True)
    assert (told.title, told.signature) == ("f(18): 10", "0" * 16)
    assert told.details["repro"] == "assert f(18) == 20"


def test_only_what_comes_and_goes_is_flaky() -> None:
    assert is_flaky(failures(3, 4, 0.5))
    assert not is_flaky(failures(5, 0, 0.0)), "it always fails"
    assert not is_flaky(failures(1, 9, 0.1)), "a bug that was mended"
    assert not is_flaky(failures(2, 2, None))


def test_a_flaky_test_is_proposed_for_quarantine_with_its_evidence() -> None:
    told = quarantine_of("tests.test_a", "tests/test_a.py::test_f", failures(3, 4, 0.5))
    assert told.title == "tests/test_a.py::test_f is flaky: put it into quarantine"
    assert str(told.details["actual"]).startswith("failed in 3 of 7 runs: AssertionError")
    assert "50%" in told.details["hypothesis"]
    failing = failing_of(
        "m", TestLook("tests/test_a.py::test_g", "failed", "boom", 0, False, False)
    )
    assert (failing.details["actual"], rank_of(failing.details)) == ("boom", 1)


def test_a_test_that_came_and_went_in_a_trial_is_told_as_its_past_would_tell_it() -> None:
    evidence = Evidence({}, 0, IsolationTier.NONE, (), details={"suite.flaky": ("tests/a.py::t",)})
    (told,) = flaky_in(evidence)
    assert told.module == "tests.a"
    assert told.title == "tests/a.py::t is flaky: put it into quarantine"
    assert (
        told.signature == quarantine_of("tests.a", "tests/a.py::t", failures(3, 4, 0.5)).signature
    )
    assert not list(flaky_in(replace(evidence, details={})))


def test_what_two_instruments_see_of_one_call_is_one_behaviour() -> None:
    given = {"function": "f", "actual": "10"}
    one = Sighting("a", "f(18): 10", {**given, "input": "x = 18\nresult = f(18)"})
    other = Sighting("a", "f returns 10", {**given, "input": "f(18)"})
    assert one.signature != other.signature
    assert one.behaviour == other.behaviour
    assert Sighting("a", "b").behaviour != Sighting("a", "c").behaviour
