from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from reverie.errors import MachineryError
from reverie.instruments.mutation.project import Project
from reverie.instruments.mutation.sandbox_side import (
    FarSide,
    read_baseline,
    read_fresh,
    read_slice,
    read_survey,
)
from reverie.model.execution import Call, Request, Usage
from reverie.model.outcome import IsolationTier
from reverie.model.sections import SandboxSection

ROW = ["number_up", "f", "f", 2, 2, 2, 10, 11, "2"]
TEST = {
    "id": "t::a", "outcome": "passed", "why": "", "cpu": 0.1, "slow": False, "starts": False,
    "traced": True, "lines": {"/r/a.py": {"f": [2]}}, "arcs": {"/r/a.py": [[-1, 2]]},
}  # fmt: skip
BASELINE = {
    "tests": [TEST], "imports": {"/r/a.py": {"<module>": [1]}}, "import_arcs": {},
    "collect_seconds": 1, "collection_errors": [], "writes": [], "restorable": True,
}  # fmt: skip


def test_occurrences_of_an_operator_in_a_function_are_numbered() -> None:
    answer = {"files": [{"file": "a.py", "mutants": [ROW, None, ROW]}]}
    (file,) = read_survey(answer, ["a.py"])
    assert [each.id for each in file.mutants] == ["a.py::f::number_up::1", "a.py::f::number_up::2"]
    assert [each.number for each in file.mutants] == [0, 2]


def test_a_baseline_is_a_coverage_map() -> None:
    coverage = read_baseline(BASELINE, "/r")
    assert coverage.tests_of("a.py", frozenset({2, 9})) == ("t::a",)
    assert coverage.tests_of("a.py", frozenset({1})) == ()
    assert coverage.lines_of("a.py") == {1, 2}
    assert coverage.tests[0].arcs["a.py"] == {(-1, 2)}


@pytest.mark.parametrize(
    "answer",
    [
        None, [], {}, {"files": []}, {"files": [{"file": "b.py", "mutants": []}]},
        {"files": [{"file": "a.py", "mutants": [ROW[:-1]]}]},
        {"files": [{"file": "a.py", "mutants": [[1, *ROW[1:]]]}]},
        {"files": [{"file": "a.py", "mutants": [[*ROW[:3], "2", *ROW[4:]]]}]},
    ],
)  # fmt: skip
def test_a_survey_of_another_shape_is_refused(answer: object) -> None:
    with pytest.raises(MachineryError):
        read_survey(answer, ["a.py"])


@pytest.mark.parametrize(
    "change",
    [
        {"tests": [{**TEST, "outcome": "fine"}]},
        {"tests": [{**TEST, "cpu": float("nan")}]},
        {"tests": [{**TEST, "cpu": True}]},
        {"tests": [{**TEST, "lines": {"a": {"f": ["2"]}}}]},
        {"collect_seconds": None},
        {"imports": None},
    ],
)
def test_a_baseline_of_another_shape_is_refused(change: dict) -> None:
    with pytest.raises(MachineryError):
        read_baseline({**BASELINE, **change}, "/r")


def test_verdicts_on_what_nobody_asked_about_are_refused() -> None:
    good = {"key": "k", "verdict": "killed", "test": 0, "sure": True}
    answer = read_slice({"results": [good], "alone": [0, 7, -1]}, frozenset({"k"}), 1)
    assert (answer.results[0].verdict, answer.alone) == ("killed", (0,))
    for change in ({"key": "other"}, {"verdict": "promoted"}, {"test": "0"}):
        with pytest.raises(MachineryError):
            read_slice({"results": [{**good, **change}], "alone": []}, frozenset({"k"}), 1)


@pytest.mark.parametrize(
    ("answer", "is_killed"),
    [
        ({"exit": 0, "killed": False, "killer": None, "ran": 3}, False),
        ({"exit": 0, "killed": True, "killer": "t", "ran": 1}, True),
        ({"exit": 4}, True),
        ({"exit": 2, "killed": False, "killer": None, "ran": 1}, True),
    ],
)
def test_tests_that_could_not_begin_have_noticed_something(answer: dict, is_killed: bool) -> None:
    assert read_fresh(answer).is_killed is is_killed


class Answering:
    """Stands for a sandbox: answers each survey, and notes which files were asked about."""

    tier = IsolationTier.NAMESPACES
    section = SandboxSection()

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def run(self, request: Request) -> Any:
        assert isinstance(request.target, Call)
        files = request.target.params["request"]["files"]
        self.asked.append(files)
        described = [{"file": name, "mutants": [ROW]} for name in files]
        output = {"files": described, "python": "3.11.7"}
        return SimpleNamespace(succeeded=True, output=output, usage=Usage(0.0, 0.1))


def surveyed(sandbox: Answering, root: Path) -> tuple[str, list[str]]:
    project = Project(str(root), ("a.py", "b.py"), (str(root),), ("a", "b"), (), (), None)
    far = FarSide(sandbox, project, exhaustive=False, baseline_seconds=1.0)  # type: ignore[arg-type]
    ids = [mutant.id for file in far.survey() for mutant in file.mutants]
    return far.python_version, ids


def test_mutants_are_asked_for_once_for_files_that_read_alike(tmp_path: Path) -> None:
    sandbox = Answering()
    for tree, second in (("before", "y = 1"), ("after", "y = 2")):
        (tmp_path / tree).mkdir()
        (tmp_path / tree / "a.py").write_text(f"x = 1  # {tmp_path.name}")
        (tmp_path / tree / "b.py").write_text(f"{second}  # {tmp_path.name}")
    both = [surveyed(sandbox, tmp_path / tree) for tree in ("before", "after")]
    assert sandbox.asked == [["a.py", "b.py"], ["b.py"]]
    ids = ["a.py::f::number_up::1", "b.py::f::number_up::1"]
    assert both == [("3.11.7", ids), ("3.11.7", ids)]
