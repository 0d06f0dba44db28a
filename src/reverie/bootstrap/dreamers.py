"""Who dreams in a cycle: those of the house for its stage, and those of installed packages."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from reverie.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from reverie.model.dream import Stage
    from reverie.settings import Loaded
    from reverie.stages.dreamer import Dreamer
    from reverie.stages.integration.dreamer import IntegrationDreamer
    from reverie.stages.tests import TestDreamer
    from reverie.store import Journal

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
    from reverie.model.dream import Stage
    from reverie.stages.refactorings import RefactorDreamer
    from reverie.stages.speed import SpeedDreamer

    settings = loaded.settings
    is_integrating = stage is Stage.A and settings.integration.enabled
    if stage is Stage.INTEGRATION or is_integrating:
        yield integration_dreamer(loaded, journal, modules)
    if stage is Stage.A:
        yield _test_dreamer(loaded)
    if stage is Stage.B:
        yield RefactorDreamer(settings.guard)
    if stage is Stage.C:
        yield SpeedDreamer(settings.guard, settings.candidates)


def _test_dreamer(loaded: Loaded) -> TestDreamer:
    from reverie.bootstrap import rank_copy
    from reverie.stages.tests import TestDreamer

    return TestDreamer(partial(rank_copy, loaded.repository, section=loaded.settings.candidates))


def integration_dreamer(
    loaded: Loaded, journal: Journal | None, modules: tuple[str, ...] = ()
) -> IntegrationDreamer:
    """Who integrates what nothing uses, or the modules that somebody names."""
    from reverie.stages.integration.candidates import Rules
    from reverie.stages.integration.dreamer import IntegrationDreamer
    from reverie.stages.integration.inclusion import listed_orphans
    from reverie.stages.integration.self_testing import NoMemory, SelfTesting
    from reverie.stages.tests import TestDreamer
    from reverie.store.self_tests import SelfTestMemory

    settings = loaded.settings
    memory = NoMemory() if journal is None else SelfTestMemory(journal, loaded.repository)
    dormant = listed_orphans(loaded.data_dir)
    rules = Rules(settings.integration, settings.orphans, modules, dormant)
    return IntegrationDreamer(
        SelfTesting(TestDreamer(), memory), rules, settings.integration.promote
    )


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
