"""The judgement on one variant: the same results first, then paired times, then its worth.

Results and times are taken on the workflow's own data, and on made-up inputs.
"""

import math
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from reverie.errors import UsageError
from reverie.inputs import calls_for, read
from reverie.instruments.benchmark.growing import growing_calls
from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.rounds import Comparison, Effort
from reverie.instruments.benchmark.target import CallableTarget, Inputs
from reverie.instruments.equivalence.targets import Version
from reverie.instruments.equivalence.trial import compare_versions
from reverie.instruments.self_check import Proofs
from reverie.model.measurements.benchmark import Benchmark, RequiredGain, SpeedVerdict
from reverie.model.measurements.equivalence import Equivalence, EquivalenceVerdict
from reverie.model.outcome import MIB
from reverie.model.repository.code import Module, Parameter, ParameterKind
from reverie.model.sections import EquivalenceSection
from reverie.model.settings.judgement import RoiSection
from reverie.model.workflow import Step, Workflow, WorkflowRun
from reverie.model.workflow_evolution import Variant, VariantTrial, VariantVerdict
from reverie.model.worth import Roi, RoiPart
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.observation import Spending
from reverie.workflows.discovery.finding import Surroundings
from reverie.workflows.evolution.composition import (
    ENTRY,
    Segment,
    composed,
    flowing_annotation,
    shared_parameters,
)
from reverie.workflows.recipe import search_roots
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
        """First the changed steps alone; when those differ, the whole workflow.

        Steps that differ on some value may still do the same on whatever flows into them here,
        and later steps may make up for it.
        """
        start = min(edit.start for edit in variant.edits)
        stop = max(edit.stop for edit in variant.edits)
        after = len(workflow.steps) - stop
        old = workflow.steps[start:stop]
        new = variant.workflow.steps[start : len(variant.workflow.steps) - after]
        found = self._compare(old, new, is_first=start == 0)
        is_whole = start == 0 and after == 0
        if found.verdict is EquivalenceVerdict.EQUIVALENT or is_whole:
            return found
        return self._compare(workflow.steps, variant.workflow.steps, is_first=True)

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


_SIZE = 300
_GENERATED_CALLS = 64
_MAKER = "make_input"
_GIVEN = (Parameter("given", ParameterKind.VAR_KEYWORD),)
_PATHS = """from __future__ import annotations

import sys

sys.path[:0] = [each for each in {roots!r} if each not in sys.path]

"""
_OWN = """
import copy
import os
import tempfile

_FILES = {files!r}
_GIVEN = {given!r}
_PLACE = tempfile.mkdtemp()
os.chdir(_PLACE)
for _name, _text in _FILES.items():
    _path = os.path.join(_PLACE, _name.lstrip("/"))
    os.makedirs(os.path.dirname(_path), exist_ok=True)
    with open(_path, "w", encoding="utf-8", newline="") as _file:
        _file.write(_text)


def make_input(n, seed):
    return (), copy.deepcopy(_GIVEN[seed % len(_GIVEN)])
"""
_MADE_UP = """
import random as _chance

import {module} as _home

globals().update({{name: each for name, each in vars(_home).items() if name[:2] != "__"}})
{preamble}
_CALLS = [{calls}]


def _given(*args, **kwargs):
    return args, kwargs


def make_input(n, seed):
    return _CALLS[seed % len(_CALLS)](n, seed, _chance.Random(seed))
"""


def compare_workflows(
    sandbox: Sandbox,
    around: Surroundings,
    pair: tuple[Workflow, Workflow],
    inputs: Sequence[Mapping[str, Any]],
    effort: Effort,
    seed: int = 0,
) -> Benchmark:
    """Both from the first step to the last, in pairs; `UsageError` where they cannot be timed."""
    firsts = [around.catalogue[each.targets[0]] for each in pair]
    shared = shared_parameters(firsts[0], firsts[1], pair[0].steps[0].params)
    needed = tuple(each for each in shared if each.default is None)
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        parameters = _GIVEN if inputs else needed
        old, new = (
            _target(folder, name, composed(Segment(each.steps, parameters), around, None), around)
            for name, each in zip(("workflow_before", "workflow_after"), pair, strict=True)
        )
        maker = _own(pair[0], inputs) if inputs else _made_up(pair[0], needed, around, seed)
        made = _target(folder, "workflow_inputs", maker, around)
        # Its root is the repository, which is so shown inside; its file is seen with the others.
        shown = replace(made, root=str(around.repository.absolute()), attribute=_MAKER)
        comparison = Comparison(old, new, Inputs(shown), _SIZE, seed)
        return compare_speed(sandbox, comparison, RequiredGain(), effort)


def _target(folder: Path, name: str, source: str, around: Surroundings) -> CallableTarget:
    file = folder / f"{name}.py"
    roots = list(search_roots(around.repository))
    file.write_text(_PATHS.format(roots=roots) + source, "utf-8")
    return CallableTarget(str(file), name, str(folder), ENTRY)


def _own(workflow: Workflow, inputs: Sequence[Mapping[str, Any]]) -> str:
    """The workflow's own files and arguments."""
    given = [dict(each) for each in inputs]
    return _OWN.format(files=dict(workflow.test_data), given=given)


