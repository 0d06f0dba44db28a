"""Sessions of pytest in the sandbox: tests are rewritten as ever, installed plugins are not."""

from pathlib import Path

import pytest

from reverie.instruments.flakiness import find_wavering
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import measure_coverage
from reverie.instruments.mutation.matrix import Ground
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.instruments.suite.instrument import run_tests
from reverie.model.measurements.suite import Conditions
from reverie.sandbox.engine import Sandbox

LOOKING = """
import sys

import tiny


def loader_of(name):
    return type(sys.modules[name].__loader__).__name__


def test_own_assertions_are_rewritten():
    assert tiny.double(3) == 6
    assert loader_of(__name__) == "AssertionRewritingHook"


def test_those_of_installed_plugins_are_not():
    assert loader_of("_hypothesis_pytestplugin") != "AssertionRewritingHook"
"""


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    (tmp_path / "tiny.py").write_text("def double(x):\n    return x * 2\n")
    (tmp_path / "test_tiny.py").write_text(LOOKING)
    return tmp_path


def test_a_baseline_leaves_installed_plugins_as_they_are(tiny: Path) -> None:
    with Sandbox() as sandbox:
        far = FarSide(sandbox, find_project(tiny), exhaustive=False, baseline_seconds=60.0)
        coverage = measure_coverage(far, VerdictCache(None))
    assert [test.outcome for test in coverage.tests] == ["passed", "passed"]


def test_runs_under_conditions_leave_installed_plugins_as_they_are(tiny: Path) -> None:
    asked = [Conditions("one", 1, "2025-01-15T12:00:00+00:00")]
    with Sandbox() as sandbox:
        runs = run_tests(sandbox, find_project(tiny), ["test_tiny.py"], asked, 60.0)
    (run,) = runs.heard
    assert set(run.ends.values()) == {"passed"}
    assert len(run.ends) == 2


def test_runs_that_look_for_wavering_tests_leave_installed_plugins_as_they_are(tiny: Path) -> None:
    with Sandbox() as sandbox:
        found = find_wavering(
            sandbox, Ground(root=str(tiny), file="tiny.py", module="tiny"), LOOKING
        )
    assert (found.tests, found.wavering, found.broken) == (2, frozenset(), ())
