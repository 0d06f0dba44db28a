"""Declared workflows as an oracle: no change may make one that reaches it do anything else."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.model.change import Change
from reverie.model.outcome import TestOutcome
from reverie.model.repository.code import CodeIndex
from reverie.model.ruling import Evidence
from reverie.model.workflow import Workflow, WorkflowRun
from reverie.sandbox.engine import Sandbox
from reverie.trials.integration import import_name
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

RUN, DIFFERENT = "workflows.run", "workflows.different"


@dataclass(frozen=True, slots=True)
class Flows:
    """Declared workflows with whatever their steps import. Threads share it."""

    workflows: tuple[Workflow, ...]
    index: CodeIndex
    sandbox: Sandbox
    python: str | None = None
    """The interpreter that has what the repository needs; None: the one that runs Reverie."""

    def tried(self, evidence: Evidence, change: Change, base: Path, head: Path) -> Evidence:
        """Evidence with what workflows said of a change; without any that reach it, as it was."""
        run, different = [], []
        for workflow in self._reaching(change):
            for params in (workflow.params, *workflow.inputs):
                before = self._seen(workflow, params, base)
                if before is None or before != self._seen(workflow, params, base):
                    continue  # it does not do the same twice: no difference would say anything
                if before[0] == TestOutcome.SUCCESS:
                    run.append(workflow.name)  # that it fails as before would say little
                after = self._seen(workflow, params, head)
                if after != before:
                    different.append(f"{workflow.name}: {_told(before)} before, {_told(after)} now")
        if not run and not different:
            return evidence
        names = tuple(dict.fromkeys(run))
        measures = {RUN: float(len(names)), DIFFERENT: float(len(different))}
        details = {RUN: names, **({DIFFERENT: tuple(different)} if different else {})}
        return replace(
            evidence,
            measures={**evidence.measures, **measures},
            details={**evidence.details, **details},
        )

    def _reaching(self, change: Change) -> Iterator[Workflow]:
        """Those with a step whose module is changed, or imports one that is."""
        paths = {name for edit in change.edits for name in (edit.path, edit.renamed_from) if name}
        changed = {module.name for module in self.index.modules if module.path in paths}
        for workflow in self.workflows:
            if changed & self.reach(workflow):
                yield workflow

    def reach(self, workflow: Workflow) -> frozenset[str]:
        """The modules of its steps, with all that they import, directly or not."""
        names = {import_name(module): module.name for module in self.index.modules}
        steps = {names.get(each, each) for each in workflow.modules}
        own = {module.name for module in self.index.modules}
        return frozenset(self._imported(steps) & own)

    def _imported(self, names: set[str]) -> set[str]:
        """Modules with all that they import, directly or not."""
        found, left = set(names), list(names)
        while left:
            name = left.pop()
            new = {imported for importer, imported in self.index.edges if importer == name} - found
            found |= new
            left += new
        return found

    def _seen(
        self, workflow: Workflow, params: Mapping[str, Any], folder: Path
    ) -> tuple[Any, ...] | None:
        """What one run does that somebody could tell; None where it cannot be run there."""
        policy = replace(self.sandbox.section.policy(), python=self.python)
        try:
            with WorkflowSandboxRunner(
                repository=folder, sandbox=self.sandbox, policy=policy
            ) as runner:
                return _visible(runner.run_workflow(workflow, params=params))
        except UsageError:
            return None


def _visible(run: WorkflowRun) -> tuple[Any, ...]:
    steps = tuple(
        (each.name, repr(each.output), each.output_type, each.output_text, each.execution.stdout)
        for each in run.steps
    )
    error = None if run.error is None else run.error.type_name
    return str(run.outcome), error, steps, tuple(sorted(run.files.items()))


def _told(seen: tuple[Any, ...] | None) -> str:
    """The end of a run in a few words."""
    if seen is None:
        return "it cannot be run"
    outcome, error, steps, _ = seen
    if error is not None or not steps:
        return f"{outcome} {error or ''}".strip()
    _, output, output_type, text, _ = steps[-1]
    return f"{text or output or output_type}"[:80]
