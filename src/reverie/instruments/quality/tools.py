"""ruff and mypy, inside the sandbox, and ruff's fixes, rule by rule, as spans of the text.

Both follow configuration that a repository brings along, and a plug-in of mypy is a program: so
they run where everything untrusted runs, and see the repository read-only. What they print is
the repository's claim as much as theirs; it is taken apart with care.
"""

import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from reverie.errors import PolicyError
from reverie.model.execution import MIB, Execution, Limits, Policy, Request, Script
from reverie.model.repository.quality import Finding, Part, PlacedFinding, Severity
from reverie.model.settings.analysis import QualitySection, ToolConfiguration
from reverie.sandbox.engine import Sandbox

MAX_FINDINGS = 10_000
UNFOLLOWED = frozenset({"import-not-found", "import-untyped"})
"""What mypy says when it cannot see a library: nothing about the code that imports it."""

# A program of its own, so not where processes cannot be started. Isolated (-I): otherwise a
# `types.py` of the repository would stand before Python's own.
RUFF = """
import subprocess, sys, tempfile
with tempfile.NamedTemporaryFile("w", encoding="utf-8") as listing:
    listing.write("\\n".join(files))
    listing.flush()
    command = [sys.executable, "-I", "-m", "ruff", *arguments, "@" + listing.name]
    ran = subprocess.run(command, capture_output=True)
_result = [ran.returncode, *(text.decode("utf-8", "replace") for text in (ran.stdout, ran.stderr))]
"""
# psutil wants to count the cores in a file of /proc that the sandbox does not show.
_MYPY = """
import sys
sys.modules["psutil"] = None
from mypy import api
printed, complaint, code = api.run([*arguments, "--", *files])
_result = [code, printed, complaint]
"""
_OWN_RULES = "E,F,W,B,C4,SIM,RET,PIE,PERF,UP,RUF"


@dataclass(frozen=True, slots=True)
class ToolReport:
    """What a tool found; or why there is nothing that it could say."""

    findings: tuple[PlacedFinding, ...] = ()
    absent: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Bench:
    """Where the tools work: the sandbox, the folder whose configuration counts, the limits."""

    sandbox: Sandbox
    folder: Path
    section: QualitySection
    python: str | None = None
    """Interpreter whose libraries mypy looks into; None is Reverie's own."""


def run_ruff(bench: Bench, files: Sequence[Path]) -> ToolReport:
    """What ruff finds in the files."""
    arguments = ["check", "--no-cache", "--output-format=json", "--exit-zero"]
    if bench.section.configuration is ToolConfiguration.OWN:
        arguments += ["--isolated", f"--select={_OWN_RULES}"]
    else:
        arguments += ["--force-exclude"]
    return _report(bench, _RUFF_TOOL, arguments, files)


def run_mypy(bench: Bench, files: Sequence[Path]) -> ToolReport:
    """What mypy finds in the files; imports it cannot follow are a note and no finding."""
    arguments = ["--output=json", "--no-error-summary", "--show-absolute-path"]
    arguments += ["--cache-dir=/dev/null", "--no-incremental", "--no-color-output"]
    if bench.section.configuration is ToolConfiguration.OWN:
        arguments += ["--config-file=", "--check-untyped-defs"]
    if bench.python is not None:
        arguments += [f"--python-executable={bench.python}"]
    report = _report(bench, _MYPY_TOOL, arguments, files)
    if report.absent is not None and "uplicate module" in report.absent:
        arguments += ["--explicit-package-bases"]
        report = _report(bench, _MYPY_TOOL, arguments, files)
    followed = tuple(each for each in report.findings if each.finding.rule[5:] not in UNFOLLOWED)
    unfollowed = len(report.findings) - len(followed)
    notes = (f"mypy could not follow {unfollowed} imports",) if unfollowed else ()
    return replace(report, findings=followed, notes=(*report.notes, *notes))


def _report(
    bench: Bench, tool: "_Tool", arguments: Sequence[str], files: Sequence[Path]
) -> ToolReport:
    name = tool.name
    if find_spec(name) is None:
        return ToolReport(absent=f"{name} is not installed")
    named = [path for path in files if _can_be_named(path)]
    if not named:
        return ToolReport(absent=f"no file that {name} can be given")
    execution = execute_tool(bench, tool.script, arguments, named)
    if not execution.succeeded:
        reason = execution.error.message if execution.error else execution.outcome
        return ToolReport(absent=f"{name} did not finish: {reason}")
    try:
        code, printed, complaint = execution.output
        if code != 0 and not (code == 1 and printed.strip()):
            return ToolReport(absent=f"{name} failed ({code}): {_reason(complaint, printed)}")
        findings = list(tool.read(printed))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return ToolReport(absent=f"{name} printed what it never prints: {error}")
    notes = (f"only the first {MAX_FINDINGS} of {name}",) if len(findings) > MAX_FINDINGS else ()
    return ToolReport(tuple(findings[:MAX_FINDINGS]), notes=notes)


def _reason(complaint: str, printed: str) -> str:
    """The first line of what a tool says when it gives up; mypy says that in JSON too."""
    line = (complaint.strip() or printed.strip()).partition("\n")[0]
    if line.startswith("{"):
        line = str(json.loads(line)["message"])
    return line[:300] or "no reason given"


