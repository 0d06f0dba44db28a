"""Value of a module's tests: the lines and branches they cover, the mutants they notice.

Coverage is counted as coverage.py counts: a statement is its first line, a branch is a line that
can go on in two ways, and `pragma: no cover` takes out what stands under it.

Mutants are measured on a copy of the repository (or of the installed package): nothing is written
beside the user's own files.
"""

import ast
import os
import re
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.enrich.writing import Written
from reverie.errors import MachineryError, OutOfTime, SilentTests, UsageError
from reverie.instruments.mutation.cache import VerdictCache, measure_coverage
from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.project import Project, find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.sandbox.engine import Sandbox
from reverie.syntax.nodes import is_bare_constant
from reverie.syntax.parsing import parse_module

Arc = tuple[int, int]
_NO_COVER = re.compile(r"#\s*(?:pragma|PRAGMA)[:\s]?\s*(?:no|NO)\s*(?:cover|COVER)")


@dataclass(frozen=True, slots=True)
class Branch:
    """A line that goes on to its body or elsewhere."""

    line: int
    body: int


@dataclass(frozen=True, slots=True)
class Covered:
    """Shares between 0 and 1; a module without branches has them all."""

    lines: float
    branches: float


@dataclass(frozen=True, slots=True)
class Outline:
    """What there is to cover in a module."""

    lines: frozenset[int]
    branches: tuple[Branch, ...]
    starts: dict[int, int]
    """The first line of the statement that a line belongs to."""

    def covered(self, arcs: Iterable[Arc]) -> Covered:
        """The shares that a set of steps takes."""
        steps = {(self._start(before), self._start(after)) for before, after in arcs}
        seen = {line for step in steps for line in step} & self.lines
        taken = sum(self._taken(branch, steps) for branch in self.branches)
        return Covered(
            len(seen) / len(self.lines) if self.lines else 1.0,
            taken / (2 * len(self.branches)) if self.branches else 1.0,
        )

    def _start(self, line: int) -> int:
        return self.starts.get(line, line)

    def _taken(self, branch: Branch, steps: set[Arc]) -> int:
        onwards = {after for before, after in steps if before == branch.line} - {branch.line}
        return (branch.body in onwards) + bool(onwards - {branch.body})


def outline_of(source: str) -> Outline:
    """What there is to cover in a source."""
    tree = parse_module(source)
    texts = source.splitlines()
    kept = list(_statements(tree.body, texts))
    starts: dict[int, int] = {}
    for node in kept:
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        starts.update(dict.fromkeys(range(node.lineno, last + 1), node.lineno))
    lines = {node.lineno for node in kept if not _says_nothing(node)}
    lines |= {each.lineno for node in kept for each in getattr(node, "decorator_list", ())}
    return Outline(frozenset(lines), tuple(_branches(kept)), starts)


def _statements(body: Iterable[ast.stmt], texts: list[str]) -> Iterator[ast.stmt]:
    """Outer ones first; without what is left out by a comment."""
    for node in body:
        if _NO_COVER.search(texts[node.lineno - 1]):
            continue
        yield node
        for name in ("body", "orelse", "finalbody"):
            yield from _statements(getattr(node, name, ()), texts)
        for handler in getattr(node, "handlers", ()):
            if not _NO_COVER.search(texts[handler.lineno - 1]):
                yield from _statements(handler.body, texts)
        for case in getattr(node, "cases", ()):
            if not _NO_COVER.search(texts[case.pattern.lineno - 1]):
                yield from _statements(case.body, texts)


def _says_nothing(node: ast.stmt) -> bool:
    is_text = is_bare_constant(node)
    return is_text or isinstance(node, ast.Global | ast.Nonlocal)


def _branches(kept: Iterable[ast.stmt]) -> Iterator[Branch]:
    for node in kept:
        match node:
            case ast.If(test=ast.Constant()) | ast.While(test=ast.Constant()):
                continue
            case (
                ast.If(body=body)
                | ast.While(body=body)
                | ast.For(body=body)
                | ast.AsyncFor(body=body)
            ):
                if body[0].lineno != node.lineno:
                    yield Branch(node.lineno, body[0].lineno)
            case ast.Match(cases=cases):
                for case in cases:
                    is_last = isinstance(case.pattern, ast.MatchAs) and case.pattern.pattern is None
                    line = case.pattern.lineno
                    if not (is_last and case.guard is None) and case.body[0].lineno != line:
                        yield Branch(line, case.body[0].lineno)


