"""Refactoring, wired: what a target on the command line stands for, its files, the sandbox."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import UsageError

if TYPE_CHECKING:
    from reverie.model.environment import Surroundings
    from reverie.model.refactoring import Refactored
    from reverie.settings import Settings
    from reverie.stages.imagining import Target
    from reverie.trials.refactoring import Setting


@dataclass(frozen=True, slots=True)
class RefactorQuestion:
    """What is to be refactored, as it was asked for."""

    target: str
    """`FILE`, `FILE:callable`, a folder, or nothing for the whole repository."""
    repository: Path
    budget_seconds: float
    around: Surroundings
    seed: int = 0
    progress: Callable[[str], None] = lambda text: None


def refactor(
    question: RefactorQuestion, settings: Settings, journal_url: str | None = None
) -> tuple[Refactored, str]:
    """What came of it, and the isolation that it was tried under."""
    from reverie.bootstrap import open_sandbox
    from reverie.instruments.proof import Proofs
    from reverie.stages.imagining import refactor_target

    with (
        _opened(question, settings) as (target, setting),
        open_sandbox(settings.sandbox, journal_url) as sandbox,
    ):
        Proofs(sandbox).require("equivalence")
        budget = question.budget_seconds
        found = refactor_target(sandbox, target, setting, budget, question.progress)
        return found, sandbox.tier.value


@contextmanager
def _opened(question: RefactorQuestion, settings: Settings) -> Iterator[tuple[Target, Setting]]:
    """The target with its files: those of the repository where it has tests, else its package."""
    from reverie.bootstrap.environments import open_copy
    from reverie.promotion.trial_tree import read_files
    from reverie.stages.imagining import alone, among, has_tests

    place, entry = _split(question.target)
    repository = question.repository.resolve()
    if place is None or place.is_relative_to(repository):
        below = "" if place is None else place.relative_to(repository).as_posix()
        with open_copy(repository, None, question.around) as folder:
            files = read_files(folder)
            if has_tests(files, settings.guard) or place is None or place.is_dir():
                where = "" if below == "." else below
                target = among(files, folder, where, entry, settings.guard)
                yield target, _setting(question, settings, files, has_tests=True)
                return
    if place.is_dir():
        raise UsageError(f"{question.target!r} lies outside of the repository: give --repo")
    target, relatives = alone(place, entry)
    yield target, _setting(question, settings, relatives, has_tests=False)


def _setting(
    question: RefactorQuestion, settings: Settings, files: Mapping[str, bytes], *, has_tests: bool
) -> Setting:
    from reverie.trials.refactoring import Setting

    python, seed = question.around.python, question.seed
    return Setting(files, has_tests, settings.guard, settings.equivalence, seed, python)


def _split(given: str) -> tuple[Path | None, str | None]:
    if not given:
        return None, None
    path, colon, entry = given.rpartition(":")
    if not colon or Path(given).exists():
        path, entry = given, ""
    place = Path(path)
    if not place.exists():
        raise UsageError(f"no such file or folder: {path!r}")
    if colon and not Path(given).exists() and not all(p.isidentifier() for p in entry.split(".")):
        raise UsageError(f"expected FILE:callable, not {given!r}")
    if place.is_file() and place.suffix != ".py":
        raise UsageError(f"not a Python file: {path!r}")
    if place.is_dir() and entry:
        raise UsageError(f"{given!r}: a folder has no callable")
    return place.resolve(), entry or None