def _can_be_named(path: Path) -> bool:
    """Whether a file's name is text on one line, as the tools want it."""
    name = str(path)
    return name.isprintable() and name.encode("utf-8", "replace").decode() == name


def execute_tool(
    bench: Bench, source: str, arguments: Sequence[str], files: Sequence[Path]
) -> Execution:
    """With the whole folder in view; where that may not be shown, with the files alone."""
    limits = Limits(
        wall_seconds=bench.section.tool_seconds,
        memory_bytes=bench.section.tool_memory_mb * MIB,
        result_bytes=64 * MIB,
    )
    names = [str(path) for path in files]
    script = Script(source, params={"arguments": list(arguments), "files": names})
    environment = () if bench.python is None else (str(Path(bench.python).parent.parent),)
    alone = Request(script, limits, Policy(readonly=(*names, *environment)))
    if not all(path.is_relative_to(bench.folder) for path in files):
        return bench.sandbox.run(alone)
    folder = str(bench.folder)
    policy = Policy(readonly=(folder, *environment), working_directory=folder)
    try:
        return bench.sandbox.run(Request(script, limits, policy))
    except PolicyError:  # too wide to be shown, as a home folder is
        return bench.sandbox.run(alone)


def _ruff_findings(printed: str) -> Iterator[PlacedFinding]:
    for each in json.loads(printed):
        code = each["code"]
        if code is None or code == "invalid-syntax":
            continue  # counted as syntax, and once
        place = each["location"]
        yield PlacedFinding(
            Part.LINT,
            os.fspath(each["filename"]),
            Finding(
                rule=f"ruff:{code}",
                severity=Severity.WARNING,
                line=_positive(place["row"]),
                column=_positive(place["column"]),
                message=str(each["message"]),
            ),
        )


def _mypy_findings(printed: str) -> Iterator[PlacedFinding]:
    for line in printed.splitlines():
        each: dict[str, Any] = json.loads(line)
        if each["severity"] != "error" or each["code"] == "syntax":
            continue
        yield PlacedFinding(
            Part.TYPES,
            os.fspath(each["file"]),
            Finding(
                rule=f"mypy:{each['code'] or 'misc'}",
                severity=Severity.ERROR,
                line=_positive(each["line"]),
                column=_positive(each["column"] + 1),
                message=str(each["message"]),
            ),
        )


def _positive(number: Any) -> int:
    """A line or column; what is about a whole file is about its beginning."""
    if type(number) is not int:
        raise TypeError(f"{number!r} is no position")
    return max(1, number)


@dataclass(frozen=True, slots=True)
class _Tool:
    """How a tool is run inside, and how what it prints is read outside."""

    name: str
    script: str
    read: Callable[[str], Iterator[PlacedFinding]]


_RUFF_TOOL = _Tool("ruff", RUFF, _ruff_findings)
_MYPY_TOOL = _Tool("mypy", _MYPY, _mypy_findings)


_MOST_FIXES = 5_000


@dataclass(frozen=True, slots=True)
class FixedSpan:
    """New text from one place to another; lines and columns in characters, both from 1."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


@dataclass(frozen=True, slots=True)
class LintFix:
    """One finding with the fix that ruff has for it."""

    rule: str
    message: str
    """What the fix does, as a command: `Remove unnecessary ...`; else what was found."""
    line: int
    spans: tuple[FixedSpan, ...]
    is_safe: bool
    """Whether ruff itself says that behaviour stays."""


def find_fixes(
    bench: Bench, files: Sequence[Path], rules: Sequence[str], target_version: str | None = None
) -> Mapping[str, tuple[LintFix, ...]]:
    """By file as it was given; nothing where ruff is not there or does not finish."""
    arguments = ["check", "--no-cache", "--isolated", "--output-format=json", "--exit-zero"]
    arguments += [f"--select={','.join(rules)}"]
    if target_version is not None:
        arguments += [f"--target-version={target_version}"]
    if not files or find_spec("ruff") is None:
        return {}
    execution = execute_tool(bench, RUFF, arguments, files)
    if not execution.succeeded:
        return {}
    found: dict[str, list[LintFix]] = {}
    try:
        code, printed, _ = execution.output
        for path, fix in _read(printed) if code == 0 else ():
            found.setdefault(path, []).append(fix)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
    return {path: tuple(fixes[:_MOST_FIXES]) for path, fixes in found.items()}


def _read(printed: str) -> Iterator[tuple[str, LintFix]]:
    for each in json.loads(printed):
        fix = each["fix"]
        if fix is None or fix["applicability"] not in ("safe", "unsafe"):
            continue
        spans = tuple(_span(edit) for edit in fix["edits"])
        is_safe = fix["applicability"] == "safe"
        line = _whole(each["location"]["row"])
        message = str(fix.get("message") or each["message"])
        yield str(each["filename"]), LintFix(str(each["code"]), message, line, spans, is_safe)


def _span(edit: dict[str, Any]) -> FixedSpan:
    start, end = edit["location"], edit["end_location"]
    return FixedSpan(
        _whole(start["row"]),
        _whole(start["column"]),
        _whole(end["row"]),
        _whole(end["column"]),
        str(edit["content"]),
    )


def _whole(number: Any) -> int:
    if type(number) is not int or number < 1:
        raise TypeError(f"{number!r} is no position")
    return number
