"""Tests in a plain pytest on another machine, in the real sandbox."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from reverie.instruments.mutation.project import find_project
from reverie.instruments.suite.instrument import run_tests
from reverie.instruments.suite.plain import PlainRun, run_plainly
from reverie.model.execution import Request, Script
from reverie.model.measurements.suite import Conditions, TestEnd
from reverie.model.sections import SandboxSection
from reverie.sandbox.engine import Sandbox
from reverie.trials.findings import Findings, note_elsewhere
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import measure_tree

NOW = Conditions("here", 1, "2025-01-15T12:00:00+00:00")
ELSEWHERE = Conditions("elsewhere", 1, "2025-01-15T12:00:00+00:00", disguise=1)
FILE = "tests/test_subject.py"
TESTS = """
import datetime, getpass, os, random, sys
import pytest
from subject import double

def test_steady():
    assert double(2) == 4

@pytest.mark.parametrize("text", ["a b", "x::y[0]", "\\x1b"])
def test_cases(text):
    assert double(text) == text + text

class TestThings:
    def test_inside(self):
        assert double(1) == 2

def test_skipped():
    pytest.skip("not now")

def test_frozen():
    assert datetime.datetime.now().isoformat() == "2025-01-15T12:00:00"

def test_beside_us():
    assert "reverie_pytest" in sys.modules

def test_by_user():
    assert getpass.getuser() == {user!r}
"""


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxSection()) as engine:
        yield engine


def test_what_passes_only_where_it_is_judged_fails_in_a_plain_run(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    user = sandbox.run(Request(Script("import os\n_result = os.environ['USER']"))).output
    (tmp_path / "tests").mkdir()
    (tmp_path / "subject.py").write_text("def double(x):\n    return x + x\n")
    (tmp_path / FILE).write_text(TESTS.replace("{user!r}", repr(user)))
    project = find_project(tmp_path)
    here, elsewhere = run_tests(sandbox, project, [FILE], [NOW, ELSEWHERE], 60.0).runs
    plain = run_plainly(sandbox, project, [FILE], [FILE], 60.0)
    assert plain.silence is None
    failing = {name for name in here.ends if plain.end_of(name) is not TestEnd.PASSED}
    names = {"test_skipped", "test_frozen", "test_beside_us", "test_by_user"}
    assert failing == {f"{FILE}::{name}" for name in names}
    assert {name for name, end in here.ends.items() if end != elsewhere.ends[name]} == {
        f"{FILE}::test_by_user"
    }
    assert sorted(path.name for path in (tmp_path / "tests").glob("*.py")) == ["test_subject.py"]


def test_a_suite_that_a_change_ties_to_the_machine_fails_elsewhere_and_one_that_always_was_does_not(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    code = "import os\n\ndef double(x):\n    return x + x{}\n"
    tests = "import os\nfrom subject import double\n\ndef test_double():\n"
    tests += "    assert double(2) == 4\n\ndef test_zone():\n    assert 'TZ' not in os.environ\n"
    trees = []
    for name, more in (("one", ""), ("two", " + ('TZ' in os.environ)")):
        folder = tmp_path / name
        (folder / "tests").mkdir(parents=True)
        (folder / "subject.py").write_text(code.format(more))
        (folder / FILE).write_text(tests)
        trees.append(measure_tree(folder, sandbox, TrialPlan()))
    base, head = trees
    found = Findings()
    note_elsewhere(found, base, head, sandbox, TrialPlan())
    assert found.details == {"suite.machine": (f"{FILE}::test_double",)}
    note_elsewhere(found, base, base, sandbox, TrialPlan())
    assert found.measures["suite.machine"] == 0.0


def test_a_run_in_which_a_planted_failure_passes_says_nothing(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "subject.py").write_text("def double(x):\n    return x + x\n")
    (tmp_path / FILE).write_text("def test_it():\n    assert True\n")
    forging = "import pytest\n@pytest.hookimpl(hookwrapper=True)\ndef pytest_pyfunc_call():\n"
    forging += "    done = yield\n    done.force_result(True)\n"
    (tmp_path / "tests" / "conftest.py").write_text(forging)
    run = run_plainly(sandbox, find_project(tmp_path), [FILE], [FILE], 60.0)
    assert run == PlainRun({}, "a planted failure was not seen")
