"""A look at a repository before anything is tried: does its own suite run here, and pass?

    784 passed, 0 failed, 3 skipped in 12 s, Python 3.12, environment made from tox.ini [testenv]

What would make every later answer worthless stops: test files that cannot be imported, declared
dependencies that are missing, more than a few failing tests, a suite that does not come to its
end, a budget that leaves no time to try anything. Each says the command that mends it.
"""

from __future__ import annotations

import math
import re
import shlex
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from reverie.environment.declarations import read_requirement
from reverie.environment.mends import (
    absent_modules,
    extras_named,
    known_mends,
    likely_distributions,
    mend_install,
    own_package,
)
from reverie.environment.needs import find_test_files
from reverie.environment.part import files_about, in_order, module_paths
from reverie.environment.pythons import IMPROVED, reach_of
from reverie.environment.setup_files import read_text
from reverie.errors import OutOfTime, UsageError
from reverie.instruments.mutation.project import Project, find_project, has_tests
from reverie.instruments.suite.instrument import limits_for, policy_for
from reverie.instruments.suite.plain import DISGUISE, PlainRun, run_plainly
from reverie.model.codec import Malformed, read
from reverie.model.execution import Call, Request
from reverie.model.measurements.suite import TestEnd
from reverie.model.outcome import counted
from reverie.model.repository.environment import Finding, Preflight, SuitePart, Surroundings
from reverie.model.settings.cycle import EnvironmentSection
from reverie.sandbox.bundle import source_of
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.policy import is_inside

TOO_SMALL = "budget_too_small"
_SUITE_RUNS = 2
"""At the least, before anything of a cycle is proven: with coverage, and with a change."""
_MOSTLY = 0.6
_FIT_SHARE = 1 / 6
"""Of the time that is left: what a suite may take. It is run once more with every line followed,
and again with each change."""
_WHOLE_SHARE = 0.5
"""Of that, for all of it in one run; else its files get what fits, and that may be all of them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How long a suite may take; of one that takes longer only a part is asked."""

    seconds: float
    """For its files in turn."""
    whole_seconds: float
    """Before that, for all of it in one run."""
    is_known_long: bool = False
    """Whether it took longer before: then all of it is not tried again."""


def fit_for(seconds_left: float) -> Fit:
    """What fits into the time that is left of a budget."""
    return Fit(_FIT_SHARE * seconds_left, _WHOLE_SHARE * _FIT_SHARE * seconds_left)


@dataclass(frozen=True, slots=True)
class Spent:
    """What of a budget is gone before anything is tried."""

    budget_seconds: float
    making_seconds: float
    """On the environment."""
    suite_seconds: float
    """On the run of the suite, also where it was cut off."""

    @property
    def left_seconds(self) -> float:
        """For everything else."""
        return self.budget_seconds - self.making_seconds - self.suite_seconds


def cut_off(seconds: float) -> Finding:
    """A suite that was ended because the time was over."""
    words = f"the suite did not come to its end within {seconds:.0f} s"
    return Finding(TOO_SMALL, words, "reverie prepare")


def never_made(budget_seconds: float) -> Finding:
    """An environment that could not be made in the time there is."""
    words = f"making the environment takes longer than a budget of {budget_seconds:.0f} s"
    return Finding(TOO_SMALL, words, "reverie prepare --yes")


def findings_within(found: Preflight, spent: Spent | None) -> tuple[Finding, ...]:
    """What stops: the findings, and a budget that leaves no time to run the suite again."""
    if spent is None:
        return tuple(found.findings)
    others = tuple(each for each in found.findings if each.code != TOO_SMALL)
    is_cut_off = len(others) < len(found.findings)
    if not is_cut_off and spent.left_seconds >= _SUITE_RUNS * found.seconds:
        return others
    return (*others, _too_small(found, spent, is_cut_off=is_cut_off))


def _too_small(found: Preflight, spent: Spent, *, is_cut_off: bool) -> Finding:
    budget = spent.budget_seconds
    if spent.making_seconds > _MOSTLY * budget:
        # It is kept: the same command has the whole budget for itself the next time.
        least = budget
        why = f"making the environment, which is kept, took {spent.making_seconds:.0f} s"
    elif is_cut_off:
        least = 2 * (budget + spent.suite_seconds)
        why = f"the suite did not come to its end in the {spent.suite_seconds:.0f} s that it had"
    else:
        least = budget + _SUITE_RUNS * found.seconds
        why = f"the suite takes {found.seconds:.0f} s"
    return Finding(
        TOO_SMALL,
        f"a budget of {budget:.0f} s leaves no time to try anything: {why}",
        f"reverie run --budget {60 * math.ceil(least / 60)}s",
    )


