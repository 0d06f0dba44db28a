"""`WorkflowSynergyComparator`: how alike two workflows are, and what to do about copies.

scores = WorkflowSynergyComparator.compare("main_flow", "candidate_flow")
if WorkflowSynergyComparator.is_duplicate(scores, {"similarity": 0.96, "entropy": 0.04}):
    WorkflowSynergyComparator.merge_duplicate("main_flow", "candidate_flow")
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar, Protocol

from reverie.errors import UsageError
from reverie.index.module_map import louvain, modularity
from reverie.model.settings.workflows import WorkflowsSection
from reverie.model.workflow import Step, Workflow, WorkflowOrigin
from reverie.model.workflow_evolution import Overfitting, SynergyScores
from reverie.scoring.workflows import (
    entropy_bits,
    graph_likeness,
    jaccard,
    overfitting,
    sequence_likeness,
    step_graph,
)


class Shelf(Protocol):
    """Where workflows are found by name, and kept."""

    @property
    def section(self) -> WorkflowsSection:
        """The settings in force there."""
        ...

    def find(self, name: str) -> Workflow:
        """The workflow of a name; `UsageError` when there is none."""
        ...

    def efficiency(self, name: str) -> float | None:
        """Minutes of worth after risk per second of running, as measured."""
        ...

    def merge(self, merged: Workflow, duplicate: str) -> None:
        """Keep a workflow, and note that the duplicate is part of it from now on."""
        ...


Flow = str | Workflow | Sequence[str]


class WorkflowSynergyComparator:
    """Compares workflows, given as such, as lists of steps, or by name on the `shelf`."""

    shelf: ClassVar[Shelf | None] = None

    @classmethod
    def compare(cls, a: Flow, b: Flow) -> SynergyScores:
        """Every figure about two workflows."""
        first, second = cls._flow(a), cls._flow(b)
        ours, theirs = _steps(first), _steps(second)
        similarity = (sequence_likeness(ours, theirs) + graph_likeness(ours, theirs)) / 2
        ties = step_graph(first.targets, second.targets)
        efficiency = _mean([cls._efficiency(a), cls._efficiency(b)])
        parts = {
            "similarity": similarity,
            "shared_module_ratio": jaccard(first.modules, second.modules),
            "efficiency": efficiency,
            "modularity": modularity(ties, louvain(ties)),
        }
        return SynergyScores(
            similarity=similarity,
            shared_module_ratio=jaccard(first.modules, second.modules),
            entropy_a=entropy_bits(first.modules),
            entropy_b=entropy_bits(second.modules),
            efficiency=efficiency,
            modularity=parts["modularity"],
            aggregate=_aggregate(parts),
            overfit_a=overfitting(first.modules),
            overfit_b=overfitting(second.modules),
        )

    @classmethod
    def analyze_overfitting(cls, workflow: Flow) -> Overfitting:
        """Whether one workflow leans on too little."""
        return overfitting(cls._flow(workflow).modules)

    @classmethod
    def is_duplicate(
        cls, scores: SynergyScores, thresholds: Mapping[str, float] | None = None
    ) -> bool:
        """Whether two workflows are copies; `thresholds` may give `similarity` and `entropy`."""
        section = cls._section()
        given = {"similarity": section.duplicate_similarity, "entropy": section.duplicate_entropy}
        bounds = _bounds(given, thresholds)
        return _within(scores, bounds["similarity"], bounds["entropy"])

    @classmethod
    def is_mergeable(cls, scores: SynergyScores) -> bool:
        """Whether a variant is near enough to its workflow to take its place."""
        section = cls._section()
        return _within(scores, section.merge_similarity, section.merge_entropy_delta)

    @classmethod
    def merge_duplicate(cls, base_id: str, dup_id: str) -> Workflow:
        """The canonical workflow with the data of its copy; the copy is part of it from now on."""
        shelf = cls._on_shelf()
        if shelf is None:
            raise UsageError("there is no journal to merge workflows in: run `reverie init`")
        if base_id == dup_id:
            raise UsageError(f"a workflow cannot be merged into itself: {base_id!r:.80}")
        merged = merged_workflow(shelf.find(base_id), shelf.find(dup_id))
        shelf.merge(merged, dup_id)
        return merged

    @classmethod
    def _on_shelf(cls) -> Shelf | None:
        return cls.shelf

    @classmethod
    def _flow(cls, given: Flow) -> Workflow:
        if isinstance(given, Workflow):
            return given
        if not isinstance(given, str):
            return Workflow("given", tuple(Step(each) for each in given))
        shelf = cls._on_shelf()
        if shelf is None:
            raise UsageError(f"there is no shelf to find the workflow {given!r:.80} on")
        return shelf.find(given)

    @classmethod
    def _efficiency(cls, given: Flow) -> float | None:
        if not isinstance(given, str | Workflow):
            return None
        shelf = cls._on_shelf() if isinstance(given, str) else cls.shelf
        name = given if isinstance(given, str) else given.name
        return None if shelf is None else shelf.efficiency(name)

    @classmethod
    def _section(cls) -> WorkflowsSection:
        shelf = cls._on_shelf()
        return WorkflowsSection() if shelf is None else shelf.section


def merged_workflow(base: Workflow, copy: Workflow) -> Workflow:
    """The steps of the one, tried on the data of both."""
    own = [base.params, *base.inputs]
    more = [each for each in (copy.params, *copy.inputs) if each and each not in own]
    return replace(
        base,
        origin=WorkflowOrigin.MERGED,
        inputs=(*base.inputs, *more),
        test_data={**copy.test_data, **base.test_data},
        source=f"{base.name} and {copy.name}",
    )


def _steps(workflow: Workflow) -> list[str]:
    """Steps by what they do: a step with other arguments is another one."""
    return [
        f"{step.target} {json.dumps(dict(step.params), sort_keys=True)}"
        if step.params
        else str(step.target)
        for step in workflow.steps
    ]


def _aggregate(parts: Mapping[str, float | None]) -> float:
    scaled = []
    for name, value in parts.items():
        if value is not None:
            positive = max(0.0, value)
            scaled.append(positive / (1 + positive) if name == "efficiency" else min(1.0, positive))
    return sum(scaled) / len(scaled)


def _mean(values: Sequence[float | None]) -> float | None:
    there = [each for each in values if each is not None]
    return sum(there) / len(there) if there else None


def _within(scores: SynergyScores, similarity: float, entropy: float) -> bool:
    return scores.similarity >= similarity and scores.entropy_gap <= entropy


def _bounds(given: dict[str, float], thresholds: Mapping[str, float] | None) -> dict[str, float]:
    for name in thresholds or {}:
        if name not in given:
            raise UsageError(f"{name!r:.40} is no threshold: {', '.join(given)}")
    return {**given, **(thresholds or {})}
