"""Claims of the sandbox are read with suspicion; a finding is no dream."""

import dataclasses
import runpy
import sys
from pathlib import Path

import pytest

from reverie.dreamers.enrich.target import find_target
from reverie.dreamers.fuzz.claims.laws import promises_of
from reverie.dreamers.fuzz.claims.subjects import read_module
from reverie.dreamers.fuzz.findings import Told, discovery_of_law, is_believable
from reverie.dreamers.fuzz.law import Basis, Law, LawKind
from reverie.model.repository.environment import Discovery, Fuzzed, Opinion

BUGGY = '''def total(values: list[int]) -> int:
    """Sum, never negative."""
    return sum(values)
'''


def told(**changes: object) -> Told:
    claim = {"law": 0, "arguments": [["values", "[-1]"]], "actual": "-1", "held": 30, "failed": 3}
    made = Told.read({**claim, **changes})
    assert made is not None
    return made


@pytest.mark.parametrize(
    "claim",
    [
        None,
        {"arguments": [["x", "import os"]]},
        {"arguments": [["x", "1; 2"]]},
        {"lines": ["while True: pass"]},
        {"asked": "def f(): pass"},
    ],
)
def test_a_claim_that_is_no_expression_is_nothing(claim: object) -> None:
    assert Told.read(claim) is None


def test_a_guess_that_most_inputs_break_was_none() -> None:
    law = Law(LawKind.IDEMPOTENCE, "f", "", "True", basis=Basis.NAMED)
    assert is_believable(told(held=90, failed=10), [law])
    assert not is_believable(told(held=40, failed=60), [law])
    assert not is_believable(told(held=2, failed=1), [law])


@pytest.fixture
def found(tmp_path: Path) -> Discovery:
    path = tmp_path / "sums.py"
    path.write_text(BUGGY)
    reading = read_module(BUGGY, "sums")
    laws = promises_of("total", reading).laws
    number = next(place for place, law in enumerate(laws) if law.check == "result >= 0")
    made = discovery_of_law(told(law=number), laws, find_target(str(path), None, None), reading)
    assert made is not None
    return made


def test_the_script_fails_while_the_finding_is_true(
    found: Discovery, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["repro.py"])
    script = tmp_path / "repro.py"
    script.write_text(found.repro)
    with pytest.raises(AssertionError):
        runpy.run_path(str(script), run_name="__main__")


def test_a_finding_holds_no_change_that_could_be_promoted(found: Discovery) -> None:
    assert "change" not in {each.name for each in dataclasses.fields(found)}
    assert len(found.signature) == 16


def test_what_is_meant_is_not_reported_again(found: Discovery) -> None:
    fuzzed = Fuzzed("f", ("f",), 1, (found,), 0.1)
    again = fuzzed.respecting({found.signature: Opinion.FEATURE})
    assert again.findings == ()
    assert [each.opinion for each in again.settled] == [Opinion.FEATURE]
    assert fuzzed.respecting({found.signature: Opinion.BUG}).findings[0].opinion is Opinion.BUG


def test_a_law_of_two_functions_shows_the_call_with_its_values(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = (
        "def quote(text: str) -> str:\n    return text.lower()\n\n\n"
        'def unquote(string: str) -> str:\n    """The inverse of quote."""\n    return string\n'
    )
    path = tmp_path / "quoting.py"
    path.write_text(source)
    reading = read_module(source, "quoting")
    laws = promises_of("unquote", reading).laws
    number = next(at for at, law in enumerate(laws) if law.kind is LawKind.ROUND_TRIP)
    claim = told(law=number, arguments=[["text", "'A'"]], actual="'a'")
    made = discovery_of_law(claim, laws, find_target(str(path), None, None), reading)
    assert made is not None
    assert made.input == "unquote(quote('A'))"
    # A text is compared by `==`: the reader of the script is spared the engine's own comparison.
    assert "assert result == text" in made.repro
    assert "def same" not in made.repro
    again = tmp_path / "again.py"
    again.write_text(made.repro)
    monkeypatch.setattr("sys.argv", ["again.py", str(tmp_path)])
    monkeypatch.setattr("sys.path", list(sys.path))
    with pytest.raises(AssertionError):
        runpy.run_path(str(again))["main"]()
