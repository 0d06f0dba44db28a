"""A repository's own suite in the sandbox: how it is started, and which lines it runs.

Lines are measured by coverage.py. The suite works on a private copy of the repository where the
tier has one, and on the read-only original elsewhere. What comes back is the claim of code that
nobody trusts: good enough to rank with, and checked for shape. Every run also measures a planted
file, of which one line must be seen running and another must not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reverie.errors import InstrumentUnproven
from reverie.index.coverage_files import MAX_LINE, RawCoverage, RawFile
from reverie.model.execution import MIB, Execution, Limits, Policy, Request, Script
from reverie.model.outcome import IsolationTier
from reverie.model.repository.code import CodeIndex
from reverie.model.settings.analysis import CandidatesSection
from reverie.sandbox.engine import Sandbox

# Another coverage must not take the tracer away. A repository whose options then make no sense,
# or need a plug-in that is not there, is asked again without them.
_ARGUMENTS = ("-q", "-p", "no:cacheprovider", "-p", "no:cov", "--continue-on-collection-errors")
USAGE_ERROR = 4
"""What pytest ends with when it cannot make sense of its options."""


def suite_request(
    script: str,
    tier: IsolationTier,
    index: CodeIndex,
    section: CandidatesSection,
    python: str | None,
    **more: object,
) -> Request:
    """A request for a script; on a private copy of the repository where the tier has one."""
    folder = index.repository
    has_copies = tier is IsolationTier.NAMESPACES
    environment = () if python is None else (str(Path(python).parent.parent),)
    policy = Policy(
        enable_filesystem=has_copies,
        private_copies=(folder,) if has_copies else (),
        readonly=environment if has_copies else (folder, *environment),
        working_directory=folder,
        python=python,
        seed=0,
    )
    limits = Limits(
        wall_seconds=section.measure_seconds,
        memory_bytes=section.measure_memory_mb * MIB,
        disk_bytes=1024 * MIB,
        result_bytes=64 * MIB,
        processes=256,
        open_files=1024,
    )
    roots = dict.fromkeys(module.root for module in index.modules)
    params = {
        "root": folder,
        "paths": [str(Path(folder) / root) for root in roots],
        "arguments": list(_ARGUMENTS),
        "usage_error": USAGE_ERROR,
        **more,
    }
    return Request(Script(script, params=params), limits, policy)


_PLANT = "def seen():\n    return 1\n\n\ndef unseen():\n    return 2\n\n\nseen()\n"
_PLANT_SEEN, _PLANT_UNSEEN = 2, 6
_INTERNAL_ERROR = 3
_SCRIPT = """
import os, runpy, sys, tempfile
import coverage, pytest

plant = os.path.realpath(tempfile.mkdtemp()) + "/plant.py"
with open(plant, "w") as stream:
    stream.write(planted)
sys.path[:0] = paths
sys.dont_write_bytecode = True
measuring = coverage.Coverage(data_file=None, config_file=False, include=[root + "/*", plant])
measuring.start()
runpy.run_path(plant)
code = int(pytest.main(list(arguments)))  # it adds to the list
if code == usage_error:
    code = int(pytest.main([*arguments, "-o", "addopts="]))
measuring.stop()
data = measuring.get_data()
lines = {name: data.lines(name) for name in data.measured_files()}
_result = {"exit_code": code, "plant": lines.pop(plant, None), "files": lines}
"""


@dataclass(frozen=True, slots=True)
class MeasuredSuite:
    """What a suite ran; or why nothing was measured. `exit_code` is pytest's."""

    coverage: RawCoverage | None
    exit_code: int | None
    problem: str | None = None


def measure_suite(
    sandbox: Sandbox, index: CodeIndex, section: CandidatesSection, python: str | None = None
) -> MeasuredSuite:
    """Run the suite of a repository under coverage.py. What nothing ran is covered by nothing."""
    request = suite_request(_SCRIPT, sandbox.tier, index, section, python, planted=_PLANT)
    execution = sandbox.run(request)
    if not execution.succeeded:
        return MeasuredSuite(None, None, _problem(execution))
    answer = execution.output
    if not isinstance(answer, Mapping):
        return MeasuredSuite(None, None, "the suite ended the interpreter before its end")
    _check_plant(answer.get("plant"))
    code, files = answer.get("exit_code"), answer.get("files")
    if not isinstance(files, Mapping) or not all(map(_is_lines, files.values())):
        return MeasuredSuite(None, None, "the suite's coverage is not what coverage.py gives")
    if type(code) is not int or code in (_INTERNAL_ERROR, USAGE_ERROR):
        return MeasuredSuite(None, None, f"pytest could not run it and ended with {code}")
    paths = {each.path: str(Path(index.repository) / each.path) for each in index.modules}
    found = {path: RawFile(frozenset(files.get(place, ())), None) for path, place in paths.items()}
    return MeasuredSuite(RawCoverage(found), code)


def _check_plant(lines: Any) -> None:
    if not isinstance(lines, list) or _PLANT_SEEN not in lines or _PLANT_UNSEEN in lines:
        raise InstrumentUnproven("coverage", f"of the planted file it saw the lines {lines}")


def _is_lines(lines: Any) -> bool:
    return isinstance(lines, list) and all(
        type(line) is int and 0 <= line <= MAX_LINE for line in lines
    )


def _problem(execution: Execution) -> str:
    reason = execution.error.message if execution.error is not None else ""
    return f"{execution.outcome}: {reason}"
