"""Workflows of a repository, wired: declared, found in it, and kept; and their stress runs.

A stress run has a sandbox of its own, and tells what happened in it.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reverie.errors import UsageError, reason_of
from reverie.workflows.synergy_comparator import Shelf
from reverie.workflows.synergy_comparator import WorkflowSynergyComparator as _Comparator

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reverie.model.measurements.stress import StressReport, Trajectory
    from reverie.model.settings.workflows import WorkflowsSection
    from reverie.model.workflow import Workflow, WorkflowVersion
    from reverie.model.workflow_evolution import Evolution
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded, Settings
    from reverie.store import WorkflowDB
    from reverie.workflows.discovery.finding import Surroundings
    from reverie.workflows.evolution.manager import WorkflowEvolutionManager
    from reverie.workflows.scenarios.stress import StressPlan
    from reverie.workflows.scenarios.trajectory import Tracker

_COMPARED_SECONDS = 15.0
"""For each variant, at most: there are several."""


def known_workflows(loaded: Loaded) -> tuple[Workflow, ...]:
    """Every workflow of a repository that can be called by name, without reading its code."""
    with open_shelf(loaded) as shelf:
        return tuple(shelf.named())


@contextmanager
def open_shelf(loaded: Loaded, asked: Sequence[str] = ()) -> Iterator[WorkflowShelf]:
    """The workflows of a repository, with its journal where there is one.

    A name that is asked for and that no workflow has is refused before anything is written.
    """
    from reverie.store import Journal, WorkflowDB

    url = loaded.journal_url
    if url is None or not loaded.settings.journal.record:
        yield WorkflowShelf(loaded, None)
        return
    around = _require_names(loaded, url, asked) if asked else None
    with Journal.open(url) as journal:
        yield WorkflowShelf(loaded, WorkflowDB(journal, loaded.repository), around)


def _require_names(loaded: Loaded, url: str, asked: Sequence[str]) -> Surroundings | None:
    """The code, if it had to be read to know the names; `UsageError` where one is unknown."""
    from reverie.store import Journal, WorkflowDB

    with ExitStack() as stack:
        journal = Journal.find(url)
        kept = None
        if journal is not None:
            kept = WorkflowDB(stack.enter_context(journal), loaded.repository)
        shelf = WorkflowShelf(loaded, kept, is_read_only=True)
        for name in asked:
            shelf.find(name)
        return shelf.around if shelf.has_read else None


class WorkflowShelf:
    """Workflows by name. What is declared comes first, in the form that was proven better."""

    def __init__(
        self,
        loaded: Loaded,
        database: WorkflowDB | None,
        around: Surroundings | None = None,
        *,
        is_read_only: bool = False,
    ) -> None:
        self._loaded = loaded
        self.database = database
        self._is_read_only = is_read_only
        if around is not None:
            self.around = around

    @property
    def has_read(self) -> bool:
        """Whether the repository's code was read."""
        return "around" in vars(self)

    @property
    def section(self) -> WorkflowsSection:
        """The settings of workflows."""
        return self._loaded.settings.workflows

    @cached_property
    def around(self) -> Surroundings:
        """The repository's code, read when it is first asked for."""
        from reverie.bootstrap import open_index_of
        from reverie.workflows.discovery.finding import Surroundings

        with open_index_of(self._loaded, writes=not self._is_read_only) as index:
            index.refresh()
            return Surroundings(self._loaded.repository, index.load())

    @cached_property
    def _kept(self) -> dict[str, WorkflowVersion]:
        if self.database is None:
            return {}
        return {each.workflow.name: each for each in self.database.current()}

    def version(self, workflow: Workflow) -> int | None:
        """The number of a kept version; None when it is not kept in this form."""
        kept = self._kept.get(workflow.name)
        return (
            kept.version if kept is not None and kept.workflow.digest == workflow.digest else None
        )

    def merged_into(self, workflow: Workflow) -> str | None:
        """The workflow that this one became part of; None when it changed since."""
        kept = self._kept.get(workflow.name)
        if kept is None or kept.workflow.digest != workflow.digest:
            return None
        return kept.merged_into

    def named(self) -> list[Workflow]:
        """Declared and kept ones: an evolved one holds while its parent is what is declared."""
        from reverie.workflows.declared import declared_workflows

        declared = [self._in_force(each) for each in declared_workflows(self.section)]
        names = {each.name for each in declared}
        return [*declared, *(each.workflow for n, each in self._kept.items() if n not in names)]

    def found(self, *, dynamic: bool = False) -> list[Workflow]:
        """Workflows found in the code that have no name on the shelf yet."""
        from reverie.index.module_map import map_modules
        from reverie.workflows.discovery.finding import (
            find_dynamic_workflows,
            find_workflows,
            with_own_names,
        )

        named = self.named()
        found = list(find_workflows(self.around))
        if dynamic:
            by_path = {each.path: each.name for each in self.around.index.modules}
            groups = map_modules(self.around.index, self._loaded.settings.map).groups
            members = [[by_path.get(each, each) for each in group.members] for group in groups]
            found += find_dynamic_workflows(self.around, members)
        kept = {each.name for each in named}
        return [each for each in with_own_names(found) if each.name not in kept]

    def find(self, name: str) -> Workflow:
        """The workflow of a name; code is only read where no list has it."""
        from reverie.workflows.declared import workflow_named

        named = self.named()
        for each in named:
            if each.name == name:
                into = self.merged_into(each)
                return each if into is None else self.find(into)
        return workflow_named(name, [*named, *self.found(dynamic=name.startswith("dynamic."))])

    def efficiency(self, name: str) -> float | None:
        """Minutes of worth after risk per second of running, from promotions and runs."""
        from statistics import fmean, pstdev

        from reverie.model.workflow_evolution import EvolutionStatus
        from reverie.model.worth import Risk
        from reverie.scoring.roi import adjust_for_risk

        if self.database is None:
            return None
        past = self.database.evolutions(name)
        gains = [each.roi_delta for each in past if each.status is EvolutionStatus.PROMOTED]
        runs = [
            row["cpu_seconds"] for row in self.database.runs(name) if row["outcome"] == "success"
        ]
        seconds = [each for each in runs if each]
        if not gains or not seconds:
            return None
        variation = pstdev(seconds) / fmean(seconds)
        return adjust_for_risk(sum(gains), Risk(variation=variation)).points / fmean(seconds)

    def merge(self, merged: Workflow, duplicate: str) -> None:
        """Keep a workflow, and note that the duplicate is part of it from now on."""
        if self.database is None:
            raise UsageError("there is no journal to merge workflows in: run `reverie init`")
        parent = self.find(merged.name)
        self.database.save(self.find(duplicate))
        self.database.save(merged, self._declared_digest(merged.name) or parent.digest)
        self.database.mark_merged(duplicate, merged.name)
        self.__dict__.pop("_kept", None)

    def keep(self, found: Evolution, source_hash: str, summary: Mapping[str, Any]) -> int | None:
        """Keep what evolving came to, as a cycle of the workflow too; the number of what is new."""
        from reverie.learning.foresight_tracker import ForesightTracker
        from reverie.model.workflow_evolution import EvolutionStatus, PastEvolution
        from reverie.store.cycles.measures import ForesightMemory

        if self.database is None or found.status is EvolutionStatus.STABLE:
            return None
        name = found.workflow.name
        past = PastEvolution(found.status, found.roi_delta, source_hash)
        self.database.record_evolution(name, past, summary)
        tracker = ForesightTracker(ForesightMemory(self.database.journal))
        gained = {"roi_delta": found.roi_delta, "stage": found.status.value}
        tracker.record_cycle_metrics(name, gained, compute_stability=True)
        if found.promoted is None:
            return None
        base = self._declared_digest(name) or found.workflow.digest
        made = self.database.save(found.promoted, base)
        self.__dict__.pop("_kept", None)
        return made.version

    def parent_of(self, workflow: Workflow) -> str | None:
        """The digest that a kept version was made from; None for one that is new."""
        kept = self._kept.get(workflow.name)
        return None if kept is None or kept.workflow.digest != workflow.digest else kept.parent

    def _declared_digest(self, name: str) -> str | None:
        declared: Sequence[Workflow] = self.section.declared
        return next((each.digest for each in declared if each.name == name), None)

    def _in_force(self, declared: Workflow) -> Workflow:
        kept = self._kept.get(declared.name)
        return kept.workflow if kept is not None and kept.parent == declared.digest else declared


