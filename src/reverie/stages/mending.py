"""Mending a finding: the smallest edit with which the code keeps its word and nothing breaks.

What is found is laid beside the finding as a difference. It changes what the code does, so it is
never promoted: a person takes it, or says that the behaviour is meant.
"""

import difflib
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.fuzz.fuzz import Wish, fuzz
from reverie.dreamers.fuzz.small_edits import small_edits
from reverie.errors import UsageError
from reverie.instruments.mutation.project import find_project
from reverie.instruments.suite.plain import run_plainly
from reverie.model.execution import Call, Policy, Request
from reverie.model.measurements.suite import TestEnd
from reverie.model.outcome import counted
from reverie.model.repository.environment import Discovery
from reverie.promotion.scratch import scratch_folder
from reverie.stages.dreamer import Survey

_SCRIPT_SECONDS = 3
_LOOK_SECONDS = 3.0
_SUITE_SECONDS = 30.0
_MOST_PROVEN = 4
"""Edits with which the script passes that are looked at further."""
_IGNORED = shutil.ignore_patterns(".git", ".reverie", "__pycache__", "*.pyc")


@dataclass(frozen=True, slots=True)
class Mended:
    """An edit, as a difference, and what was seen of it."""

    diff: str
    said: str


def mend(survey: Survey, found: Discovery, seconds: float) -> Mended | None:
    """The smallest edit with which a finding is gone; None where none was found in time."""
    ends_at = time.monotonic() + seconds
    edits = small_edits(survey.source, found.callable.rpartition(":")[2])
    if not edits:
        return None
    with scratch_folder(avoid=survey.grounds.repository) as scratch:
        tree = scratch / "mended"
        shutil.copytree(survey.grounds.folder, tree, symlinks=True, ignore=_IGNORED)
        passing = _passing(survey, found, edits, tree, ends_at)
        for _, source in zip(range(_MOST_PROVEN), passing, strict=False):
            (tree / survey.path).write_text(source, "utf-8")
            said = _seen(survey, found, tree)
            if said is not None:
                return Mended(_difference(survey, source), said)
    return None


def _passing(
    survey: Survey, found: Discovery, edits: tuple[str, ...], tree: Path, ends_at: float
) -> Iterator[str]:
    """Sources with which the script of a finding no longer fails."""
    here, there = str(survey.grounds.folder), str(tree)
    script = f"import sys\nsys.argv = ['repro.py']\n{found.repro.replace(here, there)}"
    limits = replace(
        survey.sandbox.section.limits(), wall_seconds=_SCRIPT_SECONDS, cpu_seconds=_SCRIPT_SECONDS
    )
    request = Request(Call(script, "main"), limits, Policy(readonly=(there,)))
    for source in edits:
        if time.monotonic() > ends_at:
            return
        (tree / survey.path).write_text(source, "utf-8")
        if survey.sandbox.run(request).succeeded:
            yield source


def _seen(survey: Survey, found: Discovery, tree: Path) -> str | None:
    """What speaks for an edit; None where the function breaks its word, or a test fails."""
    name, python = found.callable.rpartition(":")[2], survey.grounds.interpreter.path
    place = f"{tree / survey.path}:{name}"
    try:
        again = fuzz(survey.sandbox, place, tree, Wish(_LOOK_SECONDS, python=python))
    except UsageError:
        return None
    if again.findings:
        return None
    coverage = survey.suite.coverage
    tests = [] if coverage is None else [t.id for t in coverage.tests if t.outcome == "passed"]
    if not tests:
        return "its script passes; there are no tests"
    project = find_project(tree, None, (), python)
    beside = [tests[0].partition("::")[0]]
    run = run_plainly(survey.sandbox, project, tests, beside, _SUITE_SECONDS)
    if run.silence is not None or any(run.end_of(each) is not TestEnd.PASSED for each in tests):
        return None
    return f"its script passes, and {counted(len(tests), 'test')} as before"


def _difference(survey: Survey, after: str) -> str:
    before = survey.source
    lines = difflib.unified_diff(
        before.splitlines(keepends=True),
        after.splitlines(keepends=True),
        f"a/{survey.path}",
        f"b/{survey.path}",
    )
    return "".join(lines)
