"""Cycles, wired: settings, journal, lock, a copy of the revision, and the sandbox."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import Refused, UsageError
from reverie.model.events import Publish, unheard

EVERY_STAGE = "all"
GRACE_SHARE = 0.12
GRACE_SECONDS = 5.0
"""Beyond the budget, for what was begun within it; then it is ended."""

if TYPE_CHECKING:
    from reverie.bootstrap.authors import Crew
    from reverie.bootstrap.integrations import Integrated
    from reverie.cycle.glance import Watch
    from reverie.cycle.running import CycleRun, Phase
    from reverie.cycle.stage_shares import Share
    from reverie.cycle.workshop import LocalWorkshop, Surveyed
    from reverie.model.cycle import CycleBudget, CycleRecord, CycleWishes, Step
    from reverie.model.dream import Stage
    from reverie.model.repository.code import CodeIndex
    from reverie.model.repository.environment import SuitePart, Surroundings
    from reverie.sandbox.engine import Recorder
    from reverie.settings import Loaded
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
        stage: str = "all",
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
        self.integrated: Integrated | None = None
        """What became of modules that nothing used, after a cycle that looked at them."""
        self.stop = threading.Event()
        self.first: tuple[str, ...] = ()
        """Modules that are looked at before all others."""
        self.is_dry = False
        """Whether nobody is asked: then nothing is recorded."""
        self._crew: Crew | None = None
        self._begun_with: SuitePart | None = None
        """What a cycle that is gone on with asks of its suite."""
        self._cache: Path | None = None
        """What is known of suites and mutants, for all stages of a run."""
        wishes = self._wishes(seconds, executions, dreams, seed, python, is_fresh)
        self.wishes = replace(wishes, stage=_stage(stage))
        self._began = time.monotonic()

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

    @property
    def may_ask_part(self) -> bool:
        """Whether a part of a large suite would do."""
        from reverie.cycle.stage_shares import ASKS_PART

        return self.wishes.stage in (None, *ASKS_PART)

    @property
    def _part(self) -> SuitePart | None:
        """What is asked of the suite; None: all of it."""
        return self._begun_with if self.surroundings is None else self.surroundings.part

    @property
    def crew(self) -> Crew:
        """Authors that take part, with the budgets of this cycle."""
        from reverie.bootstrap.authors import open_crew

        if self._crew is None:
            self._crew = open_crew(self.loaded, self.loaded.environ, is_dry=self.is_dry)
        return self._crew

    def run(self) -> CycleRecord:
        """A new cycle, to its end. `stop.set()` from another thread ends it cleanly."""
        from reverie.bootstrap.repository import prune_after_cycle
        from reverie.cycle.stage_shares import MAIN

        with self._locked() as journal:
            shares = self._shares(journal, self.wishes)
            stage = shares[0].stage if shares else self.wishes.stage or MAIN
            with self._opened(journal, stage, None, self.wishes, shares) as run:
                record = run.begin(self.wishes)
            prune_after_cycle(self.loaded, journal)
            self._keep_index(record)
        self._settle(record)
        return record

    def _settle(self, record: CycleRecord) -> None:
        """Note what a cycle has integrated, where it looked at anything that nothing uses."""
        from reverie.bootstrap.integrations import settle
        from reverie.stages.integrations import DREAMER

        if any(step.dreamer == DREAMER for step in record.steps):
            self.integrated = settle(self.loaded, record)

    def recover(self) -> CycleRecord:
        """What is left of the newest cycle; finished work is not done again."""
        from reverie.cycle.phases import begun, begun_stages
        from reverie.stages.grounds import part_of
        from reverie.store.cycles.cycles import load_cycle, unfinished_cycle

        with self._locked() as journal:
            found = unfinished_cycle(journal, self.loaded.repository)
            if found is None:
                home = self.loaded.repository
                raise UsageError(f"no cycle of {home} is unfinished; `reverie run` begins one")
            record = load_cycle(journal, found)
            stage, revision = begun(record)
            self._begun_with = part_of(record.header.environment)
            wishes = record.header.wishes
            shares = self._shares(journal, wishes, begun_stages(record))
            stage = stage or shares[0].stage
            with self._opened(journal, stage, revision, wishes, shares) as run:
                if revision == record.header.revision:
                    require_same_source(record, run.workshop.environment)
                recovered = run.recover(record)
            self._keep_index(recovered)
        self._settle(recovered)
        return recovered

    def _keep_index(self, record: CycleRecord) -> None:
        """Keep what is in the repository, for whoever looks at its modules afterwards."""
        from reverie.bootstrap import open_index_of
        from reverie.model.cycle import CycleState

        if record.header.state is CycleState.FINISHED:  # whoever interrupts one does not wait
            with open_index_of(self.loaded, keeps=True) as index:
                index.refresh()

    def plan(self) -> tuple[PlannedStage, ...]:
        """What a cycle would do, in order. The suite is measured; nothing is written or sent."""
        from reverie.bootstrap.governance import open_governor
        from reverie.cycle.planning import known_targets
        from reverie.store import Journal
        from reverie.store.cycles.cycles import finished_modules, finished_sources

        self.is_dry = True
        url, repository = self.loaded.journal_url, self.loaded.repository
        with ExitStack() as stack:
            known: Mapping[str, str] = {}
            complete: Mapping[str, str] = {}
            journal = None if url is None else Journal.find(url)
            workshop = stack.enter_context(self._workshop(None, self.wishes))
            survey = workshop.survey()
            if journal is not None:
                stack.enter_context(journal)
                budgets = self.crew.budgets(self.wishes.stage, journal, self.wishes.seed)
                survey = replace(survey, budgets=budgets)
            if journal is not None and not self.wishes.is_fresh:
                known = known_targets(
                    survey.targets,
                    finished_sources(journal, repository, but=""),
                    finished_modules(journal, repository, workshop.revision, but=""),
                )
                complete = open_governor(self.loaded, journal, workshop).complete(survey.targets)
            shares = self._shares(journal, self.wishes)
            return tuple(self._planned(workshop, survey, shares, known, complete))

    def _planned(
        self,
        workshop: LocalWorkshop,
        survey: Surveyed,
        shares: tuple[Share, ...],
        known: Mapping[str, str],
        complete: Mapping[str, str],
    ) -> Iterator[PlannedStage]:
        from reverie.cycle.planning import Means
        from reverie.cycle.stage_shares import LEAST_SEARCH, Spent, budget_of

        kinds = {name: each.kind for name, each in workshop.dreamers.items()}
        spent, whole, section = Spent(), self.wishes.budget, self.loaded.settings.cycle
        for share in shares or (None,):
            targets = [
                target
                for target in survey.targets
                if share is None or kinds[target.dreamer].stage is share.stage
            ]
            budget = whole if share is None else budget_of(whole, spent, shares, share.stage)
            stage = self.wishes.stage if share is None else share.stage
            least = 0.0 if stage is None else LEAST_SEARCH.get(stage, 0.0)
            means = Means(budget, self._workers, spent.seconds, least_seconds=least)
            steps = survey.budgets.plan(targets, means, section, known, complete)
            yield PlannedStage(share, budget, steps, tuple(_tasks(workshop, steps)))
            spent = Spent(budget.seconds or 0.0)

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
        from reverie.bootstrap.nightly import cycle_lock, ended_by_request
        from reverie.bootstrap.repository import keep_past
        from reverie.promotion.scratch import held_alone
        from reverie.store import Journal
        from reverie.store.database.alone import held_in_journal

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
        self,
        journal: Journal,
        stage: Stage,
        revision: str | None,
        wishes: CycleWishes,
        shares: tuple[Share, ...],
    ) -> Iterator[CycleRun]:
        from reverie.bootstrap.events import open_events
        from reverie.cycle.running import CycleRun
        from reverie.promotion.scratch import scratch_folder

        self._began = time.monotonic()
        with (
            open_events(self.loaded) as publish,
            scratch_folder(avoid=self.loaded.repository) as self._cache,
        ):
            open_phase = partial(self._phase, journal, publish, wishes)
            with open_phase(stage, revision) as phase:
                run = CycleRun(
                    journal,
                    self.loaded.repository,
                    phase.workshop,
                    self.loaded.settings.cycle,
                    workers=phase.workers,
                    stop=self.stop,
                    governor=phase.governor,
                    pairing=phase.pairing,
                    first=self.first,
                    publish=publish,
                    spent_before=self.spent_seconds,
                    shares=shares,
                    open_phase=open_phase,
                )
                if self.watch is not None:
                    run.watch = self.watch
                yield run

    @contextmanager
    def _phase(
        self,
        journal: Journal,
        publish: Publish,
        wishes: CycleWishes,
        stage: Stage,
        revision: str | None,
    ) -> Iterator[Phase]:
        """One stage of a cycle, at a revision."""
        from reverie.bootstrap.clusters import spread_out
        from reverie.bootstrap.governance import open_governor, open_pairing
        from reverie.cycle.running import Phase

        wishes = replace(wishes, stage=stage)
        with (
            self._workshop(revision, wishes, journal, publish) as here,
            spread_out(here, self.loaded, wishes, self._workers) as (workshop, workers),
        ):
            governor = open_governor(self.loaded, journal, here)
            yield Phase(workshop, workers, governor, open_pairing(here, wishes.seed))

    def _shares(
        self, journal: Journal | None, wishes: CycleWishes, begun: Collection[Stage] = ()
    ) -> tuple[Share, ...]:
        """What each stage gets of a cycle over all of them; nothing where one was asked for.

        Stages that were `begun` have their share whatever the journal says by now.
        """
        from reverie.bootstrap.dreamers import dreamers_of
        from reverie.cycle.stage_shares import ASKS_PART, NIGHT, share_out, together
        from reverie.model.dream import Stage
        from reverie.model.settings.cycle import LOCAL
        from reverie.stages.generating import has_stubs
        from reverie.store.cycles.worth import earned_by_dreamer

        if wishes.stage is not None:
            return ()
        is_local = self.loaded.settings.cycle.executor == LOCAL
        # Stage C measures time, and that on one machine.
        stages = [each for each in NIGHT if is_local or each is not Stage.C]
        index = self._read_index()
        if not self._has_orphans(index):
            stages.remove(Stage.INTEGRATION)
        if not has_stubs(index):
            stages.remove(Stage.STUBS)
        if self._part is not None:
            # What is left out may protect any code: none of it is changed.
            stages = [each for each in stages if each in ASKS_PART]
        stages = [each for each in NIGHT if each in stages or each in begun]
        found = {} if journal is None else earned_by_dreamer(journal, self.loaded.repository)
        past = {
            stage: together(
                found[name]
                for name in (
                    *(each.name for each in dreamers_of(stage, self.loaded, journal)),
                    *self.crew.names(stage),
                )
                if name in found
            )
            for stage in stages
        }
        seconds = None if begun else wishes.budget.seconds
        return share_out(stages, past, wishes.seed, seconds)

    def _read_index(self) -> CodeIndex:
        """What is in the repository as its files are: read from the sources, nothing is run."""
        from reverie.bootstrap import open_index_of

        with open_index_of(self.loaded) as remembered:
            remembered.refresh()
            return remembered.load()

    def _has_orphans(self, index: CodeIndex) -> bool:
        """Whether anything could be integrated."""
        from reverie.bootstrap.dreamers import integration_rules
        from reverie.stages.integrations import find_candidates
        from reverie.trials.integration import tree_of

        if not self.loaded.settings.integration.enabled:
            return False
        rules = integration_rules(self.loaded, ())
        return bool(
            find_candidates(tree_of(index, self.loaded.repository, rules.orphans), rules, "")
        )

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
        from reverie.bootstrap.workshops import Tools, build_workshop, read_grounds
        from reverie.cycle.workshop import Meter
        from reverie.promotion.git import Git
        from reverie.promotion.scratch import scratch_folder
        from reverie.promotion.trial_tree import (
            lay_files,
            lay_generated,
            lay_submodules,
            open_trial_tree,
        )
        from reverie.sandbox.engine import Sandbox

        repository, settings = self.loaded.repository, self.loaded.settings
        git = Git.find(repository)
        if revision is None and git is not None:
            revision = git.find_commit("HEAD")
        around = self.surroundings or settle_quietly(self.loaded, wishes.python)
        around = with_fresh(self.loaded, around, Wish(wishes.python), os.environ)
        around = replace(around, part=self._part)
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
            cache = self._cache or stack.enter_context(scratch_folder(avoid=repository))
            tools = Tools(sandbox, meter, cache, journal, publish, ends_at, self.crew)
            yield build_workshop(self.loaded, grounds, wishes, tools, self.modules)

    def _ends_at(self, wishes: CycleWishes) -> float | None:
        """When whatever still runs is ended: a trial that was begun in time may come to its end."""
        seconds = wishes.budget.seconds
        if seconds is None:
            return None
        return self._began - self.spent_seconds + seconds * (1 + GRACE_SHARE) + GRACE_SECONDS

    def _recorder(self, stack: ExitStack) -> Recorder | None:
        from reverie.bootstrap import open_recorder

        if not self.loaded.settings.journal.record or not self.loaded.is_initialised:
            return None
        return open_recorder(stack, self.loaded.repository_journal_url)


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """What an author would be sent about one module."""

    author: str
    stage: str
    module: str
    text: str
    """Without secrets, as it would leave."""


def _tasks(workshop: LocalWorkshop, steps: tuple[Step, ...]) -> Iterator[PlannedTask]:
    """The first task of every author's step; nothing is sent."""
    from reverie.dreamers.models.transport import redact, secrets_of
    from reverie.model.cycle import StepState
    from reverie.model.settings.cycle import ModelProtocol
    from reverie.stages.authoring.dreamer import AuthorDreamer

    hidden = secrets_of(os.environ)
    for step in steps:
        dreamer = workshop.dreamers[step.dreamer]
        if step.state is not StepState.PLANNED or not isinstance(dreamer, AuthorDreamer):
            continue
        about = workshop.surveyed.about(step.module, step.path)
        task = dreamer.task(about, step.allowance.seconds)
        section = dreamer.author.section
        if section.protocol is ModelProtocol.AGENT:
            text = task.order("", section.task_characters)
        else:
            prompt = task.prompt("", section.task_characters)
            text = f"{prompt.system}\n\n{prompt.text}"
        yield PlannedTask(dreamer.author.name, dreamer.stage, step.module, redact(text, hidden))


@dataclass(frozen=True, slots=True)
class PlannedStage:
    """What a cycle would do at one stage."""

    share: Share | None
    """None where the stage was asked for by name."""
    budget: CycleBudget
    """Its seconds are counted from the beginning of the cycle."""
    steps: tuple[Step, ...]
    tasks: tuple[PlannedTask, ...] = ()
    """Of authors, in the order of their steps."""


def _stage(given: str) -> Stage | None:
    from reverie.model.dream import Stage

    if given.lower() == EVERY_STAGE:
        return None
    stage = Stage.named(given)
    if stage is None:
        told = (
            "tests, refactoring, speed, findings, integration, stubs (or A, B, C, D, I, G) or all"
        )
        raise UsageError(f"--stage takes {told}, not {given!r}")
    return stage


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
