"""Workflows of integrated modules, wired: each is run in the sandbox before it is believed."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.errors import UsageError

if TYPE_CHECKING:
    from reverie.model.code import Module
    from reverie.model.workflow import Workflow
    from reverie.settings import Loaded
    from reverie.workflows.sandbox_runner import WorkflowSandboxRunner


def generate_workflows_for_modules(
    modules: Sequence[str], repository: str | Path = "."
) -> tuple[Workflow, ...]:
    """A workflow of one step for each module that has a function to call; each was run once."""
    from reverie.stages.integration.scheduling import workflow_of

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
    from reverie.stages.integration.scheduling import extended

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
