"""Whether a variant comes to the same as its workflow: on its own data, and on made-up inputs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from reverie.errors import UsageError
from reverie.instruments.equivalence.front import compare_versions
from reverie.instruments.equivalence.targets import Version
from reverie.model.code import Module
from reverie.model.equivalence import Equivalence, EquivalenceVerdict
from reverie.model.sections import EquivalenceSection
from reverie.model.workflow import Step, Workflow, WorkflowRun
from reverie.model.workflow_evolution import Variant
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.spending import Spending
from reverie.workflows.discovery.finding import Surroundings
from reverie.workflows.evolution.composition import (
    ENTRY,
    Segment,
    composed,
    flowing_annotation,
    shared_parameters,
)
from reverie.workflows.places import search_roots
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

_ADDRESS = " at 0x"


@dataclass(frozen=True, slots=True)
class OwnRuns:
    """The runs of a workflow on its own data; none when it has none."""

    inputs: tuple[Mapping[str, Any], ...]
    runs: tuple[WorkflowRun, ...]

    @property
    def failure(self) -> WorkflowRun | None:
        """The first run that failed."""
        return next((run for run in self.runs if not run.succeeded), None)


def own_inputs(workflow: Workflow, around: Surroundings) -> tuple[Mapping[str, Any], ...]:
    """Every set of arguments that the first step can be called with."""
    first = workflow.steps[0]
    given = (workflow.params, *workflow.inputs)
    return tuple(
        each
        for each in given
        if not around.catalogue.missing(str(first.target), {**first.params, **each})
    )


def run_on(
    runner: WorkflowSandboxRunner, workflow: Workflow, inputs: Sequence[Mapping[str, Any]]
) -> OwnRuns:
    """One run for each set of arguments; what is expected of steps is not looked at."""
    plain = replace(workflow, expected_outputs={})
    return OwnRuns(tuple(inputs), tuple(runner.run_workflow(plain, params=each) for each in inputs))


def first_difference(old: OwnRuns, new: OwnRuns) -> str | None:
    """Where the runs of a variant come to something else; None: nowhere."""
    for given, one, other in zip(old.inputs, old.runs, new.runs, strict=True):
        told = _difference(one, other)
        if told is not None:
            return f"on {dict(given)!r:.120}: {told}"
    return None


def _difference(old: WorkflowRun, new: WorkflowRun) -> str | None:
    if old.outcome is not new.outcome:
        said = "" if new.error is None else f" ({new.error.message:.120})"
        return f"{new.outcome}{said} instead of {old.outcome}"
    if old.files != new.files:
        return "other files are left"
    one, other = old.steps[-1], new.steps[-1]
    if (one.output, one.output_type) != (other.output, other.output_type):
        return f"returns {other.output!r:.80} instead of {one.output!r:.80}"
    if one.output_text != other.output_text and _ADDRESS not in f"{one.output_text}":
        return f"returns {other.output_text!r:.80} instead of {one.output_text!r:.80}"
    return None


class Likeness:
    """Compares the steps that a variant changes on inputs that nobody wrote down."""

    def __init__(self, sandbox: Sandbox, around: Surroundings, section: EquivalenceSection) -> None:
        self._sandbox = sandbox
        self._around = around
        self._section = section

    def compare(self, workflow: Workflow, variant: Variant) -> Equivalence:
        """First the changed steps alone; when those differ, from the first step on.

        Steps that differ on some value may still do the same on whatever flows into them here.
        """
        start = min(edit.start for edit in variant.edits)
        stop = max(edit.stop for edit in variant.edits)
        after = len(workflow.steps) - stop
        old = workflow.steps[start:stop]
        new = variant.workflow.steps[start : len(variant.workflow.steps) - after]
        found = self._compare(old, new, is_first=start == 0)
        if found.verdict is EquivalenceVerdict.EQUIVALENT or start == 0:
            return found
        return self._compare(
            workflow.steps[:stop],
            variant.workflow.steps[: len(variant.workflow.steps) - after],
            is_first=True,
        )

    def _compare(
        self, old: tuple[Step, ...], new: tuple[Step, ...], *, is_first: bool
    ) -> Equivalence:
        first = self._around.catalogue[str(old[0].target)]
        home = first.module
        parameters = None
        if is_first:
            other = self._around.catalogue[str(new[0].target)]
            parameters = shared_parameters(first, other, old[0].params)
        annotation = None if is_first else flowing_annotation(old[0], first)
        try:
            versions = [
                self._version(label, Segment(steps, parameters, annotation), home)
                for label, steps in (("workflow", old), ("variant", new))
            ]
            return compare_versions(
                self._sandbox, *versions, section=self._section, spending=Spending()
            )
        except UsageError as error:
            return Equivalence(EquivalenceVerdict.UNKNOWN, 0, reason=str(error))

    def _version(self, label: str, segment: Segment, home: Module) -> Version:
        around = self._around
        return Version(
            label=label,
            module=home.name,
            qualname=ENTRY,
            source=composed(segment, around, home),
            path=str((around.repository / home.path).absolute()),
            roots=search_roots(around.repository),
        )