_KEEP_ON = ("--continue-on-collection-errors",)
_IMPORT_SECONDS = 60.0
_NOT_MODULES = frozenset({"__main__", "setup", "conf"})
_FEW = 0.02
"""The share of tests that may fail, of many."""
_COLLECTION = "collection failure"
_NOTHING = "no test was collected"
_NOT_DONE = "no answer in time"
_VERBOSE = "--verbosity=1"
"""Then the name of a test is there before it ends: the one that hangs can be told."""
_PATIENCE = 1.5
"""Times what the quickest of them took, which is mostly for what all of them import."""
_LEAST_SECONDS = 1.0
"""With less than this left no more files are begun."""


@dataclass(frozen=True, slots=True)
class Look:
    """What one run of a suite came to."""

    ends: Mapping[str, TestEnd]
    reasons: Mapping[str, str]
    broken: Mapping[str, str]
    """Test files that cannot be imported, with the reason."""
    seconds: float
    silence: str | None = None
    is_late: bool = False
    standing: str | None = None
    """The test that it stood at when it was cut off."""

    @property
    def failing(self) -> tuple[str, ...]:
        """Ids of tests that failed."""
        return tuple(name for name, end in self.ends.items() if end is TestEnd.FAILED)

    @property
    def is_clean(self) -> bool:
        """Whether there is nothing to complain about."""
        return not self.failing and not self.broken and self.silence is None


def check_repository(
    sandbox: Sandbox,
    folder: Path,
    around: Surroundings,
    section: EnvironmentSection,
    tests: tuple[str, ...] = (),
    fit: Fit | None = None,
) -> Preflight:
    """Look at a copy of a repository; its suite or some `tests` run, and again if they fail.

    With a `fit`, of a suite that takes longer as many files as come to their end.
    """
    found = Preflight(around.python_version, around.label, around.missing, notes=around.notes)
    if around.missing:
        # Nothing that is run without them says anything about the repository.
        return replace(found, findings=tuple(missing_findings(around)))
    old = tuple(_too_old(around))
    if reach_of(around.python_version) == "not run":
        return replace(found, findings=old)
    try:
        places = tuple(f"{folder}/{each}" for each in tests)
        project = find_project(folder, tests=places, python=around.python)
    except UsageError as error:
        return replace(found, notes=(*found.notes, str(error)))
    began = time.monotonic()
    try:
        unimportable = _import_modules(sandbox, project)
        look, part = look_at_suite(sandbox, project, section.suite_seconds, fit)
        if not look.is_clean and not look.is_late:
            look = _looked_again(look, sandbox, project, section.suite_seconds)
    except OutOfTime:
        return replace(found, findings=(cut_off(time.monotonic() - began),))
    if look.is_late and fit is not None and fit.seconds < section.suite_seconds:
        return replace(found, findings=(cut_off(time.monotonic() - began),))
    found = replace(
        found,
        passed=sum(end is TestEnd.PASSED for end in look.ends.values()),
        failed=len(look.failing),
        skipped=sum(end is TestEnd.SKIPPED for end in look.ends.values()),
        seconds=round(look.seconds, 1),
        failing={name: look.reasons.get(name, "") for name in look.failing},
        broken=dict(look.broken),
        unimportable=unimportable,
        part=part,
    )
    findings = tuple(_findings(found, look, around, section, project))
    return replace(found, findings=(*old, *findings))


def _too_old(around: Surroundings) -> Iterator[Finding]:
    reach = reach_of(around.python_version)
    if reach != "improved":
        yield Finding(
            "python_too_old",
            f"code that needs Python {around.python_version} is not improved ({reach}): "
            f"that takes Python {'.'.join(map(str, IMPROVED))} or newer",
            "reverie doctor",
        )


def look_at_suite(
    sandbox: Sandbox, project: Project, most_seconds: float, fit: Fit | None
) -> tuple[Look, SuitePart | None]:
    """The whole suite; the part of it that fits, where it takes longer."""
    if fit is None:
        return _run_suite(sandbox, project, most_seconds), None
    seconds = min(fit.seconds, most_seconds)
    tried = Look({}, {}, {}, seconds, _NOT_DONE, is_late=True)
    if not fit.is_known_long:
        tried = _run_suite(sandbox, project, min(fit.whole_seconds, most_seconds))
    return _run_part(sandbox, project, seconds, tried) if tried.is_late else (tried, None)