_NOT_COPIED = (
    ".git",
    ".venv",
    "venv",
    "__pycache__",
    "node_modules",
    ".tox",
    "*.egg-info",
    ".reverie",
)
_SUITE_SECONDS = 300.0
_NEW = "test_reverie_enriched.py"
Arcs = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured; None for what was not."""

    before: Arcs | None = None
    """Steps through the module that the tests there were take, importing included."""
    after: Arcs | None = None
    """The same with the new tests beside them."""
    score_before: float | None = None
    score_after: float | None = None
    notes: tuple[str, ...] = ()


def measure_standing(
    sandbox: Sandbox, target: Target, written: Written, *, is_measured: bool
) -> Figures:
    """The figures of a module before and after; the mutants only where `is_measured`."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(os.path.realpath(folder), "repository")
        file = _copied(target, place)
        old = _old_project(target, place, file)
        found = Figures()
        try:
            for each in _measured(sandbox, target, written, (place, file, old), is_measured):
                found = each
        except OutOfTime:
            told = "the time was over before everything was measured"
            return replace(found, notes=(*found.notes, told))
        return found


def _measured(
    sandbox: Sandbox,
    target: Target,
    written: Written,
    ground: tuple[Path, str, Project | None],
    is_measured: bool,
) -> Iterator[Figures]:
    """The figures as they are completed; whoever has no more time keeps what was measured."""
    place, file, old = ground
    notes: list[str] = []
    before = None if old is None else _arcs(sandbox, old, file, notes)
    new = None
    if written.source:
        new = _new_project(target, written, place, file, old if before is not None else None)
    after = before if new is None else _arcs(sandbox, new, file, notes)
    found = Figures(before, after, notes=tuple(notes))
    yield found
    if is_measured:
        noticed = 0.0 if before is None or old is None else _score(sandbox, old)
        improved = noticed if after is None or new is None else _score(sandbox, new)
        yield replace(found, score_before=noticed, score_after=improved)


def _copied(target: Target, place: Path) -> str:
    """Copy what the module needs; its file, relative to the copy."""
    ignored = shutil.ignore_patterns(*_NOT_COPIED)
    if target.repository is not None:
        shutil.copytree(target.repository, place, ignore=ignored, symlinks=True)
        return os.path.relpath(target.path, target.repository)
    place.mkdir(parents=True)
    package = Path(target.import_root, target.package)
    if package.is_dir():
        shutil.copytree(package, place / target.package, ignore=ignored, symlinks=True)
    else:
        shutil.copy(target.path, place)
    return os.path.relpath(target.path, target.import_root)


def _old_project(target: Target, place: Path, file: str) -> Project | None:
    """The copy with the tests there were; None when there are none."""
    try:
        return find_project(place, str(place / file), (), target.python)
    except UsageError:
        return None


def _new_project(
    target: Target, written: Written, place: Path, file: str, old: Project | None
) -> Project:
    """The copy with the new tests in it."""
    new = place / (written.path if target.repository is not None else _NEW)
    new.parent.mkdir(parents=True, exist_ok=True)
    new.write_text(written.source, encoding="utf-8")
    tests = (*(() if old is None else (str(place / each) for each in old.tests)), str(new))
    return find_project(place, str(place / file), tests, target.python)


def _arcs(sandbox: Sandbox, project: Project, file: str, notes: list[str]) -> Arcs | None:
    """The steps that a project's tests take through a file; None when they cannot be run."""
    try:
        coverage = measure_coverage(_far(sandbox, project), VerdictCache(None))
    except MachineryError as error:
        notes.append(f"the tests could not be measured: {error}"[:300])
        return None
    found = set(coverage.import_arcs.get(file, ()))
    for test in coverage.tests:
        found |= test.arcs.get(file, frozenset())
    return frozenset(found)


def _score(sandbox: Sandbox, project: Project) -> float | None:
    try:
        return Campaign(_far(sandbox, project), Wishes()).run().score
    except SilentTests:
        return None


def _far(sandbox: Sandbox, project: Project) -> FarSide:
    return FarSide(sandbox, project, exhaustive=False, baseline_seconds=_SUITE_SECONDS)
