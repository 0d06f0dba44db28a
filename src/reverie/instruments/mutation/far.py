"""Asks the far side, in the sandbox: each question is one execution."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import MachineryError
from reverie.instruments.mutation.answers import (
    FreshAnswer,
    SliceAnswer,
    SurveyedFile,
    read_fresh,
    read_slice,
    read_survey,
)
from reverie.instruments.mutation.program import ENTRY, far_side, private_folders
from reverie.instruments.mutation.project import Project
from reverie.model.execution import MIB, Call, Execution, Limits, Policy, Request
from reverie.model.mutation import CoverageMap, Mutant
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.sandbox.engine import Sandbox

_PRELOADED = ("pytest", "unittest", "doctest", "json", "mmap", "shutil", "tokenize", "fractions")
_SEED = 1337
_SPENT = (TestOutcome.TIMEOUT, TestOutcome.RESOURCE_EXHAUSTION)
_START_SECONDS = 30.0
_FRESH_TIMES = 30.0
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
        """Every mutant of the project. Nothing of the project is run for it."""
        execution = self._ask("survey", suite_limits(self.sandbox, self.baseline_seconds))
        output = _output(execution, "the survey")
        self.python_version = str(output.get("python"))[:20]
        return read_survey(output, self.project.files)

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
            raise MachineryError(f"the tests could not be collected: {_last_words(execution)}")
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
        preload=_PRELOADED,
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
        disk_bytes=max(base.disk_bytes, 256 * MIB),
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
