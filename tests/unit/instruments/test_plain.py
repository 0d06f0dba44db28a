"""The report of a plain run, read with suspicion."""

import os
from pathlib import Path
from typing import Any

import pytest

from reverie.instruments.suite.inside import plain as far_side
from reverie.instruments.suite.instrument import TestPlant, plants_for
from reverie.instruments.suite.plain import PlainRun, read_cases
from reverie.model.measurements.suite import TestEnd


def test_a_test_is_found_by_its_class_and_name() -> None:
    cases = [
        ["tests.test_a", "test_it", "passed"],
        ["tests.test_a.TestB", "test_c[x::y[0]]", "failed"],
        ["tests.test_a", "test_odd[#x1B]", "passed"],
    ]
    run = read_cases({"cases": cases})
    assert run.end_of("tests/test_a.py::test_it") is TestEnd.PASSED
    assert run.end_of("tests/test_a.py::TestB::test_c[x::y[0]]") is TestEnd.FAILED
    assert run.end_of("tests/test_a.py::test_odd[\x1b]") is TestEnd.PASSED
    assert run.end_of("tests/test_a.py::test_other") is TestEnd.MISSING


@pytest.mark.parametrize("ends", [("passed", "failed"), ("failed", "passed")])
def test_a_test_with_two_ends_has_not_passed(ends: tuple[str, str]) -> None:
    run = read_cases({"cases": [["tests.test_a", "test_it", end] for end in ends]})
    assert run.end_of("tests/test_a.py::test_it") is TestEnd.FAILED


@pytest.mark.parametrize(
    ("words", "standing"),
    [
        ("tests/a.py::test_b PASSED [ 50%]\ntests/a.py::test_c ", "tests/a.py::test_c"),
        ("tests/a.py::test_b PASSED [ 50%]\n", None),
        ("collecting ... ", None),
    ],
)
def test_what_was_cut_off_says_where_it_stood(words: str, standing: str | None) -> None:
    run = read_cases({"error": "no answer in time", "is_late": True, "words": words})
    assert (run.is_late, run.silence, run.standing) == (True, "no answer in time", standing)


@pytest.mark.parametrize("output", [None, [], {"cases": 3}, {"error": "no report"}])
def test_an_answer_that_is_none_says_nothing(output: Any) -> None:
    run = read_cases(output)
    assert run == PlainRun({}, run.silence)
    assert run.silence is not None


def test_an_end_that_nobody_knows_is_none() -> None:
    run = read_cases({"cases": [["tests.test_a", "test_it", "splendid"], ["odd"]]})
    assert run.end_of("tests/test_a.py::test_it") is TestEnd.MISSING


def test_plants_have_other_names_every_time_and_one_stands_in_each_folder() -> None:
    files = ["tests/test_a.py", "tests/test_b.py", "more/test_c.py", "test_d.py"]
    first, second = plants_for(files), plants_for(files)
    assert [each.file.rpartition("/")[0] for each in first] == ["tests", "more", ""]
    assert {each.file for each in first}.isdisjoint(each.file for each in second)
    scope: dict[str, Any] = {}
    plant = TestPlant.beside("tests/test_a.py")
    exec(plant.source, scope)  # noqa: S102
    good, bad = (scope[each.rpartition("::")[2]] for each in (plant.good, plant.bad))
    good()
    with pytest.raises(AssertionError):
        bad()


def test_a_run_without_a_report_is_told_by_the_last_error_that_it_names() -> None:
    words = "while parsing the following:\n  ignore::trio.X\nTraceback\n" + "x " * 400
    words += "\nModuleNotFoundError: No module named 'trio'\n\nsee the docs\n"
    run = read_cases({"error": "no report: FileNotFoundError", "words": words})
    assert run.silence == "no report: FileNotFoundError ModuleNotFoundError: No module named 'trio'"


@pytest.mark.parametrize("text", ["", "<testsuites><testsuite>", "<testsuites/>"])
def test_a_report_without_its_end_is_waited_for(tmp_path: Path, text: str) -> None:
    report = tmp_path / "report.xml"
    assert not far_side._is_written(str(report), os.getpid())
    report.write_text(text)
    assert not far_side._is_written(str(report), os.getpid())


def test_a_whole_report_is_not_waited_for_unless_a_thread_is_left(tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text("<testsuites><testsuite></testsuite></testsuites>")
    threads = len(os.listdir("/proc/self/task"))
    assert far_side._is_written(str(report), os.getpid()) is (threads == 1)
    process = os.posix_spawn("/bin/sleep", ["sleep", "5"], {})
    assert far_side._is_written(str(report), process)
    os.kill(process, 9)
    os.waitpid(process, 0)
