"""Cycles, wired: settings, journal, lock, a copy of the revision, the sandbox and the workshop."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import Refused, UsageError
from reverie.model.published import Publish, unheard

GENERATED_SHOWN = 3
GRACE_SHARE = 0.2
GRACE_SECONDS = 5.0
"""Beyond the budget, for what was begun within it; then it is ended."""

if TYPE_CHECKING:
    from reverie.cycle.glance import Watch
    from reverie.cycle.local import LocalWorkshop, Meter
    from reverie.cycle.running import CycleRun
    from reverie.model.cycle import CycleRecord, CycleWishes, Step
    from reverie.model.dream import Stage
    from reverie.model.environment import Surroundings
    from reverie.sandbox.engine import Recorder, Sandbox
    from reverie.settings import Loaded
    from reverie.stages.grounds import Grounds
    from reverie.store import Journal


class Cycle:
    """One pass over a repository: index, dream, try, score, rule, promote; then the report.

    cycle = Cycle("path/to/repository", seconds=120)
    record = cycle.run()

    Settings are the repository's own; what is given here comes before them. The repository's
    files, branches and index are never touched: what is proven is on a branch of its own.
    """

    def __init__(
        self,
        repository: str | Path = ".",
        *,
        seconds: float | None = None,
        executions: int | None = None,
        dreams: int | None = None,
        seed: int | None = None,
        python: str | None = None,
        is_fresh: bool = False,
        stage: str = "A",
        watch: Watch | None = None,
        loaded: Loaded | None = None,
    ) -> None:
        self.loaded = loaded or _load(Path(repository))
        self.watch = watch
        self.surroundings: Surroundings | None = None
        """What a preflight settled on; absent, whatever is there."""
        self.spent_seconds = 0.0
        """What settling the environment and a preflight have used up of the budget."""
        self.modules: tuple[str, ...] = ()
        """What an integration is about; empty for whatever nothing uses."""
        self.stop = threading.Event()
        self.first: tuple[str, ...] = ()
        """Modules that are looked at before all others."""
        wishes = self._wishes(seconds, executions, dreams, seed, python, is_fresh)
        self.wishes = replace(wishes, stage=_stage(stage))

    def _wishes(
        self,
        seconds: float | None,
        executions: int | None,
        dreams: int | None,
        seed: int | None,
        python: str | None,
        is_fresh: bool,
    ) -> CycleWishes:
        from reverie.model.cycle import CycleBudget, CycleWishes

        section = self.loaded.settings.cycle
        # A budget of executions has no clock in it, unless both are asked for.
        default = section.budget_seconds if executions is None else None
        budget = CycleBudget(seconds if seconds is not None else default, executions, dreams)
        interpreter = None if python is None else os.path.abspath(python)
        chosen = section.seed if seed is None else seed
        return CycleWishes(budget, chosen, python=interpreter, is_fresh=is_fresh)

    def run(self) -> CycleRecord:
        """A new cycle, to its end. `stop.set()` from another thread ends it cleanly."""
        from reverie.bootstrap.retention import prune_after_cycle

        with self._locked() as journal:
            with self._opened(journal, None, self.wishes) as run:
                record = run.begin(self.wishes)
            prune_after_cycle(self.loaded, journal)
            return record

    def recover(self) -> CycleRecord:
        """What is left of the newest cycle; finished work is not done again."""
        from reverie.store.cycle_queries import load_cycle, unfinished_cycle

        with self._locked() as journal:
            found = unfinished_cycle(journal, self.loaded.repository)
            if found is None:
                raise UsageError(f"no cycle of {self.loaded.repository} is unfinished")
            record = load_cycle(journal, found)
            header = record.header
            with self._opened(journal, header.revision, header.wishes) as run:
                require_same_source(record, run.workshop.environment)
                return run.recover(record)

    def plan(self) -> tuple[Step, ...]:
        """What a cycle would do, in order. The suite is measured; nothing is written."""
        from reverie.bootstrap.governing import open_governor
        from reverie.cycle.planning import Means, plan_steps
        from reverie.store import Journal
        from reverie.store.cycle_queries import finished_sources

        url, repository = self.loaded.journal_url, self.loaded.repository
        with ExitStack() as stack:
            known: Mapping[str, str] = {}
            complete: Mapping[str, str] = {}
            journal = None if url is None else Journal.find(url)
            workshop = stack.enter_context(self._workshop(None, self.wishes))
            survey = workshop.survey()
            if journal is not None and not self.wishes.is_fresh:
                stack.enter_context(journal)
                known = finished_sources(journal, repository, but="")
                complete = open_governor(self.loaded, journal, workshop).complete(survey.targets)
        means = Means(self.wishes.budget, self._workers)
        return plan_steps(survey.targets, means, self.loaded.settings.cycle, known, complete)

    @contextmanager
    def opened_here(self) -> Iterator[tuple[Journal, LocalWorkshop]]:
        """The journal and what a new cycle would work with, for whoever only wants to look."""
        with self._locked() as journal, self._workshop(None, self.wishes, journal) as workshop:
            yield journal, workshop

    @property
    def _workers(self) -> int:
        return self.loaded.settings.sandbox.slots

    @contextmanager
    def _locked(self) -> Iterator[Journal]:
        """The journal, while no other process runs a cycle on this repository."""
        from reverie.bootstrap.moved import keep_past
        from reverie.bootstrap.stopping import cycle_lock, ended_by_request
        from reverie.promotion.scratch import held_alone
        from reverie.store import Journal
        from reverie.store.alone import held_in_journal

        what = cycle_lock(self.loaded.repository)
        with (
            held_alone(what, "a cycle", 0.0),
            ended_by_request(),
            Journal.open(self.loaded.repository_journal_url) as journal,
            held_in_journal(journal, what, "a cycle"),
        ):
            keep_past(self.loaded, journal)
            yield journal

    @contextmanager
    def _opened(
        self, journal: Journal, revision: str | None, wishes: CycleWishes
    ) -> Iterator[CycleRun]:
        from reverie.bootstrap.clusters import spread_out
        from reverie.bootstrap.events import open_events
        from reverie.bootstrap.governing import open_governor, open_pairing
        from reverie.cycle.running import CycleRun

        with (
            open_events(self.loaded) as publish,
            self._workshop(revision, wishes, journal, publish) as here,
            spread_out(here, self.loaded, wishes, self._workers) as (workshop, workers),
        ):
            run = CycleRun(
                journal,
                self.loaded.repository,
                workshop,
                self.loaded.settings.cycle,
                workers=workers,
                stop=self.stop,
                governor=open_governor(self.loaded, journal, here),
                pairing=open_pairing(here, wishes.seed),
                first=self.first,
                publish=publish,
                spent_before=self.spent_seconds,
            )
            if self.watch is not None:
                run.watch = self.watch
            yield run

    @contextmanager
    def _workshop(
        self,
        revision: str | None,
        wishes: CycleWishes,
        journal: Journal | None = None,
        publish: Publish = unheard,
    ) -> Iterator[LocalWorkshop]:
        """A copy of the revision with a sandbox; both are gone afterwards."""
        from reverie.bootstrap.environments import Wish, settle_quietly, with_fresh
        from reverie.cycle.local import Meter
        from reverie.promotion.generated import lay_files, lay_generated, lay_submodules
        from reverie.promotion.git import Git
        from reverie.promotion.scratch import scratch_folder
        from reverie.promotion.trial_tree import open_trial_tree
        from reverie.sandbox.engine import Sandbox

        repository, settings = self.loaded.repository, self.loaded.settings
        git = Git.find(repository)
        if revision is None and git is not None:
            revision = git.find_commit("HEAD")
        around = self.surroundings or settle_quietly(self.loaded, wishes.python)
        around = with_fresh(self.loaded, around, Wish(wishes.python), os.environ)
        with ExitStack() as stack:
            folder = stack.enter_context(open_trial_tree(repository, revision))
            laid = () if git is None or revision is None else lay_generated(git, folder)
            laid = (*laid, *lay_files(folder, around.generated))
            laid = laid if git is None else (*laid, *lay_submodules(git, folder))
            meter = Meter(self._recorder(stack))
            sandbox = stack.enter_context(Sandbox(settings.sandbox, meter))
            grounds = read_grounds(self.loaded, folder, revision, around, laid)
            ends_at = self._ends_at(wishes)
            sandbox = sandbox.with_python(grounds.interpreter.path).until(ends_at)
            cache = stack.enter_context(scratch_folder(avoid=repository))
            tools = Tools(sandbox, meter, cache, journal, publish, ends_at)
            yield build_workshop(self.loaded, grounds, wishes, tools, self.modules)

    def _ends_at(self, wishes: CycleWishes) -> float | None:
        """When whatever still runs is ended: a trial that was begun in time may come to its end."""
        seconds = wishes.budget.seconds
        if seconds is None:
            return None
        return time.monotonic() - self.spent_seconds + seconds * (1 + GRACE_SHARE) + GRACE_SECONDS

    def _recorder(self, stack: ExitStack) -> Recorder | None:
        from reverie.bootstrap import open_recorder

        if not self.loaded.settings.journal.record or not self.loaded.is_initialised:
            return None
        return open_recorder(stack, self.loaded.repository_journal_url)


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


def build_workshop(
    loaded: Loaded,
    grounds: Grounds,
    wishes: CycleWishes,
    tools: Tools,
    modules: tuple[str, ...] = (),
) -> LocalWorkshop:
    """Whoever dreams at the stage that is wished for, on a copy of the repository."""
    from reverie.bootstrap.cycle_past import read_past
    from reverie.bootstrap.dreamers import dreamers_of
    from reverie.bootstrap.scores import open_pilots, roi_section
    from reverie.bootstrap.weighing import weights_of
    from reverie.cycle.local import LocalWorkshop, Offering
    from reverie.model.dream import DreamKind
    from reverie.promotion.bundle.keys import config_folder, own_key
    from reverie.stages.dreamer import Survey
    from reverie.stages.trying import Trying

    settings = loaded.settings
    key = partial(own_key, config_folder(os.environ))
    trying = Trying(
        grounds,
        tools.sandbox,
        settings.guard,
        roi_section(loaded),
        seconds=None if wishes.budget.seconds is None else settings.cycle.trial_seconds,
        cache=tools.cache,
        past=read_past(loaded, tools.journal),
        weights=weights_of(loaded, tools.journal),
        least_roi={DreamKind.INTEGRATION: settings.integration.min_roi},
        ends_at=tools.ends_at,
    )
    return LocalWorkshop(
        Survey(grounds, tools.sandbox),
        tools.meter,
        dreamers_of(wishes.stage, loaded, tools.journal, modules),
        trying,
        Offering(settings.promotion, loaded.data_dir, key, settings.alignment, tools.publish),
        open_pilots(loaded, trying.prove_longer),
    )


def read_grounds(
    loaded: Loaded,
    folder: Path,
    revision: str | None,
    around: Surroundings,
    laid: tuple[str, ...] = (),
) -> Grounds:
    """What a copy holds, and which Python runs it."""
    from reverie.bootstrap import open_index
    from reverie.promotion.identity import identity_of
    from reverie.promotion.source import read_source
    from reverie.stages.grounds import Grounds, Interpreter, find_interpreter

    settings = loaded.settings
    with open_index(folder, settings.index, settings.safety, None) as index:
        index.refresh()
        code = index.load()
    source = read_source(loaded.repository, revision)
    interpreter = Interpreter(around.python)
    if around.python is None:
        interpreter = find_interpreter(loaded.repository, None)
    few = ", ".join(laid[:GENERATED_SHOWN])
    note = f"{len(laid)} files that git ignores are part of the copy: {few}"
    notes = (*around.notes, *((note,) if laid else ()))
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
    )


def _stage(given: str) -> Stage:
    from reverie.model.dream import Stage

    if given.upper() not in (Stage.A, Stage.B, Stage.C, Stage.INTEGRATION):
        told = "A (tests), B (refactorings), C (optimisations) or I (integrations)"
        raise UsageError(f"a cycle goes to stage {told}, not {given!r}")
    return Stage(given.upper())


def require_same_source(record: CycleRecord, environment: Mapping[str, Any]) -> None:
    """A recovery goes on with the very files that the cycle was begun with."""
    before, now = record.header.environment.get("source"), environment["source"]
    if before != now:
        raise Refused(
            f"the files have changed since the cycle {record.header.id} was begun: start a new one"
        )


def _load(repository: Path) -> Loaded:
    from reverie.settings import find_repository, load_settings

    found = find_repository(str(repository), os.environ)
    return load_settings(found.path, os.environ, {})
