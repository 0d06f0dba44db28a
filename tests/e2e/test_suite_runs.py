"""Tests run again and again by the instrument of trials: what it hears, and what silence means."""

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from reverie.instruments.mutation.project import find_project
from reverie.instruments.suite.instrument import run_tests
from reverie.model.measurements.suite import Conditions, SuiteRuns, TestEnd
from reverie.sandbox.engine import Sandbox

STRICT = '[tool.pytest.ini_options]\nfilterwarnings = ["error"]\n'
GOOD = "from subject import double\n\n\ndef test_it():\n    assert double(2) == 4\n"
ENDS = "import os\n\n\ndef test_it():\n    os._exit(0)\n"
NOW = Conditions("now", 1, "2025-01-15T12:00:00+00:00")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as sandbox:
        yield sandbox


def run(folder: Path, sandbox: Sandbox, files: Mapping[str, str], seconds: float = 60) -> SuiteRuns:
    (folder / "tests").mkdir()
    (folder / "subject.py").write_text("def double(x):\n    return 2 * x\n")
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    return run_tests(sandbox, find_project(folder), ["tests/test_subject.py"], [NOW], seconds)


def test_a_project_that_makes_errors_of_warnings_is_heard(tmp_path: Path, sandbox: Sandbox) -> None:
    files = {"tests/test_subject.py": GOOD, "pyproject.toml": STRICT}
    (heard,) = run(tmp_path, sandbox, files).heard
    assert heard.saw_plant
    assert heard.ends == {"tests/test_subject.py::test_it": TestEnd.PASSED}


def test_a_run_without_time_is_silent_and_no_liar(tmp_path: Path, sandbox: Sandbox) -> None:
    runs = run(tmp_path, sandbox, {"tests/test_subject.py": GOOD}, seconds=0.0)
    assert runs.heard == ()
    (silent,) = runs.runs
    assert (silent.silence, silent.is_dead) == ("no answer in time", False)


def test_a_test_that_ends_its_process_is_seen_to(tmp_path: Path, sandbox: Sandbox) -> None:
    (ended,) = run(tmp_path, sandbox, {"tests/test_subject.py": ENDS}).runs
    assert ended.is_dead


def test_a_generated_file_beside_the_code_replaces_nothing_and_another_of_its_name_does(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    files = {
        "shop/__init__.py": "from shop._version import version\n",
        "shop/prices.py": "def price(x):\n    return x\n",
        "shop/_version.py": "version = '1.0'\n",
        "tests/test_subject.py": (
            "import sys\nimport types\n\nimport shop.prices\n\n\ndef test_it():\n"
            "    assert shop.version == '1.0'\n\n\ndef test_other():\n"
            "    sys.modules['shop.more'] = fake = types.ModuleType('shop.more')\n"
            "    fake.__file__ = __file__\n    assert fake\n\n\ndef test_third():\n"
            "    sys.modules['shop.last'] = fake = types.ModuleType('shop.last')\n"
            "    fake.__file__ = shop._version.__file__\n    assert fake\n"
        ),
    }
    (heard,) = run(tmp_path, sandbox, files).heard
    assert heard.replaced == ("shop.last", "shop.more")


def test_tests_inside_of_the_package_replace_nothing(tmp_path: Path, sandbox: Sandbox) -> None:
    files = {
        "shop/__init__.py": "",
        "shop/prices.py": "def price(x):\n    return x\n",
        "shop/tests/__init__.py": "",
        "shop/tests/test_subject.py": (
            "from shop.prices import price\n\n\ndef test_it():\n    assert price(2) == 2\n"
        ),
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True, parents=True)
        (tmp_path / name).write_text(text)
    runs = run_tests(sandbox, find_project(tmp_path), ["shop/tests/test_subject.py"], [NOW], 60)
    (heard,) = runs.heard
    assert set(heard.ends.values()) == {TestEnd.PASSED}
    assert heard.replaced == ()


def test_a_test_that_counts_processors_fails_on_another_machine(
    tmp_path: Path, sandbox: Sandbox
) -> None:
    counting = (
        "import multiprocessing\nimport os\n\nHERE = os.cpu_count()\n\n\ndef test_it():\n"
        f"    assert multiprocessing.cpu_count() == {os.cpu_count()}\n"
    )
    (tmp_path / "tests").mkdir()
    (tmp_path / "subject.py").write_text("def double(x):\n    return 2 * x\n")
    (tmp_path / "tests" / "test_subject.py").write_text(counting)
    there = [NOW, replace(NOW, name="other", disguise=1)]
    runs = run_tests(sandbox, find_project(tmp_path), ["tests/test_subject.py"], there, 60)
    ends = {run.conditions.name: run.ends for run in runs.heard}
    assert list(ends["now"].values()) == [TestEnd.PASSED]
    assert list(ends["other"].values()) == [TestEnd.FAILED]
