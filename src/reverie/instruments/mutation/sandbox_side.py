"""Asks the far side, in the sandbox: each question is one execution, each answer a claim.

The far side shares its interpreter with the target's code: whatever it says may have been said by
that. So nothing is believed beyond its shape, anything of another shape is refused, and names are
looked up on this side.
"""

import hashlib
import math
import os
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from reverie.errors import MachineryError, SilentTests
from reverie.instruments.mutation.program import ENTRY, far_side, private_folders
from reverie.instruments.mutation.project import Project
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request
from reverie.model.measurements.suite import CoverageMap, Mutant, TestLook
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.sandbox.engine import Sandbox

T = TypeVar("T")
VERDICTS = frozenset({"survived", "killed", "equivalent", "unfit", "timeout", "died", "invalid"})
_TEXT_CHARACTERS = 500


@dataclass(frozen=True, slots=True)
class SurveyedFile:
    """The mutants of a file, or why there are none."""

    file: str
    mutants: tuple[Mutant, ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SliceResult:
    """What a warm process says of one mutant. `test` is a place in the list of tests, or -1."""

    key: str
    verdict: str
    test: int
    is_sure: bool


@dataclass(frozen=True, slots=True)
class SliceAnswer:
    """What a warm process says of a slice."""

    results: tuple[SliceResult, ...]
    alone: tuple[int, ...]
    cpu_seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class FreshAnswer:
    """What a process that imported everything anew says of one mutant."""

    is_killed: bool
    killer: str | None
    ran: int


def read_survey(answer: Any, asked: Sequence[str]) -> tuple[SurveyedFile, ...]:
    """The files of a survey, in the order asked for."""
    files = _list(_dict(answer).get("files"))
    if [_dict(each).get("file") for each in files] != list(asked):
        raise _wrong("a survey of other files")
    return tuple(_surveyed(_dict(each)) for each in files)


def _surveyed(file: Mapping[str, Any]) -> SurveyedFile:
    name = _text(file["file"])
    if "error" in file:
        return SurveyedFile(name, error=_text(file["error"]))
    seen: dict[tuple[str, str], int] = {}
    mutants = []
    for number, row in enumerate(_list(file.get("mutants"))):
        if row is None:
            continue
        operator, scope, unit, line, first, last, start, end, written = _row(row, 9)
        key = (_text(scope), _text(operator))
        seen[key] = seen.get(key, 0) + 1
        mutants.append(
            Mutant(
                id=f"{name}::{scope}::{operator}::{seen[key]}",
                file=name,
                line=_whole(line),
                operator=operator,
                scope=scope,
                unit=None if unit is None else _text(unit),
                first_line=_whole(first),
                last_line=_whole(last),
                start=_whole(start),
                end=_whole(end),
                replacement=_text(written, 100_000),
                number=number,
            )
        )
    return SurveyedFile(name, tuple(mutants))


def read_baseline(answer: Any, root: str) -> CoverageMap:
    """The coverage map of a baseline; files by name relative to the root."""
    found = _dict(answer)
    return CoverageMap(
        tests=tuple(_look(_dict(each), root) for each in _list(found.get("tests"))),
        imports=_lines(found.get("imports"), root),
        import_arcs=_arcs(found.get("import_arcs"), root),
        collect_seconds=_number(found.get("collect_seconds")),
        broken=tuple(
            (_text(_dict(each).get("id")), _text(_dict(each).get("why")))
            for each in _list(found.get("collection_errors"))
        ),
        writes=tuple(_text(each) for each in _list(found.get("writes"))),
        is_restorable=found.get("restorable") is True,
    )


def _look(test: Mapping[str, Any], root: str) -> TestLook:
    outcome = _text(test.get("outcome"))
    if outcome not in ("passed", "failed", "skipped"):
        raise _wrong(f"the outcome {outcome!r}")
    return TestLook(
        id=_text(test.get("id"), 4000),
        outcome=outcome,
        reason=_text(test.get("why")),
        cpu_seconds=_number(test.get("cpu")),
        is_slow=test.get("slow") is True,
        starts_processes=test.get("starts") is True,
        lines=_lines(test.get("lines"), root),
        arcs=_arcs(test.get("arcs"), root),
        is_traced=test.get("traced") is True,
    )


def _lines(value: Any, root: str) -> dict[str, dict[str, frozenset[int]]]:
    return {
        _name(path, root): {
            name: frozenset(_whole(line) for line in _list(lines))
            for name, lines in _dict(functions).items()
        }
        for path, functions in _dict(value).items()
    }


def _arcs(value: Any, root: str) -> dict[str, frozenset[tuple[int, int]]]:
    return {
        _name(path, root): frozenset(
            (_whole(step[0]), _whole(step[1])) for step in (_row(each, 2) for each in _list(arcs))
        )
        for path, arcs in _dict(value).items()
    }


def _name(path: str, root: str) -> str:
    """A file from the root on; what a cache has kept is named so already."""
    return os.path.relpath(path, root) if os.path.isabs(path) else path


def read_slice(answer: Any, asked: frozenset[str], tests: int) -> SliceAnswer:
    """Verdicts about mutants that were asked for, and tests that exist."""
    found = _dict(answer)
    results = []
    for each in map(_dict, _list(found.get("results"))):
        result = SliceResult(
            _text(each.get("key"), 4000),
            _text(each.get("verdict")),
            _whole(each.get("test")),
            each.get("sure") is True,
        )
        if result.key not in asked or result.verdict not in VERDICTS:
            raise _wrong(f"a verdict {result.verdict!r} on {result.key!r}")
        results.append(result)
    alone = tuple(_whole(each) for each in _list(found.get("alone")))
    return SliceAnswer(tuple(results), tuple(test for test in alone if 0 <= test < tests))


def read_fresh(answer: Any) -> FreshAnswer:
    """How the tests went afresh. Tests that could not begin have noticed something."""
    found = _dict(answer)
    code = _whole(found.get("exit"))
    if type(found.get("killed")) is not bool:
        return FreshAnswer(code != 0, None, 0)
    killer = found.get("killer")
    is_killed = found["killed"] or code in (2, 3, 4)
    named = None if killer is None else _text(killer, 4000)
    return FreshAnswer(is_killed, named, _whole(found.get("ran")))


def _wrong(what: str) -> MachineryError:
    return MachineryError(f"the mutation process answered with {what}")


def _checked(value: Any, kind: type[T]) -> T:
    if type(value) is not kind:
        raise _wrong(f"{type(value).__name__} instead of {kind.__name__}")
    return value


def _dict(value: Any) -> dict[str, Any]:
    return _checked(value, dict)


def _list(value: Any) -> list[Any]:
    return _checked(value, list)


def _row(value: Any, width: int) -> list[Any]:
    if len(_list(value)) != width:
        raise _wrong(f"a row of {len(value)}")
    return _list(value)


def _text(value: Any, most: int = _TEXT_CHARACTERS) -> str:
    return _checked(value, str)[:most]


def _whole(value: Any) -> int:
    return _checked(value, int)


def _number(value: Any) -> float:
    if type(value) not in (int, float) or not math.isfinite(value):
        raise _wrong("something that is no number")
    return float(value)


PRELOADED = (
    "pytest", "unittest", "doctest", "json", "mmap", "shutil", "tokenize", "fractions",
    "tempfile", "select", "asyncio",
)  # fmt: skip
"""What whoever runs a suite needs, plugins of pytest as well: instruments share their slots."""
SUITE_DISK_BYTES = 256 * MIB
_SEED = 1337
_SPENT = (TestOutcome.TIMEOUT, TestOutcome.RESOURCE_EXHAUSTION)
_START_SECONDS = 30.0
_FRESH_TIMES = 30.0
_SURVEYED: dict[str | None, tuple[str, SurveyedFile]] = {}
"""Files by what their mutants depend on: both trees of a trial have nearly the same ones."""
_MOST_SURVEYED = 2000
_WALL_PER_CPU = 4.0
"""How much longer than its CPU time a slice may take on a busy machine; `server` knows it too."""


@dataclass(frozen=True, slots=True)
class Order:
    """A mutant for a warm process: which tests reach it, and whether an import does."""

    mutant: Mutant
    at_import: bool
    tests: tuple[int, ...]


class FarSide:
    """One project in one sandbox. Thread-safe, like the sandbox."""

    def __init__(
        self,
        sandbox: Sandbox,
        project: Project,
        *,
        exhaustive: bool,
        baseline_seconds: float,
        looks_alone: bool = True,
    ) -> None:
        self.sandbox = sandbox
        self.project = project
        self.baseline_seconds = baseline_seconds
        self.looks_alone = looks_alone
        """Whether a baseline also looks at each test by itself; a dear suite costs twice then."""
        self.has_forks = sandbox.tier is not IsolationTier.LANDLOCK
        self.imports_in_forks = self.has_forks
        """Whether a fork may import changed code a second time; else a fresh process does."""
        self.cpu_seconds = 0.0
        self.python_version = ""
        self._lock = threading.Lock()
        self._policy = suite_policy(sandbox, project)
        self._request = {
            "root": project.root,
            "files": list(project.files),
            "paths": list(project.import_paths),
            "packages": list(project.packages),
            "args": [*project.arguments, *project.tests],
            "exhaustive": exhaustive,
            "private": private_folders(sandbox),
        }

    def serves(self, order: Order) -> bool:
        """Whether a fork can judge a mutant."""
        return self.imports_in_forks if order.at_import else self.has_forks

    def survey(self) -> tuple[SurveyedFile, ...]:
        """Every mutant of the project. Nothing of the project is run for it.

        A file that reads as one that was asked about before has its mutants.
        """
        files = self.project.files
        keys = {name: self._content_key(name) for name in files}
        known = {name: _SURVEYED[key] for name, key in keys.items() if key in _SURVEYED}
        asked = [name for name in files if name not in known]
        if asked:
            limits = suite_limits(self.sandbox, self.baseline_seconds)
            output = _output(self._ask("survey", limits, files=asked), "the survey")
            python = str(_dict(output).get("python"))[:20]
            found = read_survey(output, asked)
            known |= {each.file: (python, each) for each in found}
            if len(_SURVEYED) > _MOST_SURVEYED:
                _SURVEYED.clear()
            _SURVEYED.update((keys[each.file], (python, each)) for each in found if not each.error)
        self.python_version = next((python for python, _ in known.values()), "")
        return tuple(known[name][1] for name in files)

    def _content_key(self, name: str) -> str | None:
        """What the mutants of a file depend on; None where it cannot be read."""
        try:
            content = Path(self.project.root, name).read_bytes()
        except OSError:
            return None
        asked = f"{name}\0{self.project.python}\0{self._request['exhaustive']}\0".encode()
        return hashlib.sha256(asked + content).hexdigest()

    def baseline(self, known: Sequence[str] = ()) -> Any:
        """The tests unchanged, with the lines that each runs; `read_baseline` reads it.

        Of tests that are `known` only how they end is asked.
        """
        limits = suite_limits(self.sandbox, self.baseline_seconds)
        execution = self._ask(
            "baseline",
            limits,
            forks=self.has_forks,
            looks_alone=self.looks_alone,
            known=list(known),
        )
        output = _output(execution, "the baseline")
        if not isinstance(output, dict) or "tests" not in output:
            raise SilentTests(f"the tests could not be collected: {_last_words(execution)}")
        return output

    def serve(
        self,
        orders: Sequence[Order],
        coverage: CoverageMap,
        *,
        kills: Mapping[int, int],
        alone: Sequence[int],
        seconds: float,
    ) -> SliceAnswer:
        """A slice of mutants, judged in forks of one warm process, as far as the time goes."""
        usable = coverage.usable
        root = self.project.root
        wall = _WALL_PER_CPU * seconds + _START_SECONDS + 25 * coverage.collect_seconds
        execution = self._ask(
            "serve",
            suite_limits(self.sandbox, wall + 60.0 * max(1.0, _dearest(coverage))),
            seconds=seconds,
            tests=[test.id for test in usable],
            costs=[test.cpu_seconds for test in usable],
            slow=[place for place, test in enumerate(usable) if test.is_slow],
            bad=[test.id for test in coverage.tests if not test.is_usable],
            broken=[name for name, _ in coverage.broken],
            collect_seconds=coverage.collect_seconds,
            imported={f"{root}/{file}": sorted(ran) for file, ran in coverage.imports.items()},
            kills={str(test): count for test, count in kills.items()},
            alone=list(alone),
            restore=bool(coverage.writes),
            mutants=[
                {
                    "key": order.mutant.id,
                    "path": f"{root}/{order.mutant.file}",
                    "number": order.mutant.number,
                    "scope": order.mutant.scope,
                    "line": order.mutant.line,
                    "unit": order.mutant.unit,
                    "at_import": order.at_import,
                    "tests": list(order.tests),
                }
                for order in orders
            ],
        )
        asked = frozenset(order.mutant.id for order in orders)
        answer = read_slice(_output(execution, "a slice of mutants"), asked, len(usable))
        return replace(answer, cpu_seconds=execution.usage.cpu_seconds or 0.0)

    def afresh_many(
        self, changed: Mapping[str, tuple[str, str]], coverage: CoverageMap, seconds: float
    ) -> SliceAnswer:
        """Changed files by key, each judged in a process that imports everything anew."""
        usable = coverage.usable
        total = coverage.collect_seconds + sum(test.cpu_seconds for test in usable)
        execution = self._ask(
            "afresh",
            suite_limits(self.sandbox, seconds + _START_SECONDS + _FRESH_TIMES * (1 + total)),
            seconds=seconds,
            tests=[test.id for test in usable],
            whole_seconds=total,
            restore=bool(coverage.writes),
            only=None,
            bad=[test.id for test in coverage.tests if not test.is_usable],
            broken=[name for name, _ in coverage.broken],
            mutants=[
                {"key": key, "file": file, "source": source}
                for key, (file, source) in changed.items()
            ],
        )
        output = _output(execution, "mutants afresh")
        return read_slice(output, frozenset(changed), len(usable))

    def afresh(
        self,
        file: str | None,
        source: str | None,
        coverage: CoverageMap,
        only: Sequence[str] | None = None,
    ) -> FreshAnswer | None:
        """One changed file, everything imported anew; None when it does not end in time."""
        total = coverage.collect_seconds + sum(test.cpu_seconds for test in coverage.usable)
        seconds = _START_SECONDS + _FRESH_TIMES * total
        limits = replace(suite_limits(self.sandbox, seconds), cpu_seconds=int(5 + 10 * total))
        execution = self._ask(
            "fresh",
            limits,
            file=file,
            source=source,
            only=None if only is None else list(only),
            bad=[test.id for test in coverage.tests if not test.is_usable],
            broken=[name for name, _ in coverage.broken],
        )
        if execution.outcome in _SPENT:
            return None
        if not execution.succeeded:
            return FreshAnswer(is_killed=True, killer=None, ran=0)
        return read_fresh(execution.output)

    def _ask(self, mode: str, limits: Limits, **more: Any) -> Execution:
        call = Call(far_side(), ENTRY, {"request": {**self._request, "mode": mode, **more}})
        execution = self.sandbox.run(Request(call, limits, self._policy))
        with self._lock:
            self.cpu_seconds += execution.usage.cpu_seconds or 0.0
        return execution


def suite_policy(sandbox: Sandbox, project: Project) -> Policy:
    """The repository as a private view where the tier has such, else read-only."""
    has_views = sandbox.tier is IsolationTier.NAMESPACES
    return replace(
        sandbox.section.policy(),
        enable_filesystem=has_views,
        private_copies=(project.root,) if has_views else (),
        readonly=() if has_views else (project.root,),
        python=project.python,
        working_directory=project.root,
        preload=PRELOADED,
        seed=_SEED,
    )


def suite_limits(sandbox: Sandbox, seconds: float) -> Limits:
    """What a run of a whole suite may spend."""
    base = sandbox.section.limits()
    return replace(
        base,
        wall_seconds=seconds,
        cpu_seconds=int(2 * seconds) + 2,
        memory_bytes=max(base.memory_bytes, 1536 * MIB),
        processes=max(base.processes, 256),
        open_files=max(base.open_files, 1024),
        disk_bytes=max(base.disk_bytes, SUITE_DISK_BYTES),
        result_bytes=256 * MIB,
    )


def _dearest(coverage: CoverageMap) -> float:
    return max((test.cpu_seconds for test in coverage.usable), default=0.0)


def _output(execution: Execution, what: str) -> Any:
    if not execution.succeeded:
        raise MachineryError(f"{what} failed: {_last_words(execution)}")
    return execution.output


def _last_words(execution: Execution) -> str:
    """What can be said of a failure in one line."""
    if execution.error is not None:
        return f"{execution.outcome}: {execution.error.message}"[:400]
    text = f"{execution.stdout}\n{execution.stderr}".strip().splitlines()
    telling = [line for line in text if line.startswith(("E ", "ERROR", "Error"))] or text
    return " | ".join(line.strip() for line in telling[-3:])[:400] or "no words"