def _made_up(
    workflow: Workflow, needed: tuple[Parameter, ...], around: Surroundings, seed: int
) -> str:
    """Arguments by the annotations of the first step: growing where those say enough."""
    home = around.catalogue[workflow.targets[0]].module
    source = composed(Segment(workflow.steps[:1], needed), around, home)
    growing = growing_calls(source, ENTRY)
    calls, preamble = list(growing), ""
    if not calls:
        shape = read(source, ENTRY, module=home.name)
        found = calls_for(shape, seed=seed, count=_GENERATED_CALLS, edges=False)
        calls = [f"_given({call.arguments})" for call in found]
        preamble = "\n".join(dict.fromkeys(call.preamble for call in found))
    if not calls:
        raise UsageError(
            f"no inputs for {workflow.targets[0]!r}: declare params for {workflow.name}"
        )
    listed = ", ".join(f"lambda n, seed, random: {call}" for call in calls)
    return _MADE_UP.format(module=home.name, preamble=preamble, calls=listed)


_MORE_MEMORY = 0.10


@dataclass(frozen=True, slots=True)
class Terms:
    """What a judgement may spend, and by which rates it counts."""

    equivalence: EquivalenceSection = field(
        default_factory=lambda: EquivalenceSection(budget_seconds=10.0)
    )
    roi: RoiSection = field(default_factory=RoiSection)
    effort: Effort = field(default_factory=lambda: Effort(budget_seconds=5.0))
    seed: int = 0


class VariantJudge:
    """Judges the variants of one workflow; its own runs are made once."""

    def __init__(
        self,
        sandbox: Sandbox,
        around: Surroundings,
        workflow: Workflow,
        terms: Terms | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._around = around
        self._workflow = workflow
        self._terms = terms or Terms()
        self._runner = WorkflowSandboxRunner(repository=around.repository, sandbox=sandbox)
        self._inputs: Sequence[Mapping[str, Any]] = own_inputs(workflow, around)
        self._own: OwnRuns = run_on(self._runner, workflow, self._inputs)
        self._proofs = Proofs(sandbox)

    @property
    def own(self) -> OwnRuns:
        """The workflow on its own data."""
        return self._own

    def judge(self, variant: Variant) -> VariantTrial:
        """The verdict on one variant. What cannot be judged is held."""
        theirs = run_on(self._runner, variant.workflow, self._inputs)
        apart = first_difference(self._own, theirs)
        if apart is not None:
            return VariantTrial(variant, VariantVerdict.DIFFERENT, apart)
        runs = len(theirs.runs)
        self._proofs.require("equivalence")
        likeness = Likeness(self._sandbox, self._around, self._terms.equivalence)
        found = likeness.compare(self._workflow, variant)
        if found.verdict is not EquivalenceVerdict.EQUIVALENT:
            is_different = found.verdict is EquivalenceVerdict.DIFFERENT
            verdict = VariantVerdict.DIFFERENT if is_different else VariantVerdict.HOLD
            shown = found.counterexample
            reason = found.reason or (
                "unknown" if shown is None else f"{shown.kind}: {shown.expression}"
            )
            return VariantTrial(variant, verdict, reason, found, runs)
        self._proofs.require("benchmark")
        try:
            speed = self._compare_speed(variant)
        except UsageError as error:
            return VariantTrial(variant, VariantVerdict.HOLD, str(error), found, runs)
        verdict, reason = _rule(speed)
        roi = self._roi(speed)
        return VariantTrial(variant, verdict, reason, found, runs, speed, roi)

    def _compare_speed(self, variant: Variant) -> Benchmark:
        pair = (self._workflow, variant.workflow)
        terms = self._terms
        return compare_workflows(
            self._sandbox, self._around, pair, self._inputs, terms.effort, terms.seed
        )

    def _roi(self, speed: Benchmark) -> Roi | None:
        """At the lower bound of the gain. Nothing in the repository has to be read."""
        speedup = speed.judgement.speedup
        if speedup is None:
            return None
        doublings = math.log2(max(speedup.p50.low, 1e-9))
        return Roi((RoiPart("speed.doublings", doublings, self._terms.roi.doubling),), ())


def _rule(speed: Benchmark) -> tuple[VariantVerdict, str]:
    judgement = speed.judgement
    if speed.difference is not None:
        return VariantVerdict.DIFFERENT, speed.difference
    if judgement.verdict is SpeedVerdict.HOLD:
        return VariantVerdict.HOLD, judgement.reason
    if judgement.verdict is not SpeedVerdict.FASTER:
        return VariantVerdict.NO_GAIN, judgement.reason
    more = _more_memory(speed)
    if more is not None:
        return VariantVerdict.HOLD, more
    return VariantVerdict.BETTER, judgement.reason


def _more_memory(speed: Benchmark) -> str | None:
    old = None if speed.old is None else speed.old.peak_bytes
    new = None if speed.new is None else speed.new.peak_bytes
    if old is None or new is None or new - old <= max(_MORE_MEMORY * old, MIB):
        return None
    return f"needs {new / MIB:.1f} MiB of memory instead of {old / MIB:.1f} MiB"
