import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import PolicyError
from reverie.instruments.quality import tools
from reverie.instruments.quality.tools import Bench, ToolReport, run_mypy, run_ruff
from reverie.model.execution import ErrorReport, Execution, Request
from reverie.model.outcome import TestOutcome
from reverie.model.settings.analysis import QualitySection, ToolConfiguration
from reverie.testing.fakes import finished

FILES = [Path("/repository/a.py")]


class FakeSandbox:
    """Answers every request with the outputs given, in turn, and keeps what it was asked."""

    def __init__(self, *outputs: Any) -> None:
        self.outputs = list(outputs)
        self.asked: list[Request] = []

    def run(self, request: Request) -> Execution:
        self.asked.append(request)
        output = self.outputs.pop(0)
        if isinstance(output, Exception):
            raise output
        if isinstance(output, Execution):
            return output
        return replace(finished(0)[1], outcome=TestOutcome.SUCCESS, output=output)


def bench(*outputs: Any, section: QualitySection | None = None) -> tuple[Bench, FakeSandbox]:
    sandbox = FakeSandbox(*outputs)
    made = Bench(sandbox, Path("/repository"), section or QualitySection())  # type: ignore[arg-type]
    return made, sandbox


def ruff_finding(**given: Any) -> dict[str, Any]:
    place = {"row": 3, "column": 5}
    message = {"code": "F401", "filename": "/repository/a.py", "message": "m", "location": place}
    return {**message, **given}


def mypy_line(**given: Any) -> str:
    line = {"file": "/repository/a.py", "line": 3, "column": 4, "message": "m", "code": "arg-type"}
    return json.dumps({**line, "severity": "error", "hint": None, **given})


def test_findings_of_ruff() -> None:
    printed = [ruff_finding(), ruff_finding(code=None), ruff_finding(code="invalid-syntax")]
    report = run_ruff(bench([0, json.dumps(printed), ""])[0], FILES)
    (found,) = report.findings
    assert (found.path, found.finding.rule) == ("/repository/a.py", "ruff:F401")
    assert (found.finding.line, found.finding.column) == (3, 5)


def test_findings_of_mypy() -> None:
    lines = [mypy_line(), mypy_line(severity="note"), mypy_line(code="syntax")]
    lines += [mypy_line(code="import-not-found"), mypy_line(line=-1, column=-1, code=None)]
    report = run_mypy(bench([1, "\n".join(lines), ""])[0], FILES)
    assert [each.finding.rule for each in report.findings] == ["mypy:arg-type", "mypy:misc"]
    assert [(e.finding.line, e.finding.column) for e in report.findings] == [(3, 5), (1, 1)]
    assert report.notes == ("mypy could not follow 1 imports",)


@pytest.mark.parametrize(
    "output",
    [
        *(None, [], [0, "", ""], [0, "{", ""], [0, "{}x", ""], [0, '[{"code": "F401"}]', ""]),
        [0, json.dumps([ruff_finding(location={"row": "3", "column": 1})]), ""],
        [0, json.dumps([ruff_finding(filename=5)]), ""],
        *([0, 5, ""], {"a": 1, "b": 2, "c": 3}, "abc", [0, "[" * 100_000, ""]),
    ],
)
def test_what_a_tool_never_prints_is_no_report(output: Any) -> None:
    report = run_ruff(bench(output)[0], FILES)
    assert report.findings == ()
    assert report.absent is not None
    assert report.absent.startswith("ruff ")


def test_a_tool_that_fails_says_why_in_a_line() -> None:
    assert run_ruff(bench([2, "", "bad config\nmore"])[0], FILES).absent == (
        "ruff failed (2): bad config"
    )
    assert run_ruff(bench([2, "on stdout", ""])[0], FILES).absent == "ruff failed (2): on stdout"

    line = mypy_line(message="This file shadows a library")
    assert run_mypy(bench([2, line, ""])[0], FILES).absent == (
        "mypy failed (2): This file shadows a library"
    )


def test_objections_without_a_word_are_a_failure_and_no_praise() -> None:
    assert run_mypy(bench([1, "\n", "Traceback"])[0], FILES).absent == "mypy failed (1): Traceback"
    assert run_mypy(bench([1, "", ""])[0], FILES).absent == "mypy failed (1): no reason given"
    assert run_mypy(bench([0, "", ""])[0], FILES) == ToolReport()


def test_a_tool_that_does_not_finish_is_said() -> None:
    late = replace(
        finished(0)[1], outcome=TestOutcome.TIMEOUT, error=ErrorReport("more than 300 s")
    )
    assert run_ruff(bench(late)[0], FILES).absent == "ruff did not finish: more than 300 s"


def test_too_many_findings_are_cut_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tools, "MAX_FINDINGS", 2)
    report = run_ruff(bench([0, json.dumps([ruff_finding()] * 3), ""])[0], FILES)
    assert len(report.findings) == 2
    assert report.notes == ("only the first 2 of ruff",)


def test_the_repository_is_shown_read_only_and_nothing_else() -> None:
    made, sandbox = bench([0, "[]", ""])
    run_ruff(made, FILES)
    (policy,) = [request.policy for request in sandbox.asked]
    assert (policy.readonly, policy.private_copies) == (("/repository",), ())
    assert policy.working_directory == "/repository"
    assert not policy.enable_network
    assert not policy.enable_filesystem


def test_a_folder_that_may_not_be_shown_leaves_the_files_alone() -> None:
    made, sandbox = bench(PolicyError("too wide"), [0, "[]", ""])
    assert run_ruff(made, FILES).absent is None
    assert sandbox.asked[1].policy.readonly == ("/repository/a.py",)


def test_files_elsewhere_are_shown_one_by_one() -> None:
    made, sandbox = bench([0, "[]", ""])
    run_ruff(made, [Path("/other/a.py")])
    assert sandbox.asked[0].policy.readonly == ("/other/a.py",)


def test_modules_of_one_name_are_tried_again_by_their_paths() -> None:
    made, sandbox = bench([2, "", 'a.py: error: Duplicate module named "a"'], [0, "", ""])
    assert run_mypy(made, FILES).absent is None
    assert "--explicit-package-bases" in sandbox.asked[1].target.params["arguments"]


@pytest.mark.parametrize("name", ["a\n--config=b.py", "\udcff.py", "a\x1b.py"])
def test_a_name_that_cannot_be_given_on_a_line_is_passed_over(name: str) -> None:
    made, sandbox = bench([0, "[]", ""])
    run_ruff(made, [*FILES, Path("/repository") / name])
    assert sandbox.asked[0].target.params["files"] == ["/repository/a.py"]
    assert run_ruff(bench()[0], [Path("/repository") / name]).absent is not None


def test_our_own_configuration_ignores_the_repository_s() -> None:
    section = QualitySection(configuration=ToolConfiguration.OWN)
    made, sandbox = bench([0, "[]", ""], [0, "", ""], section=section)
    run_ruff(made, FILES)
    run_mypy(made, FILES)
    ruff, mypy = (request.target.params["arguments"] for request in sandbox.asked)
    assert "--isolated" in ruff
    assert "--config-file=" in mypy
