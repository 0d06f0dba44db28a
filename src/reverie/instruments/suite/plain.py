"""Tests in a plain pytest in a fresh process: no plugin of ours, no clock, no seeds.

    ends = run_plainly(sandbox, project, ["tests"], seconds=60.0)
    ends["tests/test_shop.py::test_total"]      # TestEnd.PASSED

It runs on another machine than the runs under conditions, so that what passes only where it is
judged fails here. A test that the report does not name is missing.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reverie.instruments.mutation.project import Project
from reverie.instruments.suite.instrument import Planted, limits_for, plants_for, policy_for
from reverie.model.execution import Call, Request
from reverie.model.measurements.suite import TestEnd
from reverie.model.outcome import TestOutcome
from reverie.sandbox.bundle import source_of
from reverie.sandbox.engine import Sandbox

DISGUISE = 1
"""The machine that other runs than the first one see."""
_ENTRY = "run_plainly"
_REASON = 600
_ARGUMENTS = ("-q", "--tb=no", "-p", "no:cacheprovider", "-p", "no:reverie_pytest", "-o",
              "junit_family=xunit1", "--continue-on-collection-errors")  # fmt: skip
_ERRORS = re.compile(r"(?m)^(?:E +|ERROR: )?((?:\w+\.)*\w+(?:Error|Exception|Warning): .+)$")
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]|\x7f")


@dataclass(frozen=True, slots=True)
class PlainRun:
    """How tests ended; or why nothing is known."""

    ends: Mapping[tuple[str, str], TestEnd]
    silence: str | None = None
    reasons: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Why cases did not pass."""
    is_late: bool = False
    """Whether it was cut off."""
    standing: str | None = None
    """The test that it stood at then, where the run was told to name them."""

    def end_of(self, test: str) -> TestEnd:
        """Of one test, by its id."""
        return self.ends.get(_address(test), TestEnd.MISSING)


def run_plainly(
    sandbox: Sandbox,
    project: Project,
    tests: Sequence[str],
    files: Sequence[str],
    seconds: float,
    arguments: Sequence[str] = (),
) -> PlainRun:
    """One run of `tests`, with a failure planted beside each of `files`."""
    plants = plants_for(files)
    params = {
        "paths": list(project.import_paths),
        "arguments": [*_ARGUMENTS, *arguments, *project.arguments, f"--rootdir={project.root}"],
        "tests": [*tests, *(plant.file for plant in plants)],
        "seconds": seconds,
    }
    policy = policy_for(sandbox, project, hash_seed=0, disguise=DISGUISE)
    policy = replace(policy, preload=())  # it starts an interpreter of its own
    call = Call(_far_side(), _ENTRY, {"request": params})
    with Planted(Path(project.root), plants):
        execution = sandbox.run(Request(call, limits_for(sandbox, seconds), policy))
    if not execution.succeeded:
        message = execution.error.message if execution.error is not None else "no answer"
        is_late = execution.outcome is TestOutcome.TIMEOUT
        return PlainRun({}, f"{execution.outcome}: {message}"[:300], is_late=is_late)
    run = read_cases(execution.output)
    for plant in plants:
        seen = (run.end_of(plant.good), run.end_of(plant.bad))
        if run.silence is None and seen != (TestEnd.PASSED, TestEnd.FAILED):
            return PlainRun({}, "a planted failure was not seen")
    planted = {_address(test) for plant in plants for test in (plant.good, plant.bad)}
    own = {place: end for place, end in run.ends.items() if place not in planted}
    return replace(run, ends=own)


def read_cases(output: Any) -> PlainRun:
    """What the program inside says, checked for shape."""
    cases = output.get("cases") if isinstance(output, Mapping) else None
    if not isinstance(cases, list):
        said = output if isinstance(output, Mapping) else {"error": output}
        words = str(said.get("words", ""))
        if said.get("is_late") is True:
            return PlainRun({}, str(said.get("error")), is_late=True, standing=_standing(words))
        return PlainRun({}, f"{said.get('error')} {_telling(words)}".strip()[:600])
    found: dict[tuple[str, str], TestEnd] = {}
    for each in cases:
        if isinstance(each, list) and len(each) == 3:
            place = str(each[0]), str(each[1])
            end = next((known for known in TestEnd if known == each[2]), TestEnd.MISSING)
            before = found.get(place, end)  # an error after the test is a case of its own
            found[place] = end if before is TestEnd.PASSED else before
    listed = output.get("reasons")
    reasons = {
        (str(each[0]), str(each[1])): str(each[2])[:_REASON]
        for each in (listed if isinstance(listed, list) else ())
        if isinstance(each, list) and len(each) == 3
    }
    return PlainRun(found, reasons=reasons)


def _telling(words: str) -> str:
    """The last error that a run names, else the last words of it."""
    named = _ERRORS.findall(words)
    return " ".join(named[-1].split() if named else words.split()[-60:])


def _standing(words: str) -> str | None:
    """The test that is named last, as long as nothing is said of how it ended."""
    last = words.rpartition("\n")[2]
    return last.strip()[:_REASON] if "::" in last else None


def _address(test: str) -> tuple[str, str]:
    """The class and the name under which a report has a test."""
    path, bracket, parameters = test.partition("[")
    file, *names = path.split("::")
    *classes, name = names or [""]
    owner = ".".join([file.replace("/", ".").removesuffix(".py"), *classes])
    text = f"{name}{bracket}{parameters}"
    return owner, _NOT_IN_XML.sub(lambda found: _escaped(ord(found[0])), text)


def _escaped(number: int) -> str:
    return f"#x{number:02X}" if number <= 0xFF else f"#x{number:04X}"


def _far_side() -> str:
    return source_of("reverie.instruments.suite.inside.plain")
