"""`WorkflowEvolutionManager`: a workflow and its variants, and the best of them promoted."""

import hashlib
import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Any, Protocol

from reverie.model.settings.workflows import WorkflowsSection
from reverie.model.workflow import Workflow
from reverie.model.workflow_evolution import (
    Evolution,
    EvolutionStatus,
    Interaction,
    PastEvolution,
    Variant,
    VariantTrial,
    VariantVerdict,
    WorkflowScore,
)
from reverie.sandbox.engine import Sandbox
from reverie.scoring.roi import gate_by_gains
from reverie.scoring.synergy import interaction
from reverie.workflows.discovery.finding import Surroundings
from reverie.workflows.evolution.judging import Terms, VariantJudge
from reverie.workflows.evolution.variants import LIMIT, WorkflowEvolutionBot, varied
from reverie.workflows.synergy_comparator import WorkflowSynergyComparator

logger = logging.getLogger(__name__)
Progress = Callable[[str], Any]


class Memory(Protocol):
    """Where attempts outlive the process."""

    def evolutions(self, name: str) -> Sequence[PastEvolution]:
        """Earlier attempts at a workflow, oldest first."""
        ...


class WorkflowEvolutionManager:
    """Makes workflows better, one at a time. Nothing is kept here: the answer says what to keep."""

    def __init__(
        self,
        sandbox: Sandbox,
        around: Surroundings,
        section: WorkflowsSection | None = None,
        memory: Memory | None = None,
        terms: Terms | None = None,
    ) -> None:
        self._sandbox = sandbox
        self._around = around
        self._section = section or WorkflowsSection()
        self._memory = memory
        self._terms = terms or Terms()
        self._bot = WorkflowEvolutionBot(around)

    def evolve(
        self,
        workflow: Workflow,
        limit: int = LIMIT,
        *,
        score: WorkflowScore | None = None,
        force: bool = False,
        progress: Progress = lambda text: None,
    ) -> Evolution:
        """Try at most so many variants and promote the one that is worth most.

        A workflow whose earlier attempts gained too little is left alone, unless `force` is given,
        until its steps or their source change.
        """
        gains, section = self._past_gains(workflow), self._section
        gate = gate_by_gains(gains, section.gating_threshold, section.gating_consecutive)
        if gate.is_stable and not force:
            logger.info("workflow %s stable (ema gating)", workflow.name)
            said = f"the gains of {len(gains)} attempts average {gate.ema:.3g} points"
            return Evolution(workflow, EvolutionStatus.STABLE, said, ema=gate.ema)
        judge = VariantJudge(self._sandbox, self._around, workflow, self._terms)
        if judge.own.failure is not None:
            error = judge.own.failure.error
            said = "it fails" if error is None else f"it fails: {error.message}"
            return self._concluded(Evolution(workflow, EvolutionStatus.UNCHANGED, said), gains)
        variants = self._bot.generate_variants(workflow, limit, score)
        trials = [self._judged(judge, each, progress) for each in variants]
        combined, effects = self._combined(workflow, judge, trials, progress)
        trials += combined
        return self._concluded(_decided(workflow, tuple(trials), effects, section), gains)

    def source_hash(self, workflow: Workflow) -> str:
        """Changes with the workflow, and with the source of any module that its steps are in."""
        modules = self._around.catalogue.modules
        parts = [workflow.digest]
        parts += [modules[name].content_hash for name in workflow.modules if name in modules]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]

    def _past_gains(self, workflow: Workflow) -> list[float]:
        if self._memory is None:
            return []
        own = self.source_hash(workflow)
        past = self._memory.evolutions(workflow.name)
        return [each.roi_delta for each in past if each.source_hash == own]

    def _judged(self, judge: VariantJudge, variant: Variant, progress: Progress) -> VariantTrial:
        progress(variant.title)
        trial = judge.judge(variant)
        logger.info("variant %s: %s (%s)", variant.title, trial.verdict, trial.reason)
        return trial

    def _combined(
        self,
        workflow: Workflow,
        judge: VariantJudge,
        trials: Sequence[VariantTrial],
        progress: Progress,
    ) -> tuple[list[VariantTrial], tuple[Interaction, ...]]:
        """The two best edits of different steps together, and what that adds or takes away."""
        better = [each for each in trials if each.verdict is VariantVerdict.BETTER]
        better.sort(key=_worth, reverse=True)
        for one, other in combinations(better, 2):
            first, second = one.variant.edits[0], other.variant.edits[0]
            if first.stop <= second.start or second.stop <= first.start:
                both = self._judged(judge, varied(workflow, (first, second)), progress)
                gains = (_gains(one), _gains(other), _gains(both))
                effect = interaction(first.title, second.title, gains, "latency", self._terms.seed)
                return [both], (effect,)
        return [], ()

    def _concluded(self, found: Evolution, gains: Sequence[float]) -> Evolution:
        gate = gate_by_gains([*gains, found.roi_delta], 0.0, 1)
        return replace(found, ema=gate.ema)


def _decided(
    workflow: Workflow,
    trials: tuple[VariantTrial, ...],
    effects: tuple[Interaction, ...],
    section: WorkflowsSection,
) -> Evolution:
    better = [each for each in trials if each.verdict is VariantVerdict.BETTER]
    if not better:
        said = "no variant of it can be thought of" if not trials else "no variant is better"
        return Evolution(workflow, EvolutionStatus.UNCHANGED, said, None, trials, effects)
    best = max(better, key=_worth)
    made = best.variant.workflow
    scores = WorkflowSynergyComparator.compare(workflow, made)
    is_near = (
        scores.similarity >= section.merge_similarity
        and scores.entropy_gap <= section.merge_entropy_delta
    )
    if not is_near:
        made = replace(made, name=f"{workflow.name}.{made.digest[:8]}")
    said, gain = best.variant.title, best.roi_points or 0.0
    status = EvolutionStatus.PROMOTED
    return Evolution(workflow, status, said, made, trials, effects, gain, is_branch=not is_near)


def _worth(trial: VariantTrial) -> float:
    return float("-inf") if trial.roi_points is None else trial.roi_points


def _gains(trial: VariantTrial) -> list[float]:
    """Seconds saved per run of the workflow, round by round."""
    if trial.benchmark is None:
        return []
    times = trial.benchmark.times
    return [
        sum(old) / len(old) - sum(new) / len(new)
        for old, new in zip(times.old, times.new, strict=True)
    ]
