"""Dreamers, wired: those of a cycle, those of installed packages, and refactoring on request.

A target on the command line stands for files, which are refactored in a copy and in the sandbox.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reverie.model.dream import Stage
    from reverie.model.history import FailureCluster
    from reverie.model.measurements.attempts import Refactored
    from reverie.model.repository.environment import Surroundings
    from reverie.settings import Loaded, Settings
    from reverie.stages.dreamer import Dreamer
    from reverie.stages.integrations import IntegrationDreamer, Rules
    from reverie.stages.refactorings import RefactoringTarget
    from reverie.store import Journal
    from reverie.trials.refactoring_idea import Setting

EVENTS_FILE = "reports/events.ndjson"
"""Where `pytest --reverie` writes failures."""
GROUP = "reverie.dreamers"
"""Entry points that give a dreamer when they are called."""


def dreamers_of(
    stage: Stage, loaded: Loaded, journal: Journal | None, modules: tuple[str, ...] = ()
) -> tuple[Dreamer, ...]:
    """Everybody who dreams at a stage. `modules` are those that an integration is about."""
    found = {each.name: each for each in _own(stage, loaded, journal, modules)}
    for each in installed_dreamers():
        if each.kind.stage is stage:
            if each.name in found:
                raise UsageError(f"two dreamers are called {each.name!r}: uninstall one of them")
            found[each.name] = each
    return tuple(found.values())


def _own(
    stage: Stage, loaded: Loaded, journal: Journal | None, modules: tuple[str, ...]
) -> Iterator[Dreamer]:
    from reverie.bootstrap import rank_copy
    from reverie.model.dream import Stage
    from reverie.stages.discovery import DiscoveryDreamer
    from reverie.stages.generating import StubDreamer
    from reverie.stages.refactorings import RefactorDreamer
    from reverie.stages.speeding import SpeedDreamer
    from reverie.stages.test_health import TestHealthDreamer
    from reverie.stages.tests import TestDreamer

    settings = loaded.settings
    if stage is Stage.INTEGRATION:
        yield integration_dreamer(loaded, journal, modules)
    if stage is Stage.STUBS:
        yield StubDreamer()
    if stage is Stage.A:
        yield TestDreamer(partial(rank_copy, loaded.repository, section=settings.candidates))
    if stage is Stage.B:
        yield RefactorDreamer(settings.guard)
    if stage is Stage.D:
        yield TestHealthDreamer(partial(_failures, loaded))  # it takes no time: first
        yield DiscoveryDreamer(partial(rank_copy, loaded.repository, section=settings.candidates))
    if stage is Stage.C:
        yield SpeedDreamer(settings.guard, settings.candidates)


def known_flaky(loaded: Loaded) -> frozenset[str]:
    """Tests that have come and gone, by what earlier runs have told."""
    from reverie.stages.test_health import flaky_tests

    return flaky_tests(_failures(loaded))


def _failures(loaded: Loaded) -> tuple[FailureCluster, ...]:
    """What earlier runs of the suite have told, where `pytest --reverie` wrote it."""
    from reverie.learning.failure_events import Passed, cluster, read_events, read_runs

    path = loaded.repository / EVENTS_FILE
    return cluster(read_events(path, Passed()), read_runs(path)) if path.is_file() else ()


def integration_dreamer(
    loaded: Loaded, journal: Journal | None, modules: tuple[str, ...] = ()
) -> IntegrationDreamer:
    """Who integrates what nothing uses, or the modules that somebody names."""
    from reverie.stages.integrations import IntegrationDreamer, NoMemory, SelfTesting
    from reverie.stages.tests import TestDreamer
    from reverie.store.cycles.self_tests import SelfTestMemory

    settings = loaded.settings
    memory = NoMemory() if journal is None else SelfTestMemory(journal, loaded.repository)
    rules = integration_rules(loaded, modules)
    return IntegrationDreamer(
        SelfTesting(TestDreamer(), memory), rules, settings.integration.promote
    )


def integration_rules(loaded: Loaded, modules: tuple[str, ...]) -> Rules:
    """Who is a candidate, by the settings and by the list of orphans that somebody keeps."""
    from reverie.stages.inclusion import listed_orphans
    from reverie.stages.integrations import Rules

    settings = loaded.settings
    dormant = listed_orphans(loaded.data_dir)
    return Rules(settings.integration, settings.orphans, modules, dormant)


def installed_dreamers() -> Iterable[Dreamer]:
    """Those that installed packages offer; one that cannot be loaded is named."""
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        try:
            dreamer: Dreamer = point.load()()
            _ = dreamer.name, dreamer.kind.stage
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            raise UsageError(f"the dreamer {point.name!r} ({point.value}): {said}") from error
        yield dreamer


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
    from reverie.instruments.self_check import Proofs
    from reverie.stages.refactorings import refactor_target

    with (
        _opened(question, settings) as (target, setting),
        open_sandbox(settings.sandbox, journal_url) as sandbox,
    ):
        Proofs(sandbox).require("equivalence")
        budget = question.budget_seconds
        found = refactor_target(sandbox, target, setting, budget, question.progress)
        return found, sandbox.tier.value


@contextmanager
def _opened(
    question: RefactorQuestion, settings: Settings
) -> Iterator[tuple[RefactoringTarget, Setting]]:
    """The target with its files: those of the repository where it has tests, else its package."""
    from reverie.bootstrap.environments import open_copy
    from reverie.promotion.trees import with_links
    from reverie.promotion.trial_tree import read_files, read_links
    from reverie.stages.refactorings import alone, among, has_tests

    place, entry = _split(question.target)
    repository = question.repository.resolve()
    if place is None or place.is_relative_to(repository):
        below = "" if place is None else place.relative_to(repository).as_posix()
        with open_copy(repository, None, question.around) as folder:
            files = read_files(folder)
            rewritten = [each for each in files if each.startswith(below)]
            files = with_links(files, read_links(folder), rewritten)
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
    from reverie.trials.refactoring_idea import Setting

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
