"""A look at a repository before anything is tried: does its own suite run here, and pass?

    784 passed, 0 failed, 3 skipped in 12 s, Python 3.12, environment made from tox.ini [testenv]

What would make every later answer worthless stops: test files that cannot be imported, declared
dependencies that are missing, more than a few failing tests, a suite that does not come to its end.
Each says the command that mends it.
"""

from __future__ import annotations

import math
import re
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path, PurePosixPath

from reverie.environment.setup_files import read_text
from reverie.environment.suite_imports import distributions_of, find_test_files
from reverie.errors import OutOfTime, UsageError
from reverie.instruments.mutation.project import Project, find_project
from reverie.instruments.suite.instrument import limits_for, policy_for
from reverie.instruments.suite.plain import PlainRun, run_plainly
from reverie.model.codec import Malformed, read
from reverie.model.environment import Finding, Preflight, Surroundings
from reverie.model.environment_sections import EnvironmentSection
from reverie.model.execution import Call, Request
from reverie.model.suite import TestEnd
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.policy import is_inside

_KEEP_ON = ("--continue-on-collection-errors",)
_SUITE_RUNS = 2
"""At the least, before anything of a cycle is proven: with coverage, and with a change."""
_IMPORT_SECONDS = 60.0
_NOT_MODULES = frozenset({"__main__", "setup", "conf"})
_COLLECTION = "collection failure"
_NOTHING = "no test was collected"


