"""Wires the workflows of a repository: those it declares, those found in it, those kept."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import UsageError
from reverie.workflows.synergy_comparator import Shelf
from reverie.workflows.synergy_comparator import WorkflowSynergyComparator as _Comparator

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from reverie.model.workflow import Workflow
    from reverie.model.workflow_sections import WorkflowsSection
    from reverie.model.workflow_version import WorkflowVersion
    from reverie.sandbox.engine import Sandbox
    from reverie.settings import Loaded, Settings
    from reverie.store import WorkflowDB
    from reverie.workflows.discovery.finding import Surroundings
    from reverie.workflows.evolution.manager import WorkflowEvolutionManager

_COMPARED_SECONDS = 15.0
"""For each variant, at most: there are several."""


def known_workflows(loaded: Loaded) -> tuple[Workflow, ...]:
    """Every workflow of a repository that can be called by name, without reading its code."""
    with open_shelf(loaded) as shelf:
        return tuple(shelf.named())


@contextmanager
def open_shelf(loaded: Loaded) -> Iterator[WorkflowShelf]:
    """The workflows of a repository, with its journal where there is one."""
    from reverie.store import Journal, WorkflowDB

    url = loaded.journal_url
    if url is None or not loaded.settings.journal.record:
        yield WorkflowShelf(loaded, None)
        return
    with Journal.open(url) as journal:
        yield WorkflowShelf(loaded, WorkflowDB(journal, loaded.repository))


class WorkflowShelf:
    """Workflows by name. What is declared comes first, in the form that was proven better."""

    def __init__(self, loaded: Loaded, database: WorkflowDB | None) -> None:
        self._loaded = loaded
        self.database = database

    @property
    def section(self) -> WorkflowsSection:
        """The settings of workflows."""
        return self._loaded.settings.workflows

    @cached_property
    def around(self) -> Surroundings:
        """The repository's code, read when it is first asked for."""
        from reverie.bootstrap import open_index_of
        from reverie.workflows.discovery.finding import Surroundings

        with open_index_of(self._loaded) as index:
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

        from reverie.model.roi import Risk
        from reverie.model.workflow_evolution import EvolutionStatus
        from reverie.scoring.raroi import adjust_for_risk

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
        return adjust_for_risk(sum(gains), Risk(variation=variation)).minutes / fmean(seconds)

    def merge(self, merged: Workflow, duplicate: str) -> None:
        """Keep a workflow, and note that the duplicate is part of it from now on."""
        if self.database is None:
            raise UsageError("there is no journal to merge workflows in: run `reverie init`")
        parent = self.find(merged.name)
        self.database.save(self.find(duplicate))
        self.database.save(merged, self._declared_digest(merged.name) or parent.digest)
        self.database.mark_merged(duplicate, merged.name)
        self.__dict__.pop("_kept", None)

    def promote(self, promoted: Workflow, parent: Workflow) -> int | None:
        """Keep a better workflow; its number, or None without a journal."""
        if self.database is None:
            return None
        base = self._declared_digest(parent.name) or parent.digest
        made = self.database.save(promoted, base)
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
