"""What the tests of a module are worth, with and without the new ones, on the same mutants.

Measured on a copy of the repository (or of the installed package): nothing is written beside the
user's own files.
"""

import os
import shutil
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from reverie.dreamers.enrich.target import Target
from reverie.dreamers.enrich.writing import Written
from reverie.errors import MachineryError, UsageError
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.coverage import measure_coverage
from reverie.instruments.mutation.far import FarSide
from reverie.instruments.mutation.project import Project, find_project
from reverie.model.mutation import CoverageMap
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


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured; None for what was not."""

    arcs: frozenset[tuple[int, int]] = frozenset()
    """Steps through the module that the tests there were take, importing included."""
    has_suite: bool = False
    score_before: float | None = None
    score_after: float | None = None
    notes: tuple[str, ...] = ()


def measure_standing(
    sandbox: Sandbox, target: Target, written: Written, *, is_measured: bool
) -> Figures:
    """The figures of a module before and after."""
    with tempfile.TemporaryDirectory(prefix="reverie-enrich-") as folder:
        place = Path(os.path.realpath(folder), "repository")
        file = _copied(target, place)
        try:
            old = _project(target, place, file)
        except UsageError:
            old = None
        found = _suite_before(sandbox, old, file) if old is not None else Figures()
        if not is_measured:
            return found
        return _scores(sandbox, target, written, place, file, old, found)


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


def _project(target: Target, place: Path, file: str) -> Project:
    return find_project(place, str(place / file), (), target.python)


def _suite_before(sandbox: Sandbox, project: Project, file: str) -> Figures:
    try:
        coverage = measure_coverage(_far(sandbox, project), VerdictCache(None))
    except MachineryError as error:
        return Figures(notes=(f"the tests there were could not be measured: {error}"[:300],))
    return Figures(_arcs(coverage, file), has_suite=True)


def _arcs(coverage: CoverageMap, file: str) -> frozenset[tuple[int, int]]:
    found = set(coverage.import_arcs.get(file, ()))
    for test in coverage.tests:
        found |= test.arcs.get(file, frozenset())
    return frozenset(found)


def _scores(
    sandbox: Sandbox,
    target: Target,
    written: Written,
    place: Path,
    file: str,
    old: Project | None,
    found: Figures,
) -> Figures:
    notes = found.notes
    before: float | None = 0.0
    if old is not None and found.has_suite:
        before = Campaign(_far(sandbox, old), Wishes()).run().score
    after = before
    if written.source:
        new = place / (written.path if target.repository is not None else _NEW)
        new.parent.mkdir(parents=True, exist_ok=True)
        new.write_text(written.source, encoding="utf-8")
        tests = (*(old.tests if old is not None and found.has_suite else ()), str(new))
        project = find_project(place, str(place / file), tests, target.python)
        try:
            after = Campaign(_far(sandbox, project), Wishes()).run().score
        except MachineryError as error:
            after = None
            notes = (*notes, f"the mutants could not be judged: {error}"[:300])
    return replace(found, score_before=before, score_after=after, notes=notes)


def _far(sandbox: Sandbox, project: Project) -> FarSide:
    return FarSide(sandbox, project, exhaustive=False, baseline_seconds=_SUITE_SECONDS)