def evolution_manager(
    sandbox: Sandbox, shelf: WorkflowShelf, settings: Settings, seed: int = 0
) -> WorkflowEvolutionManager:
    """What makes workflows of a shelf better."""
    from reverie.workflows.evolution.judging import Terms
    from reverie.workflows.evolution.manager import WorkflowEvolutionManager

    section = settings.equivalence
    budget = min(section.budget_seconds, _COMPARED_SECONDS)
    terms = Terms(replace(section, budget_seconds=budget), settings.roi, seed=seed)
    return WorkflowEvolutionManager(sandbox, shelf.around, shelf.section, shelf.database, terms)


def comparator_of(shelf: Shelf) -> type[_Comparator]:
    """The comparator of a shelf."""
    return type("WorkflowSynergyComparator", (_Comparator,), {"shelf": shelf})


class WorkflowSynergyComparator(_Comparator):
    """The comparator of the repository around the current folder, unless a `shelf` is given."""

    @classmethod
    def _on_shelf(cls) -> Shelf | None:
        if cls.shelf is not None:
            return cls.shelf
        import os

        from reverie.settings import find_repository, load_settings
        from reverie.store import Journal, WorkflowDB

        place = find_repository(None, os.environ).path
        loaded = load_settings(place, os.environ, {})
        url = loaded.journal_url
        journal = None if url is None else Journal.open(url)
        return WorkflowShelf(loaded, None if journal is None else WorkflowDB(journal, Path(place)))


