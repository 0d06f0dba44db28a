"""Findings for people: which come first, each once; failing and flaky tests among them."""

from datetime import UTC, datetime

import pytest

from reverie.model.cycle import Sighting
from reverie.model.history import FailureCluster
from reverie.model.measurements.suite import TestLook
from reverie.model.repository.environment import Discovery
from reverie.scoring.finding_ranks import FindingRank, rank_of, ranked
from reverie.stages.discovery import sighting_of
from reverie.stages.test_health import failing_of, is_flaky, quarantine_of

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
