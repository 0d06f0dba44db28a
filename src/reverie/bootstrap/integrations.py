"""Integrations, wired: candidates, self-tests, the cycle that judges them, files and workflows.

A workflow of integrated modules is run in the sandbox before it is believed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.bootstrap.cycles import Cycle
from reverie.errors import UsageError

if TYPE_CHECKING:
    from reverie.model.cycle import CycleRecord
    from reverie.model.repository.code import Module
    from reverie.model.repository.standing import Inclusion, IntegrationFigures, SelfTest
    from reverie.model.workflow import Workflow
    from reverie.settings import Loaded
    from reverie.store import Journal
    from reverie.store.cycles.self_tests import SelfTestMemory
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

STAGE = "I"
_RECURSION = ("orphans.recursive", "orphans.recursive_isolated")


@dataclass(frozen=True, slots=True)
class Integrated:
    """What an integration came to: its cycle, every candidate, and the figures so far."""

    modules: tuple[Inclusion, ...]
    figures: IntegrationFigures
    record: CycleRecord | None = None

    @property
    def included(self) -> tuple[str, ...]:
        """Paths of those that are part of the repository now."""
        return tuple(each.test.path for each in self.modules if each.included)


class SelfTestService:
    """Tests modules with all they need, in the sandbox; what was tested is not tested again.

    for test in SelfTestService("path/to/repository").run(["isolated.py"]):
        print(test.path, test.passed, test.closure)

    Without names it takes every module that nothing uses. Progress is in the journal: whatever
    interrupts it, the next run goes on from there.
    """

    def __init__(
        self,
        repository: str | Path = ".",
        *,
        seconds: float | None = None,
        executions: int | None = None,
        seed: int | None = None,
        python: str | None = None,
        loaded: Loaded | None = None,
    ) -> None:
        self.cycle = Cycle(
            repository,
            seconds=seconds,
            executions=executions,
            seed=seed,
            python=python,
            stage=STAGE,
            loaded=loaded,
        )
        section = self.cycle.loaded.settings.integration
        self._seconds = seconds if seconds is not None else section.test_seconds
        self._executions = executions

    def run(self, modules: Sequence[str] = ()) -> tuple[SelfTest, ...]:
        """The self-test of every candidate, in the order in which they were made."""
        return tuple(self.tests(modules))

    def tests(self, modules: Sequence[str] = ()) -> Iterator[SelfTest]:
        """One after another, each remembered before the next begins."""
        from reverie.bootstrap.dreamers import integration_dreamer
        from reverie.model.cycle import CycleBudget
        from reverie.stages.dreamer import Allowance

        cycle, seconds = self.cycle, None if self._executions else self._seconds
        budget = CycleBudget(seconds, self._executions)
        with cycle.opened_here() as (journal, workshop):
            dreamer = integration_dreamer(cycle.loaded, journal, tuple(modules))
            survey = workshop.surveyed
            for candidate in dreamer.candidates(survey).values():
                allowance = Allowance(budget, cycle.stop.is_set, cycle.wishes.seed)
                yield dreamer.testing.test(survey, candidate, allowance).test


class Integration:
    """One pass over what nothing uses: test, try, rule, promote; then the files that tell of it."""

    def __init__(
        self, repository: str | Path = ".", modules: Sequence[str] = (), **wishes: Any
    ) -> None:
        self.cycle = Cycle(repository, stage=STAGE, **wishes)
        self.cycle.modules = tuple(modules)

    def run(self) -> Integrated:
        """A cycle of integrations, to its end."""
        record = self.cycle.run()
        return self.cycle.integrated or settle(self.cycle.loaded, record)


def settle(loaded: Loaded, record: CycleRecord) -> Integrated:
    """Note in the journal and in the files what a cycle has integrated."""
    from reverie.stages.inclusion import Ended, Worth, conclude
    from reverie.stages.integrations import DREAMER

    settings = loaded.settings
    worth = Worth(settings.integration.min_roi, settings.roi)
    steps = [step for step in record.steps if step.dreamer == DREAMER]
    with _memory(loaded) as memory:
        known = frozenset(memory.included())
        found = ((step, memory.find(step.path, step.source_hash)) for step in steps)
        tests = [Ended(step, test) for step, test in found if test is not None]
        ended = _scheduled(loaded, conclude(tests, record, known, worth))
        for each in ended:
            if each.included and each.test.path not in known:
                memory.include(each)
        _write_files(loaded, memory)
        return Integrated(ended, memory.figures(), record)


def auto_include_modules(
    modules: Sequence[str] = (),
    recursive: bool = True,
    repository: str | Path = ".",
    **wishes: Any,
) -> Integrated:
    """Test modules with all they need, and make what passes part of the repository.

    Without names: whatever nothing uses. `recursive`: also what a module needs and nothing else
    uses becomes part of it.
    """
    import os

    from reverie.settings import find_repository, load_settings

    switches = {} if recursive else dict.fromkeys(_RECURSION, "false")
    found = find_repository(str(repository), os.environ)
    loaded = load_settings(found.path, os.environ, switches)
    return Integration(modules=modules, loaded=loaded, **wishes).run()


def _scheduled(loaded: Loaded, ended: tuple[Inclusion, ...]) -> tuple[Inclusion, ...]:
    """Each inclusion with the workflow that runs its module, if it has something to run."""
    from reverie.bootstrap.workflows import open_shelf

    included = [each.test.path for each in ended if each.included]
    made = generate_workflows_for_modules(included, loaded.repository) if included else ()
    with open_shelf(loaded) as shelf:
        if shelf.database is not None:
            for workflow in made:
                shelf.database.save(workflow)
    names = {each.source: each.name for each in made}
    return tuple(replace(each, workflow=names.get(each.test.path)) for each in ended)


@contextmanager
def _memory(loaded: Loaded) -> Iterator[SelfTestMemory]:
    from reverie.store import Journal
    from reverie.store.cycles.self_tests import SelfTestMemory

    with ExitStack() as stack:
        journal: Journal = stack.enter_context(Journal.open(loaded.repository_journal_url))
        yield SelfTestMemory(journal, loaded.repository)


def _write_files(loaded: Loaded, memory: SelfTestMemory) -> None:
    from reverie.bootstrap import open_index_of
    from reverie.index.module_map import map_modules
    from reverie.index.orphans import classify
    from reverie.stages.inclusion import listed_orphans, write_files

    with open_index_of(loaded) as remembered:
        remembered.refresh()
        index = remembered.load()
        evidence = remembered.evidence(index, lambda done, total: None)
    standings = classify(index, evidence, loaded.settings.orphans)
    there = {module.path for module in index.modules}
    included = [path for path in memory.included() if path in there]
    listed = {*listed_orphans(loaded.data_dir), *(e.path for e in standings if e.orphan)}
    gone = set(included) if loaded.settings.integration.clean else set()
    left = sorted((listed & there) - gone)
    write_files(loaded.data_dir, included, left, map_modules(index, loaded.settings.map))


def generate_workflows_for_modules(
    modules: Sequence[str], repository: str | Path = "."
) -> tuple[Workflow, ...]:
    """A workflow of one step for each module that has a function to call; each was run once."""
    from reverie.stages.inclusion import workflow_of

    with _runner(repository) as (runner, found):
        made = (workflow_of(found.module(each), found.folder, runner) for each in modules)
        return tuple(each for each in made if each is not None)


def try_integrate_into_workflows(
    modules: Sequence[str], repository: str | Path = "."
) -> tuple[Workflow, ...]:
    """Declared workflows with a function of these modules at their end, as far as they then run.

    They stand beside those they come from: what a workflow does is changed by nobody but its
    owner.
    """
    from reverie.bootstrap.workflows import known_workflows
    from reverie.stages.inclusion import extended

    with _runner(repository) as (runner, found):
        longer = [
            each
            for workflow in known_workflows(found.loaded)
            for name in modules
            for each in extended(workflow, found.module(name))
        ]
        return tuple(each for each in longer if _runs(runner, each))


def _runs(runner: WorkflowSandboxRunner, workflow: Workflow) -> bool:
    run = runner.run(
        list(workflow.steps),
        params=workflow.params,
        test_data=workflow.test_data,
        safe_mode=workflow.safe_mode,
    )
    return run.succeeded


@dataclass(frozen=True, slots=True)
class _Found:
    """The modules of a repository by path and by name."""

    loaded: Loaded
    by_name: Mapping[str, Module]

    @property
    def folder(self) -> Path:
        return self.loaded.repository

    def module(self, named: str) -> Module:
        if named not in self.by_name:
            raise UsageError(f"there is no module {named!r:.80} in the repository")
        return self.by_name[named]


@contextmanager
def _runner(repository: str | Path) -> Iterator[tuple[WorkflowSandboxRunner, _Found]]:
    from reverie.bootstrap import open_index_of
    from reverie.settings import find_repository, load_settings
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

    loaded = load_settings(find_repository(str(repository), os.environ).path, os.environ, {})
    with open_index_of(loaded) as remembered:
        remembered.refresh()
        modules = remembered.load().modules
    by_name = {key: each for each in modules for key in (each.name, each.path)}
    with WorkflowSandboxRunner(repository=loaded.repository) as runner:
        yield runner, _Found(loaded, by_name)
