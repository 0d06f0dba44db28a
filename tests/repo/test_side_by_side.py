"""The suite's own way of running in several processes, on one with all that can go wrong."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

CONFTEST = """
import os
import pytest
from tests.side_by_side import SideBySide

@pytest.fixture(scope="session")
def mine(tmp_path_factory):
    with open(os.environ["TOLD"], "a") as told:
        told.write(f"made {os.getpid()}\\n")
    yield tmp_path_factory.getbasetemp()
    with open(os.environ["TOLD"], "a") as told:
        told.write(f"gone {os.getpid()}\\n")

def pytest_runtestloop(session):
    SideBySide(session, 2, lambda number: os.environ.update(NUMBER=str(number))).run()
    return True
"""
ENDS = """
import os, signal, sys, warnings
import pytest

STREAM = sys.stderr

def test_passes(mine):
    assert mine.name == "side" + os.environ["NUMBER"]

def test_fails():
    print("said before")
    assert 1 + 1 == 3

def test_a_stream_that_a_module_holds_is_open():
    assert not STREAM.closed

@pytest.mark.skip(reason="for a reason")
def test_is_skipped():
    pass

@pytest.mark.xfail
def test_fails_as_expected():
    assert False

def test_warns():
    warnings.warn("look out")

def test_dies():
    os.kill(os.getpid(), signal.SIGKILL)

def test_comes_after_a_death(capfd):
    print("heard")
    assert capfd.readouterr().out == "heard\\n"
"""
MANY = """
import pytest

@pytest.fixture(scope="module", autouse=True)
def once(mine):
    with open({told!r}, "a") as told:
        told.write("module\\n")

@pytest.mark.parametrize("number", range(5))
def test_many(number):
    pass
"""


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    folder = tmp_path / "suite"
    folder.mkdir()
    many = MANY.format(told=str(tmp_path / "told"))
    files = {"conftest.py": CONFTEST, "test_a.py": ENDS, "test_b.py": many, "test_c.py": many}
    for name, text in files.items():
        (folder / name).write_text(text)
    return folder


def run(suite: Path, root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environ = {**os.environ, "PYTHONPATH": str(root), "TOLD": str(suite.parent / "told")}
    line = [sys.executable, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider", "--color=no"]
    return subprocess.run(
        [*line, "--rootdir", str(suite), *arguments],
        cwd=suite,
        env=environ,
        capture_output=True,
        text=True,
    )


def test_every_end_of_a_test_is_told_and_a_death_is_that_of_one_test(
    suite: Path, root: Path
) -> None:
    ran = run(suite, root, "--junitxml", str(suite.parent / "seen.xml"))
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "2 failed, 14 passed, 1 skipped, 1 xfailed, 1 warning" in ran.stdout, ran.stdout
    assert "the process that ran it ended with -9" in ran.stdout
    assert "assert (1 + 1) == 3" in ran.stdout
    assert ran.stdout.count("said before") == 2, "in the source and as it was said"
    assert " UserWarning: look out" in ran.stdout
    assert "SKIPPED [1] test_a.py:17: for a reason" in ran.stdout
    cases = list(ElementTree.parse(suite.parent / "seen.xml").iter("testcase"))
    assert len(cases) == len({(each.get("classname"), each.get("name")) for each in cases}) == 18


def test_a_file_is_run_by_one_process_and_what_is_the_sessions_stays(
    suite: Path, root: Path
) -> None:
    (suite / "test_a.py").unlink()
    ran = run(suite, root)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    told = Counter((suite.parent / "told").read_text().split())
    assert told["module"] == 2
    assert 1 <= told["made"] == told["gone"] <= 2


def test_it_ends_with_the_first_failure_where_that_is_wished(suite: Path, root: Path) -> None:
    (suite / "test_b.py").unlink()
    (suite / "test_c.py").unlink()
    ran = run(suite, root, "-x")
    assert ran.returncode == 1
    assert "stopping after 1 failures" in ran.stdout
    assert "2 failed" not in ran.stdout


def test_what_a_session_cannot_take_down_is_a_failure(suite: Path, root: Path) -> None:
    (suite / "test_a.py").unlink()
    text = (suite / "conftest.py").read_text()
    (suite / "conftest.py").write_text(text.replace('told.write(f"gone', 'told.nothing(f"gone'))
    ran = run(suite, root)
    assert ran.returncode == 1
    assert "AttributeError" in ran.stdout
