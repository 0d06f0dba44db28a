"""Tests that come and go under other seeds are seen before they have a past."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.index import read_repository
from reverie.model.cycle import CycleBudget, Source
from reverie.model.measurements.suite import CoverageMap, TestLook
from reverie.model.sections import IndexSection, SafetySection
from reverie.sandbox.engine import Sandbox
from reverie.stages.dreamer import Allowance, Survey, dream_about
from reverie.stages.grounds import Grounds, Interpreter, measure_suite
from reverie.stages.other_seeds import MOST_RUNS, how_often
from reverie.stages.test_health import TestHealthDreamer

SHOP = "def guests():\n    return {'Ida', 'Jo', 'Kim', 'Lea', 'Max', 'Nor', 'Ole', 'Pia'}\n"
TESTS = """import itertools
import random

from shop import guests


def test_order_of_a_set():
    assert list(guests()).index("Max") < list(guests()).index("Nor")


def test_chance():
    assert random.random() < 0.5


def test_steady():
    assert len(guests()) == 8


def test_always_fails():
    assert not guests()
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as opened:
        yield opened


def surveyed(folder: Path, sandbox: Sandbox) -> Survey:
    (folder / "tests").mkdir()
    (folder / "shop.py").write_text(SHOP)
    (folder / "tests/test_shop.py").write_text(TESTS)
    index = read_repository(folder, IndexSection(), SafetySection().tier_of)
    grounds = Grounds(folder, folder, Source(None, {}), index, Interpreter(None))
    return Survey(grounds, sandbox, measure_suite(sandbox, folder, None, 60.0, None))


def test_what_seeds_decide_is_proposed_for_quarantine_and_nothing_else(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    survey, dreamer = surveyed(tmp_path, sandbox), TestHealthDreamer()
    (target,) = dreamer.targets(survey)
    about = survey.about(target.module, target.path)
    found = dream_about(dreamer, about, Allowance(CycleBudget()))
    told = {str(each.details["function"]): each.details for each in found.sightings}
    kinds = {name: details["kind"] for name, details in told.items()}
    assert kinds == {
        "test_order_of_a_set": "flaky_test",
        "test_chance": "flaky_test",
        "test_always_fails": "failing_test",
    }
    for name in ("test_order_of_a_set", "test_chance"):
        assert re.match(r"failed under \d of 8 seeds: ", str(told[name]["actual"]))
        assert str(told[name]["repro"]).endswith(f"pytest --reverie tests/test_shop.py::{name}")


def test_a_suite_that_takes_long_is_not_repeated() -> None:
    def suite(seconds: float) -> CoverageMap:
        test = TestLook("tests/test_a.py::test_f", "passed", "", seconds, False, False)
        return CoverageMap((test,), {}, {}, 0.5)

    assert how_often(suite(0.1)) == MOST_RUNS
    assert 0 < how_often(suite(4.0)) < MOST_RUNS
    assert how_often(suite(10.0)) == 0
