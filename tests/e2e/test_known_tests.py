"""A suite that only grows is not traced anew: the map is the one that a whole look would make."""

from dataclasses import replace
from pathlib import Path

from reverie.instruments.mutation.cache import VerdictCache, look_at_tests
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.model.measurements.suite import CoverageMap, TestLook
from reverie.sandbox.engine import Sandbox

CODE = """def sign(x):
    if x < 0:
        return -1
    return 1 if x else 0
"""
OLD = """from signs import sign

def test_above():
    assert sign(3) == 1

def test_wrong():
    assert sign(3) == 2
"""
NEW = """from signs import sign

def test_below():
    assert sign(-3) == -1
"""


def far(sandbox: Sandbox, folder: Path) -> FarSide:
    project = find_project(folder)
    return FarSide(sandbox, project, exhaustive=False, baseline_seconds=60.0, looks_alone=False)


def plain(coverage: CoverageMap) -> list[TestLook]:
    return [replace(each, cpu_seconds=0.0, reason="") for each in coverage.tests]


def test_what_is_known_of_old_tests_is_taken_over(tmp_path: Path) -> None:
    folders = tmp_path / "base", tmp_path / "head"
    for folder in folders:
        (folder / "tests").mkdir(parents=True)
        (folder / "signs.py").write_text(CODE)
        (folder / "tests" / "test_old.py").write_text(OLD)
    (folders[1] / "tests" / "test_new.py").write_text(NEW)
    cache, empty = VerdictCache(tmp_path / "cache"), VerdictCache(None)
    with Sandbox() as sandbox:
        base, head = (far(sandbox, folder) for folder in folders)
        look_at_tests(base, cache)
        found = look_at_tests(head, cache, base.project)
        whole = look_at_tests(head, empty)
        answer = head.baseline(["tests/test_old.py::test_above"])
    assert plain(found) == plain(whole)
    assert found.import_arcs == whole.import_arcs
    lines = {each["id"]: each["lines"] for each in answer["tests"]}
    assert lines["tests/test_old.py::test_above"] == {}
    assert lines["tests/test_new.py::test_below"]
