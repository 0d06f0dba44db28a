"""Tests are dreamt up for what the suite of a repository leaves open, and for nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.bootstrap import open_index
from reverie.model.cycle import CycleBudget
from reverie.model.sections import SafetySection, SandboxSection
from reverie.model.settings.everyday import IndexSection
from reverie.promotion.trial_tree import read_source
from reverie.sandbox.engine import Sandbox
from reverie.stages.dreamer import Allowance, Survey, dream_about
from reverie.stages.grounds import Grounds, Interpreter, measure_suite
from reverie.stages.survivors import Effort, find_survivors
from reverie.stages.tests import TestDreamer

FARES = '''"""What a journey costs."""


def fare(age: int) -> int:
    """The price in coins: children travel free, from 65 on it is 5, else 10.

    >>> fare(30)
    10
    """
    if age < 6:
        return 0
    if age >= 65:
        return 5
    return 10


def refund(coins: int) -> int:
    """What is paid back: half of the coins, 2 at the least.

    >>> refund(10)
    5
    """
    return max(coins // 2, 2)
'''
FARE_TESTS = (
    "from fares import fare\n\n\ndef test_fare():\n"
    "    assert [fare(a) for a in (0, 5, 6, 64, 65, 90)] == [0, 0, 10, 10, 5, 5]\n"
)
WEAK = "\n\ndef test_refund():\n    assert refund(10)\n    assert refund(1)\n"
STRONG = (
    "\n\ndef test_refund():\n"
    "    assert [refund(c) for c in (0, 1, 4, 5, 6, 7, 11)] == [2, 2, 2, 2, 3, 3, 5]\n"
)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSection(slots=2)) as sandbox:
        yield sandbox


def surveyed(folder: Path, sandbox: Sandbox, tests: str) -> Survey:
    """A repository of one module and its tests, with its suite measured."""
    (folder / "tests").mkdir()
    (folder / "fares.py").write_text(FARES)
    source = FARE_TESTS.replace("import fare\n", "import fare, refund\n") + tests
    (folder / "tests" / "test_fares.py").write_text(source)
    with open_index(folder, IndexSection(), SafetySection(), None) as index:
        index.refresh()
        code = index.load()
    grounds = Grounds(folder, folder, read_source(folder, None), code, Interpreter(None))
    suite = measure_suite(sandbox, folder, None, 60.0, None)
    return Survey(grounds, sandbox, suite).about("fares", "fares.py")


def test_what_the_suite_runs_and_does_not_check_is_what_tests_are_written_for(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    survey = surveyed(tmp_path, sandbox, WEAK)
    found = find_survivors(survey, Effort())
    assert found is not None
    assert {each.mutant.scope for each in found.alive} == {"refund"}

    dreamt = dream_about(TestDreamer(), survey, Allowance(CycleBudget(seconds=30.0)))
    (dream,) = dreamt.dreams
    (edit,) = dream.change.edits
    assert "refund(" in (edit.after or "")
    assert "fare(" not in (edit.after or "").replace("fares", "")


def test_nothing_is_written_where_the_suite_notices_all(tmp_path: Path, sandbox: Sandbox) -> None:
    survey = surveyed(tmp_path, sandbox, STRONG)
    dreamt = dream_about(TestDreamer(), survey, Allowance(CycleBudget(seconds=30.0)))
    assert dreamt.dreams == ()
    assert dreamt.note == "its tests notice every planted fault that was tried"