@dataclass(frozen=True, slots=True)
class _Look:
    """What one run of a suite came to."""

    ends: Mapping[str, TestEnd]
    reasons: Mapping[str, str]
    broken: Mapping[str, str]
    """Test files that cannot be imported, with the reason."""
    seconds: float
    silence: str | None = None
    is_late: bool = False

    @property
    def failing(self) -> tuple[str, ...]:
        """Ids of tests that failed."""
        return tuple(name for name, end in self.ends.items() if end is TestEnd.FAILED)

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to complain about."""
        return not self.failing and not self.broken and self.silence is None


def check_repository(
    sandbox: Sandbox, folder: Path, around: Surroundings, section: EnvironmentSection
) -> Preflight:
    """Look at a copy of a repository; the suite is run once, and again if it failed."""
    found = Preflight(around.python_version, around.label, around.missing, notes=around.notes)
    if around.missing:
        # Nothing that is run without them says anything about the repository.
        return replace(found, findings=tuple(missing_findings(around)))
    try:
        project = find_project(folder, python=around.python)
    except UsageError as error:
        return replace(found, notes=(*found.notes, str(error)))
    began = time.monotonic()
    try:
        unimportable = _import_modules(sandbox, project)
        look = _run_suite(sandbox, project, section.suite_seconds)
        if not look.is_clean and not look.is_late:
            look = _better(look, _run_suite(sandbox, project, section.suite_seconds))
    except OutOfTime:
        return replace(found, findings=(_too_long(time.monotonic() - began),))
    found = replace(
        found,
        passed=sum(end is TestEnd.PASSED for end in look.ends.values()),
        failed=len(look.failing),
        skipped=sum(end is TestEnd.SKIPPED for end in look.ends.values()),
        seconds=round(look.seconds, 1),
        failing={name: look.reasons.get(name, "") for name in look.failing},
        broken=dict(look.broken),
        unimportable=unimportable,
    )
    return replace(found, findings=tuple(_findings(found, look, around, section, project)))


def _run_suite(sandbox: Sandbox, project: Project, seconds: float) -> _Look:
    began = time.monotonic()
    run = run_plainly(sandbox, project, project.tests, (), seconds, _KEEP_ON)
    spent = time.monotonic() - began
    ends: dict[str, TestEnd] = {}
    reasons: dict[str, str] = {}
    broken: dict[str, str] = {}
    for (owner, name), end in run.ends.items():
        reason = run.reasons.get((owner, name), "")
        file = _file_of(f"{owner}.{name}".strip("."), project) if _COLLECTION in reason else None
        if file is not None:
            broken[file] = _told(reason)
        else:
            place = f"{owner}::{name}" if owner else name
            ends[place] = end
            reasons[place] = _told(reason)
    return _Look(ends, reasons, broken, spent, _silence(run, ends, broken), run.is_late)


def _silence(run: PlainRun, ends: Mapping[str, TestEnd], broken: Mapping[str, str]) -> str | None:
    if run.silence is not None:
        return run.silence
    return None if ends or broken else _NOTHING


def _better(first: _Look, second: _Look) -> _Look:
    """Of two runs the one with fewer complaints: tests that come and go are not failures."""
    cost = [len(each.failing) + 1000 * (len(each.broken) + 10 * bool(each.silence))
            for each in (first, second)]  # fmt: skip
    return second if cost[1] <= cost[0] else first


def _file_of(dotted: str, project: Project) -> str | None:
    """The file of a dotted name in a report; None for a name inside of a file."""
    parts = dotted.split(".")
    path = PurePosixPath(*parts)
    for each in (f"{path}.py", f"{path}/__init__.py", str(path)):
        if Path(project.root, each).exists():
            return each
    above = (PurePosixPath(*parts[:count]) for count in range(1, len(parts)))
    if any(Path(project.root, f"{each}.py").is_file() for each in above):
        return None
    return f"{path}.py"


def _told(reason: str) -> str:
    """The most telling part of a reason, in one line."""
    parts = [each.strip().removeprefix("E ").strip() for each in reason.split(" | ")]
    telling = [each for each in parts if "Error" in each and _COLLECTION not in each]
    return " ".join((telling or parts)[-1].split())[:300]


def _import_modules(sandbox: Sandbox, project: Project) -> dict[str, str]:
    """Modules that cannot be imported, with why; optional parts of a project may be among them."""
    modules = sorted(_module_names(project))
    params = {"paths": list(project.import_paths), "modules": modules}
    call = Call(_program(), "import_all", {"request": params})
    policy = replace(policy_for(sandbox, project, hash_seed=0, disguise=0), preload=())
    execution = sandbox.run(Request(call, limits_for(sandbox, _IMPORT_SECONDS), policy))
    output = execution.output
    failed = output.get("failed") if execution.succeeded and isinstance(output, Mapping) else None
    if not isinstance(failed, Mapping):
        return {"*": f"the modules could not be imported in one process: {execution.outcome}"}
    return {
        str(name): " ".join(f"{why[0]}: {why[1]}".split())[:300]
        for name, why in failed.items()
        if isinstance(why, list) and len(why) == 3
    }


def _module_names(project: Project) -> Iterator[str]:
    roots = sorted((Path(each) for each in project.import_paths), key=lambda p: -len(p.parts))
    for file in project.files:
        place = Path(project.root, file)
        root = next((each for each in roots if place.is_relative_to(each)), None)
        if root is None:
            continue
        parts = place.relative_to(root).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        if parts and parts[-1] not in _NOT_MODULES and all(each.isidentifier() for each in parts):
            yield ".".join(parts)


def read_preflight(kept: object, around: Surroundings) -> Preflight | None:
    """What was kept, in the words of now; None where there is nothing that can be read."""
    if kept is None:
        return None
    try:
        found = read(Preflight, kept, "a kept preflight")
    except Malformed:
        return None  # by another version: it is looked at anew
    return replace(found, python_version=around.python_version, label=around.label)


@cache
def _program() -> str:
    return (Path(__file__).parent / "inside" / "importing.py").read_text("utf-8")


def missing_findings(around: Surroundings) -> Iterator[Finding]:
    """What is declared and not there."""
    if around.missing:
        names = ", ".join(around.missing)
        yield Finding(
            "missing_dependencies",
            f"declared and not installed for {around.label}: {names}",
            mend_install(around, around.missing),
        )


def budget_findings(
    found: Preflight, seconds: float | None, left: float | None
) -> Iterator[Finding]:
    """A budget of which the suite leaves too little: a trial runs it more than once."""
    if seconds is not None and left is not None and left < _SUITE_RUNS * found.seconds:
        yield _too_long(found.seconds, seconds)


def _too_long(suite_seconds: float, seconds: float | None = None) -> Finding:
    least = _SUITE_RUNS * suite_seconds + (seconds or suite_seconds)
    said = f"takes {suite_seconds:.0f} s" if seconds else "did not come to its end in that time"
    given = f"a budget of {seconds:.0f} s" if seconds else f"a budget of {suite_seconds:.0f} s"
    return Finding(
        "budget_too_small",
        f"{given} leaves no time to try anything: the suite {said}",
        f"reverie run --budget {60 * math.ceil(least / 60)}s",
    )


def _findings(
    found: Preflight,
    look: _Look,
    around: Surroundings,
    section: EnvironmentSection,
    project: Project,
) -> Iterator[Finding]:
    if look.is_late:
        seconds = section.suite_seconds
        yield Finding(
            "suite_hangs",
            f"the suite did not come to its end within {seconds:.0f} s",
            f"REVERIE_ENVIRONMENT_SUITE_SECONDS={2 * seconds:.0f} reverie prepare",
        )
    elif look.silence == _NOTHING and not any(find_test_files(Path(project.root))):
        pass  # a repository may get its first test
    elif look.silence is not None:
        yield Finding(
            "suite_silent", f"the suite did not run: {look.silence}", _plainly(around, project)
        )
    empty = tuple(_empty_submodules(Path(project.root)))
    if (found.broken or found.failed) and empty:
        yield Finding(
            "missing_submodules",
            f"the suite fails, and submodules are not checked out: {', '.join(empty)}",
            "git submodule update --init --recursive",
        )
    if found.broken:
        names = sorted({name for each in found.broken.values() for name in _modules_named(each)})
        few = "; ".join(f"{file} ({why})" for file, why in list(found.broken.items())[:3])
        command = mend_install(around, _guesses(names)) if names else _plainly(around, project)
        if not names and all("PytestRemovedIn" in each for each in found.broken.values()):
            command = mend_install(around, ["pytest<9"])  # warnings that the suite makes errors
        yield Finding(
            "broken_test_files",
            f"{len(found.broken)} test files cannot be imported: {few}",
            command,
        )
    if found.failed > section.most_failing:
        yield Finding(
            "failing_tests",
            f"{found.failed} tests fail on the unchanged code",
            _plainly(around, project),
        )
    elif found.failed and not found.passed:
        yield Finding("failing_tests", "no test passes", _plainly(around, project))


def _empty_submodules(root: Path) -> Iterator[str]:
    """Folders that another repository belongs into, and nothing lies in."""
    text = read_text(root / ".gitmodules") or ""
    for name in re.findall(r"^\s*path\s*=\s*(\S+)\s*$", text, re.MULTILINE):
        folder = root / name
        if is_inside(str(folder), str(root)) and not any(folder.glob("*")):
            yield name


def _modules_named(reason: str) -> Iterator[str]:
    for each in re.finditer(r"No module named '([\w.]+)'", reason):
        yield each[1].partition(".")[0]


def _guesses(names: Sequence[str]) -> list[str]:
    """The likeliest distributions of modules; a person reads the command before it is run."""
    found = []
    for name in names:
        others = sorted(distributions_of(name) - {name, f"python-{name}", f"py{name}"})
        found.append(others[0] if others else name)
    return found


def mend_install(around: Surroundings, names: Sequence[str]) -> str:
    """The command after which these are there."""
    words = " ".join(shlex.quote(each) for each in names)
    if around.is_made:
        return "reverie prepare --yes " + " ".join(f"--with {shlex.quote(each)}" for each in names)
    if around.python is None:
        return "reverie prepare --yes"
    return f"{shlex.quote(around.python)} -m pip install {words}"


def _plainly(around: Surroundings, project: Project) -> str:
    """The command that shows a person what the suite says."""
    python = around.python or "python"
    return f"{shlex.quote(python)} -m pytest {' '.join(map(shlex.quote, project.tests))}"
