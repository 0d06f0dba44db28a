"""What the tests of a module are worth, with and without the new ones, on the same mutants.

Measured on a copy of the repository (or of the installed package): nothing is written beside the
user's own files.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.enrich.writing import Written
from reverie.errors import MachineryError, OutOfTime, UsageError
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.coverage import measure_coverage
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.project import Project, find_project
from reverie.sandbox.engine import Sandbox

_LEFT_OUT = (
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
    ignored = shutil.ignore_patterns(*_LEFT_OUT)
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
    return Campaign(_far(sandbox, project), Wishes()).run().score


def _far(sandbox: Sandbox, project: Project) -> FarSide:
    return FarSide(sandbox, project, exhaustive=False, baseline_seconds=_SUITE_SECONDS)