_MOST_BYTES = 1_000_000


@contextmanager
def open_stress_sandbox(loaded: Loaded, journal_url: str | None) -> Iterator[Sandbox]:
    """A sandbox with as many slots as runs are made at once."""
    from reverie.bootstrap import open_sandbox

    settings = loaded.settings
    slots = max(settings.sandbox.slots, settings.scenarios.slots)
    with open_sandbox(replace(settings.sandbox, slots=slots), journal_url) as sandbox:
        yield sandbox


def read_upstream(path: str | None) -> dict[str, Any]:
    """What an upstream answers, by path; `*` is any other."""
    if path is None:
        return {}
    try:
        with open(path, encoding="utf-8") as file:
            document = json.loads(file.read(_MOST_BYTES))
    except (OSError, ValueError, RecursionError) as error:
        raise UsageError(f"upstream {path!r}: {reason_of(error)}") from error
    if not isinstance(document, dict):
        raise UsageError(f"upstream {path!r}: expected an object of answers by path")
    return document


def plan_of(loaded: Loaded, upstream: Mapping[str, Any], seed: int = 0) -> StressPlan:
    """How the settings want workflows stressed; presets are left to the caller."""
    from reverie.workflows.scenarios.stress import StressPlan

    section = loaded.settings.scenarios
    return StressPlan(
        (),
        calls=section.calls,
        seed=seed,
        deadline_seconds=section.deadline_seconds,
        upstream=upstream,
    )


def simulate_temporal_trajectory(
    workflow_id: str,
    *,
    foresight_tracker: Tracker | None = None,
    repository: str | Path = ".",
    level: str = "high",
    upstream: Mapping[str, Any] | None = None,
) -> Trajectory:
    """Run a workflow of a repository through the five stages; a tracker gets each of them."""
    from reverie.workflows.scenarios.trajectory import run_trajectory

    loaded = _load(repository)
    workflow = find_workflow(loaded, workflow_id)
    with open_stress_sandbox(loaded, None) as sandbox:
        return run_trajectory(
            sandbox,
            workflow,
            str(loaded.repository),
            plan_of(loaded, upstream or {}),
            level=level,
            worth_minutes=loaded.settings.scenarios.worth_minutes,
            compute_minute=loaded.settings.roi.compute_minute,
            foresight_tracker=foresight_tracker,
        )


def run_repo_section_simulations(
    repo_path: str | Path,
    *,
    env_presets: Mapping[str, Any] | None = None,
    upstream: Mapping[str, Any] | None = None,
) -> dict[str, StressReport]:
    """Every declared or kept workflow under presets, the canonical ones if none are given.

    One that fails without any fault is logged and left out: faults say nothing about it.
    """
    from reverie.workflows.scenarios.presets import canonical_presets, read_presets
    from reverie.workflows.scenarios.stress import stress_workflow

    loaded = _load(repo_path)
    presets = canonical_presets()
    if env_presets is not None:
        presets = read_presets(json.dumps(env_presets), "env_presets")
    plan = replace(plan_of(loaded, upstream or {}), presets=presets)
    reports: dict[str, StressReport] = {}
    with open_stress_sandbox(loaded, None) as sandbox:
        for each in known_workflows(loaded):
            try:
                reports[each.name] = stress_workflow(sandbox, each, str(loaded.repository), plan)
            except UsageError as error:
                logging.getLogger(__name__).warning("%s", error)
    return reports


def find_workflow(loaded: Loaded, name: str) -> Workflow:
    """A workflow of a repository by name: declared, kept or found."""

    with open_shelf(loaded, [name]) as shelf:
        return shelf.find(name)


def _load(repository: str | Path) -> Loaded:
    from reverie.settings import find_repository, load_settings

    return load_settings(find_repository(str(repository), os.environ).path, os.environ, {})


def texts_of(workflow: Workflow, repository: Path) -> Iterator[str]:
    """What a workflow is written with: its names, and the source of its modules."""
    from reverie.workflows.recipe import find_module, search_roots

    yield workflow.name
    yield from workflow.targets
    roots = search_roots(repository)
    for module in dict.fromkeys(workflow.modules):
        root = find_module(module, roots).root
        if root is None:
            continue
        base = Path(root, *module.split("."))
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                yield path.read_text(encoding="utf-8", errors="replace")