def _run_part(
    sandbox: Sandbox, project: Project, seconds: float, tried: Look
) -> tuple[Look, SuitePart | None]:
    """Files of tests in turn, more at a time as long as they end; what was `tried` where none does.

    A file that does not end by itself is left out, so one that hangs costs no other. Where all of
    them end it is the whole suite. As long as none has ended there is twice the time: some take
    half of it for what they import.
    """
    about = files_about(project)
    left = list(in_order(project, about))
    ends_at, size, doubted = time.monotonic() + seconds, 1, 0
    looks: list[Look] = []
    asked: list[str] = []
    dear: list[str] = []
    while left:
        remaining = ends_at - time.monotonic() + (0.0 if looks else seconds)
        if remaining < _LEAST_SECONDS:
            break
        some, rest = left[:size], left[size:]
        alone = min((each.seconds for each in looks), default=0.0)
        most = min(remaining, max(remaining / 2, _PATIENCE * alone))
        look = _run_suite(sandbox, replace(project, tests=tuple(some)), most)
        doubted -= len(some)
        if look.is_late:
            doubted = max(doubted, 0) if size == 1 else len(some)
            dear, left = (dear + some, rest) if size == 1 else (dear, left)
            size = max(size // 4, 1)
            continue
        looks.append(look)
        asked += some
        left, size = rest, size if doubted > 0 else 2 * size
    part = SuitePart(
        tuple(asked),
        tuple(dear + left),
        frozenset(path for path, files in about.items() if not files <= set(asked)),
    )
    joined = _joined(looks)
    if not joined.ends and not joined.broken:
        return tried, None
    return joined, part if part.left_out else None


def _joined(looks: Sequence[Look]) -> Look:
    """Runs of different files as one; files without a test say nothing."""
    silences = [each.silence for each in looks if each.silence not in (None, _NOTHING)]
    return Look(
        {name: end for each in looks for name, end in each.ends.items()},
        {name: why for each in looks for name, why in each.reasons.items()},
        {file: why for each in looks for file, why in each.broken.items()},
        sum(each.seconds for each in looks),
        silences[0] if silences else None,
    )


def _run_suite(sandbox: Sandbox, project: Project, seconds: float) -> Look:
    began = time.monotonic()
    run = run_plainly(sandbox, project, project.tests, (), seconds, (*_KEEP_ON, _VERBOSE))
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
    silence = _silence(run, ends, broken)
    return Look(ends, reasons, broken, spent, silence, run.is_late, run.standing)


def _silence(run: PlainRun, ends: Mapping[str, TestEnd], broken: Mapping[str, str]) -> str | None:
    if run.silence is not None:
        return run.silence
    return None if ends or broken else _NOTHING


def _looked_again(look: Look, sandbox: Sandbox, project: Project, seconds: float) -> Look:
    """The same after a second run of the files that it complains of; what comes and goes passes."""
    files = {
        *look.broken,
        *(_file_above(each.partition("::")[0], project) for each in look.failing),
    }
    if look.silence is not None or None in files:
        return _better(look, _run_suite(sandbox, project, seconds))
    chosen = replace(project, tests=tuple(sorted(filter(None, files))))
    again = _run_suite(sandbox, chosen, seconds)
    whole = replace(
        again,
        ends={**look.ends, **again.ends},
        reasons={**look.reasons, **again.reasons},
        seconds=look.seconds,
    )
    return _better(look, whole)


def _better(first: Look, second: Look) -> Look:
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
    telling = [each for each in parts
               if ("Error" in each or "not found" in each) and _COLLECTION not in each]  # fmt: skip
    return " ".join((telling or parts)[-1].split())[:300]


def _import_modules(sandbox: Sandbox, project: Project) -> dict[str, str]:
    """Modules that cannot be imported, with why; optional parts of a project may be among them."""
    modules = sorted(
        each for each in module_paths(project) if each.rpartition(".")[2] not in _NOT_MODULES
    )
    params = {"paths": list(project.import_paths), "modules": modules}
    call = Call(_program(), "import_all", {"request": params})
    policy = replace(policy_for(sandbox, project, hash_seed=0, disguise=DISGUISE), preload=())
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


def read_preflight(kept: object, around: Surroundings) -> Preflight | None:
    """What was kept, in the words of now; None where there is nothing that can be read."""
    if kept is None:
        return None
    try:
        found = read(Preflight, kept, "a kept preflight")
    except Malformed:
        return None  # by another version: it is looked at anew
    return replace(found, python_version=around.python_version, label=around.label)


def _program() -> str:
    return source_of("reverie.environment.inside.importing")


def missing_findings(around: Surroundings) -> Iterator[Finding]:
    """What is declared and not there."""
    if around.missing:
        names = ", ".join(around.missing)
        yield Finding(
            "missing_dependencies",
            f"declared and not installed for {around.label}: {names}",
            mend_install(around, around.missing),
        )


def _findings(
    found: Preflight,
    look: Look,
    around: Surroundings,
    section: EnvironmentSection,
    project: Project,
) -> Iterator[Finding]:
    optional = tuple(found.unimportable.values())
    if look.is_late:
        seconds = section.suite_seconds
        yield Finding(
            "suite_hangs",
            f"the suite did not come to its end within {seconds:.0f} s"
            + (f": it stood at {look.standing}" if look.standing else ""),
            f"REVERIE_ENVIRONMENT_SUITE_SECONDS={2 * seconds:.0f} reverie prepare",
        )
    elif look.silence == _NOTHING and not any(map(has_tests, find_test_files(Path(project.root)))):
        pass  # a repository may get its first test
    elif look.silence is not None:
        wants = likely_distributions(absent_modules([look.silence, *optional], around, project))
        yield _mended_by(
            wants, "suite_silent", f"the suite did not run: {look.silence}", around, project
        )
    empty = tuple(_empty_submodules(Path(project.root)))
    if (found.broken or found.failed) and empty:
        yield Finding(
            "missing_submodules",
            f"the suite fails, and submodules are not checked out: {', '.join(empty)}",
            "git submodule update --init --recursive",
        )
    if found.broken:
        reasons = tuple(found.broken.values())
        names = absent_modules((*reasons, *optional), around, project, tuple(found.broken))
        few = "; ".join(f"{file} ({why})" for file, why in list(found.broken.items())[:3])
        yield _mended_by(
            [*likely_distributions(names), *known_mends(reasons)],
            "broken_test_files",
            f"{counted(len(found.broken), 'test file')} cannot be imported: {few}",
            around,
            project,
        )
    reasons = tuple(found.failing.values())
    known = [
        *own_package(reasons, around, project),
        *likely_distributions(absent_modules(reasons, around, project, _files_of(found, project))),
        *extras_named(found.failing, around),
        *known_mends(reasons),
    ]
    is_lacking = bool(known) and found.failed > _FEW * (found.failed + (found.passed or 0))
    if found.failed > _most_failing(found, section) or is_lacking:
        yield _mended_by(
            known,
            "failing_tests",
            f"{counted(found.failed, 'test')} failed on the unchanged code",
            around,
            project,
        )
    elif found.failed and not found.passed:
        yield Finding("failing_tests", "no test passes", _plainly(around, project))


def _most_failing(found: Preflight, section: EnvironmentSection) -> float:
    """How many tests may fail: of many more than of few, and none where none may."""
    share = _FEW * (found.failed + (found.passed or 0))
    return section.most_failing and max(section.most_failing, share)


def _mended_by(
    wants: Sequence[str], code: str, text: str, around: Surroundings, project: Project
) -> Finding:
    """What stops, with the command that installs these; else the one that shows the suite."""
    command = mend_install(around, wants) if wants else _plainly(around, project)
    names = tuple(each for each in wants if read_requirement(each) is not None)
    return Finding(code, text, command, names)


def _files_of(found: Preflight, project: Project) -> tuple[str, ...]:
    """The test files that failing tests lie in; what only other files import is not missed."""
    owners = {name.partition("::")[0] for name in found.failing}
    files = (_file_above(each, project) for each in owners)
    return tuple(sorted(each for each in files if each is not None))


def _file_above(dotted: str, project: Project) -> str | None:
    parts = dotted.split(".")
    places = ("/".join(parts[:count]) + ".py" for count in range(len(parts), 0, -1))
    return next((each for each in places if Path(project.root, each).is_file()), None)


def _empty_submodules(root: Path) -> Iterator[str]:
    """Folders that another repository belongs into, and nothing lies in."""
    text = read_text(root / ".gitmodules") or ""
    for name in re.findall(r"^\s*path\s*=\s*(\S+)\s*$", text, re.MULTILINE):
        folder = root / name
        if is_inside(str(folder), str(root)) and not any(folder.glob("*")):
            yield name


def _plainly(around: Surroundings, project: Project) -> str:
    """The command that shows a person what the suite says."""
    python = around.python or "python"
    return f"{shlex.quote(python)} -m pytest {' '.join(map(shlex.quote, project.tests))}"
