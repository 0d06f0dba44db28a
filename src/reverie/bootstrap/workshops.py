"""The workshop of one stage, wired: whoever dreams there, on a copy of the repository."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.model.events import Publish, unheard

if TYPE_CHECKING:
    from reverie.bootstrap.authors import Crew
    from reverie.cycle.workshop import LocalWorkshop, Meter
    from reverie.model.cycle import CycleWishes
    from reverie.model.repository.environment import Surroundings
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded
    from reverie.stages.grounds import Grounds
    from reverie.store import Journal

GENERATED_SHOWN = 3
LEAST_SECONDS = 120.0
"""Of a night that repeats the suite under other seeds, and strains declared workflows."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What a workshop works with, besides the ground that it stands on."""

    sandbox: Sandbox
    meter: Meter
    cache: Path
    journal: Journal | None = None
    publish: Publish = unheard
    ends_at: float | None = None
    """By `time.monotonic`: the sandbox ends then whatever runs."""
    crew: Crew | None = None
    """Authors that take part."""


def build_workshop(
    loaded: Loaded,
    grounds: Grounds,
    wishes: CycleWishes,
    tools: Tools,
    modules: tuple[str, ...] = (),
) -> LocalWorkshop:
    """Whoever dreams at the stage that is wished for, on a copy of the repository."""
    from reverie.bootstrap.authors import Crew
    from reverie.bootstrap.dreamers import dreamers_of, known_flaky
    from reverie.bootstrap.governance import guard_section, open_pilots, roi_section, weights_of
    from reverie.bootstrap.repository import CyclePast
    from reverie.cycle.stage_shares import NIGHT
    from reverie.cycle.workshop import LocalWorkshop, Offering
    from reverie.model.dream import DreamKind
    from reverie.promotion.bundle.keys import config_folder, own_key
    from reverie.stages.dreamer import Survey
    from reverie.stages.flows import Flows
    from reverie.stages.reckoning import Reckoning
    from reverie.stages.speeding import profile_share
    from reverie.stages.strain import strained
    from reverie.stages.trying import Trying
    from reverie.store.cycles.promotions import used_branches

    settings = loaded.settings
    key = partial(own_key, config_folder(os.environ))
    stages = (wishes.stage,) if wishes.stage is not None else NIGHT
    dreamers = tuple(
        dreamer
        for stage in stages
        for dreamer in dreamers_of(stage, loaded, tools.journal, modules)
    )
    past = CyclePast(loaded, tools.journal, grounds)
    reckoning = Reckoning(
        roi_section(loaded),
        past=past.of,
        weights=weights_of(loaded, tools.journal),
        heat=past.heat,
        profile_share=partial(profile_share, dreamers),
        alignment=settings.alignment,
        least={DreamKind.INTEGRATION: settings.integration.min_roi},
    )
    declared, python = settings.workflows.declared, grounds.interpreter.path
    flows = Flows(declared, grounds.index, tools.sandbox, python)
    trying = Trying(
        grounds,
        tools.sandbox,
        guard_section(loaded),
        reckoning,
        seconds=None if wishes.budget.seconds is None else settings.cycle.trial_seconds,
        cache=tools.cache,
        ends_at=tools.ends_at,
        flows=flows,
        flaky=cache(partial(known_flaky, loaded)),
    )
    crew = tools.crew or Crew(loaded)
    authors = (each for one in stages for each in crew.dreamers(one, tools.journal, trying))
    return LocalWorkshop(
        Survey(grounds, tools.sandbox, cache=tools.cache, is_hurried=not _has_time(wishes)),
        tools.meter,
        (*dreamers, *authors),
        trying,
        Offering(
            settings.promotion,
            loaded.data_dir,
            key,
            settings.alignment,
            tools.publish,
            used_branches(tools.journal, loaded.repository),
        ),
        open_pilots(loaded, trying.prove_longer),
        crew.budgets(wishes.stage, tools.journal, wishes.seed),
        partial(strained, flows, grounds.folder, wishes.seed) if _has_time(wishes) else tuple,
    )


def _has_time(wishes: CycleWishes) -> bool:
    """Whether a night has minutes for looks besides its changes, at its beginning."""
    from reverie.model.dream import Stage

    seconds = wishes.budget.seconds
    is_night = wishes.stage is Stage.D and wishes.budget.executions is None
    return is_night and (seconds is None or seconds >= LEAST_SECONDS)


def read_grounds(
    loaded: Loaded,
    folder: Path,
    revision: str | None,
    around: Surroundings,
    laid: tuple[str, ...] = (),
) -> Grounds:
    """What a copy holds, and which Python runs it."""
    from reverie.bootstrap import open_index
    from reverie.promotion.history import identity_of
    from reverie.promotion.trial_tree import read_source
    from reverie.stages.grounds import Grounds, Interpreter, find_interpreter
    from reverie.trials.integration import tree_of

    settings = loaded.settings
    with open_index(folder, settings.index, settings.safety, None) as index:
        index.refresh()
        code = index.load()
    source = read_source(loaded.repository, revision)
    interpreter = Interpreter(around.python)
    if around.python is None:
        interpreter = find_interpreter(loaded.repository, None)
    few = ", ".join(laid[:GENERATED_SHOWN])
    note = f"git ignores them, and they are part of the copy ({len(laid)}): {few}"
    notes = (*around.notes, *((note,) if laid else ()))
    standings = tree_of(code, folder, settings.orphans).standings
    return Grounds(
        loaded.repository,
        folder,
        source,
        code,
        interpreter,
        notes,
        around.warnings,
        around.fresh,
        identity_of(loaded.repository),
        around.label,
        around.python_version or None,
        around.part,
        frozenset(path for path, each in standings.items() if each.legacy),
    )
