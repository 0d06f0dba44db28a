"""What a task rests on: mutants, branches, the profile, habits, neighbours, what was refused."""

import ast
import math
import re
import sys
import threading
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.dreamers.enrich.worth import outline_of
from reverie.dreamers.enrich.writing.habits import named_files_alone
from reverie.dreamers.models.tasks import Gap, Task, bar_of
from reverie.instruments.mutation.mutant_texts import diff_of
from reverie.instruments.profiling import profile_suite
from reverie.model.dream import Stage
from reverie.model.measurements.benchmark import Profile
from reverie.model.measurements.suite import JudgedMutant, Mutant
from reverie.model.repository.code import Function, Module
from reverie.model.settings.analysis import CandidatesSection
from reverie.model.settings.judgement import GuardSection
from reverie.stages.dreamer import Survey
from reverie.stages.survivors import Effort, find_survivors
from reverie.syntax.parsing import NOT_PYTHON, parse_module

SAMPLE = 60
"""Mutants that are looked at for one task."""
_FUNCTIONS, _EACH = 12, 3
_SAMPLE_LINES = 30
_NEIGHBOURS = 6
_HOT = 8
_FIXTURE = re.compile(r"^@pytest\.fixture[^\n]*\n(?:@[^\n]*\n)*(?:async )?def (\w+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Known:
    """What the journal says about a module."""

    refused: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    patterns: tuple[Mapping[str, Any], ...] = ()


def _nothing(module: str) -> Known:
    return Known()


@dataclass(slots=True)
class Evidence:
    """Gathers it once for all authors of one copy of a repository. Threads share it."""

    guard: GuardSection = field(default_factory=GuardSection)
    candidates: CandidatesSection = field(default_factory=CandidatesSection)
    known: Callable[[str], Known] = _nothing
    baseline_seconds: float = 120.0
    workers: int = 1
    has_mutants: bool = True
    _gaps: dict[str, tuple[Gap, ...]] = field(default_factory=dict)
    _profile: Profile | None = None
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def task(self, survey: Survey, stage: Stage, seconds: float | None, wish: str = "") -> Task:
        """The task of a stage for the module in mind; looking for mutants takes a part of it."""
        index = survey.grounds.index
        module = next((each for each in index.modules if each.path == survey.path), None)
        known = self.known(survey.module)
        tests = _tests_of(survey)
        hot = self._hot(survey) if stage is Stage.C else ()
        return Task(
            stage=stage,
            path=survey.path,
            module=survey.module,
            source=survey.source,
            wish=wish,
            neighbours=tuple(_neighbours(survey, module)),
            habits=tuple(_habits(survey, tests)),
            sample=_sample(survey, tests),
            gaps=self._survivors(survey, seconds) if stage is Stage.A else (),
            branches=tuple(_branches(survey)) if stage is Stage.A else (),
            profile=tuple(_told(each) for each in hot),
            refused=known.refused,
            findings=known.findings,
            patterns=known.patterns,
            bar=bar_of(stage, self.guard),
            test_command=f"python -m pytest {tests[0]}" if tests else "python -m pytest",
            hot=tuple(each.qualname for each in hot),
        )

    def profile(self, survey: Survey) -> Profile:
        """Where the suite spends its time; it is run once."""
        with self._lock:
            if self._profile is None:
                python = survey.grounds.interpreter.path
                index = survey.grounds.index
                self._profile = profile_suite(survey.sandbox, index, self.candidates, python)
            return self._profile

    def _hot(self, survey: Survey) -> tuple[Any, ...]:
        found = [each for each in self.profile(survey).hot if each.path == survey.path]
        return tuple(found[:_HOT])

    def _survivors(self, survey: Survey, seconds: float | None) -> tuple[Gap, ...]:
        if not self.has_mutants:
            return ()
        with self._lock:
            if survey.path not in self._gaps:
                self._gaps[survey.path] = self._looked_for(survey, seconds)
            return self._gaps[survey.path]

    def _looked_for(self, survey: Survey, seconds: float | None) -> tuple[Gap, ...]:
        cpu = math.inf if seconds is None else seconds
        effort = Effort(cpu, self.baseline_seconds, SAMPLE, self.workers)
        found = find_survivors(survey, effort)
        # without tests nothing survives anything
        return () if found is None else gaps_of(found.alive, found.root)


def gaps_of(alive: Sequence[JudgedMutant], root: str) -> tuple[Gap, ...]:
    """By function; those first in which most lines are unprotected, public ones before others.

    What runs when a module is imported is left out: no test is said to run it, so none would be
    believed to notice it.
    """
    groups: dict[str, list[JudgedMutant]] = defaultdict(list)
    for each in alive:
        if each.mutant.unit is not None:
            groups[each.mutant.scope].append(each)

    def worth(name: str) -> tuple[float, str]:
        lines = len({each.mutant.line for each in groups[name]})
        is_private = name.rpartition(".")[2].startswith("_")
        return -lines * (0.5 if is_private else 1.0), name

    found = []
    for name in sorted(groups, key=worth)[:_FUNCTIONS]:
        # Of a line the first: operators come before the numbers and texts beside them.
        one_per_line = {each.mutant.line: each.mutant for each in reversed(groups[name])}
        chosen = sorted(one_per_line.values(), key=_line_of)[:_EACH]
        found.append(Gap(name, tuple(diff_of(root, each) for each in chosen)))
    return tuple(found)


def _line_of(mutant: Mutant) -> int:
    return mutant.line


def _branches(survey: Survey) -> Iterator[str]:
    """Conditions whose one way no test takes."""
    coverage = survey.suite.coverage
    if coverage is None:
        return
    try:
        outline = outline_of(survey.source)
    except (SyntaxError, ValueError):
        return
    at_import = coverage.import_arcs.get(survey.path, frozenset())
    arcs = at_import.union(*(test.arcs.get(survey.path, frozenset()) for test in coverage.tests))
    lines = survey.source.splitlines()
    for branch in outline.branches:
        onwards = {after for before, after in arcs if before == branch.line} - {branch.line}
        text = lines[branch.line - 1].strip()
        if not onwards:
            yield f"line {branch.line}, never reached: {text}"
        elif branch.body not in onwards:
            yield f"line {branch.line}, never true: {text}"
        elif not onwards - {branch.body}:
            yield f"line {branch.line}, never false: {text}"


def _told(hot: Any) -> str:
    return f"{hot.qualname}: {hot.own_seconds:.3f} s of its own in {hot.calls} calls"


def _tests_of(survey: Survey) -> tuple[str, ...]:
    """Files of tests that import the module, by path."""
    index = survey.grounds.index
    tests = {each.name: each.path for each in index.modules if each.is_test}
    importing = {one for one, other in index.edges if other == survey.module and one in tests}
    return tuple(sorted(tests[each] for each in importing))


def _sample(survey: Survey, tests: Sequence[str]) -> str:
    if not tests:
        return ""
    try:
        lines = survey.read(tests[0]).splitlines()[:_SAMPLE_LINES]
    except (OSError, UnicodeDecodeError):
        return ""
    return "\n".join((f"# {tests[0]}", *lines))


def _neighbours(survey: Survey, module: Module | None) -> Iterator[str]:
    """Signatures of what the module imports of the repository, and who imports it."""
    index = survey.grounds.index
    by_name = {each.name: each for each in index.modules if not each.is_test}
    imported = sorted(other for one, other in index.edges if one == survey.module)
    for name in imported[:_NEIGHBOURS]:
        other = by_name.get(name)
        if other is not None and module is not None:
            shown = ", ".join(_signatures(other))
            yield f"it imports {name}: {shown}"[:600]
    importers = sorted(one for one, other in index.edges if other == survey.module)
    users = [each for each in importers if each in by_name]
    if users:
        yield f"it is imported by {', '.join(users[:_NEIGHBOURS])}"


def _signatures(module: Module) -> Iterator[str]:
    methods = (each for one in module.classes for each in one.methods)
    every: Iterator[Function] = (each for part in (module.functions, methods) for each in part)
    for each in every:
        if not each.name.startswith("_") and not each.is_nested:
            yield f"{each.qualname}{each.signature}"


def _habits(survey: Survey, tests: Sequence[str]) -> Iterator[str]:
    grounds = survey.grounds
    version = grounds.python_version or ".".join(map(str, sys.version_info[:3]))
    yield f"it runs on Python {version}"
    every = sorted(each.path for each in grounds.index.modules if each.is_test)
    if tests:
        yield f"tests of this module: {', '.join(tests[:3])}; run one with python -m pytest PATH"
    elif every:
        yield f"tests lie in files such as {', '.join(every[:3])}"
    if alone := named_files_alone(grounds.folder):
        yield f"pytest runs no new file, only {', '.join(alone[:3])}: put new tests there, by edits"
    texts = [text for path in every[:20] if (text := _read(survey, path))]
    in_classes = sum("TestCase" in text for text in texts)
    if texts:
        style = "unittest.TestCase classes" if 2 * in_classes > len(texts) else "pytest functions"
        yield f"tests are {style}"
    fixtures = {name for text in texts for name in _FIXTURE.findall(text)}
    conftest = _read(survey, "tests/conftest.py") or _read(survey, "conftest.py")
    fixtures |= set(_FIXTURE.findall(conftest))
    if fixtures:
        yield f"fixtures: {', '.join(sorted(fixtures)[:12])}"
    length = re.search(r"line[-_]length\s*=\s*(\d+)", _read(survey, "pyproject.toml"))
    if length:
        yield f"lines are at most {length[1]} characters long"


def _read(survey: Survey, path: str) -> str:
    try:
        return survey.read(path)
    except (OSError, UnicodeDecodeError):
        return ""


def complexity_of(module: Module) -> float:
    """Cognitive complexity of all functions of a module."""
    methods = (each for one in module.classes for each in one.methods)
    return float(sum(each.cognitive for part in (module.functions, methods) for each in part))


def has_functions(source: str) -> bool:
    """Whether there is anything to call."""
    try:
        tree = parse_module(source)
    except NOT_PYTHON:
        return False
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return any(isinstance(node, kinds) for node in tree.body)
