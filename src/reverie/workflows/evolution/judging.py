"""The judgement on one variant: the same results first, then paired times, then its worth."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.errors import UsageError
from reverie.instruments.benchmark.plan import Effort
from reverie.instruments.proof import Proofs
from reverie.model.benchmark import Benchmark, SpeedVerdict
from reverie.model.equivalence import EquivalenceVerdict
from reverie.model.judgement_sections import RoiSection
from reverie.model.roi import Roi, RoiPart
from reverie.model.sections import EquivalenceSection
from reverie.model.units import MIB
from reverie.model.workflow import Workflow
from reverie.model.workflow_evolution import Variant, VariantTrial, VariantVerdict
from reverie.sandbox.engine import Sandbox
from reverie.workflows.discovery.finding import Surroundings
from reverie.workflows.evolution.likeness import (
    Likeness,
    OwnRuns,
    first_difference,
    own_inputs,
    run_on,
)
from reverie.workflows.evolution.speed import compare_workflows
from reverie.workflows.sandbox_runner import WorkflowSandboxRunner

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
        began = time.monotonic()
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
        roi = self._roi(speed, time.monotonic() - began)
        return VariantTrial(variant, verdict, reason, found, runs, speed, roi)

    def _compare_speed(self, variant: Variant) -> Benchmark:
        pair = (self._workflow, variant.workflow)
        terms = self._terms
        return compare_workflows(
            self._sandbox, self._around, pair, self._inputs, terms.effort, terms.seed
        )

    def _roi(self, speed: Benchmark, seconds: float) -> Roi | None:
        """In minutes, at the lower bound of the gain. Nothing in the repository has to be read."""
        speedup, old = speed.judgement.speedup, speed.old
        if speedup is None or old is None:
            return None
        section = self._terms.roi
        saved = old.cpu_seconds * (1 - 1 / max(speedup.p50.low, 1e-9))
        minutes = saved * section.runs_per_week / 60 * section.weeks
        return Roi(
            (RoiPart("speed.minutes_saved", minutes, section.saved_minute),),
            (RoiPart("compute.minutes", seconds / 60, section.compute_minute),),
        )


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
