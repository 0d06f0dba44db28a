"""What is planted for runs of tests: one that fails, one that comes and goes, and an honest one."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from reverie.instruments.mutation.project import find_project
from reverie.instruments.self_check import Plant, random_name
from reverie.instruments.suite.instrument import run_tests
from reverie.model.measurements.suite import Conditions
from reverie.sandbox.engine import Sandbox

_CODE = "def double(x):\n    return 2 * x\n"
_GOOD = "from {name} import double\n\ndef test_it():\n    assert double(2) == 4\n"
_BAD = "from {name} import double\n\ndef test_it():\n    assert double(2) == 5\n"
_SEASONAL = "import datetime\n\ndef test_it():\n    assert datetime.date.today().year < 2030\n"
_FORGED = """import pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    outcome.get_result().outcome = "passed"
"""
_SECONDS = 60.0


def plants(sandbox: Sandbox) -> Iterable[Plant]:
    """A test that passes, one that fails, one that time decides, and a forged report."""
    return (
        Plant("a test that passes", "passed passed", lambda: _seen(sandbox, _GOOD)),
        Plant("a test that fails", "failed failed", lambda: _seen(sandbox, _BAD)),
        Plant("a test that time decides", "passed failed", lambda: _seen(sandbox, _SEASONAL)),
        Plant("a forged report", "blind blind", lambda: _seen(sandbox, _BAD, _FORGED)),
    )


def _seen(sandbox: Sandbox, test: str, conftest: str = "") -> str:
    with tempfile.TemporaryDirectory() as folder:
        root, name = Path(folder), random_name()
        file = f"tests/test_{name}.py"
        (root / "tests").mkdir()
        (root / f"{name}.py").write_text(_CODE, "utf-8")
        (root / file).write_text(test.replace("{name}", name), "utf-8")
        (root / "tests" / "conftest.py").write_text(conftest, "utf-8")
        runs = run_tests(
            sandbox,
            find_project(root),
            [file],
            [Conditions("now", 1, "2025-01-15T12:00:00+00:00"),
             Conditions("later", 2, "2031-12-31T23:59:59+00:00")],
            _SECONDS,
        )  # fmt: skip
    ends = [
        str(run.ends.get(f"{file}::test_it", "missing")) if run.saw_plant else "blind"
        for run in runs.runs
    ]
    return " ".join(ends)
