"""Temporal trajectories: a workflow through five stages, each worse than the one before."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Protocol

from reverie.model.codec import pick
from reverie.model.measurements.stress import (
    Preset,
    ScenarioResult,
    Severity,
    StageMetrics,
    StressReport,
    Survival,
    Trajectory,
)
from reverie.model.workflow import Workflow
from reverie.sandbox.engine import Sandbox
from reverie.scoring.workflows import stability
from reverie.workflows.scenarios.presets import canonical_preset
from reverie.workflows.scenarios.stress import StressPlan, stress_workflow

STAGES: Mapping[str, str | None] = {
    "normal": None,
    "high_latency": "high_latency_api",
    "resource_strain": "resource_strain",
    "schema_drift": "schema_drift",
    "chaotic_failure": "chaotic_failure",
}
"""The stages in order, with the scenario of each."""
_WINDOW = 3


class Tracker(Protocol):
    """What keeps stages cycle by cycle: `ForesightTracker`."""

    def record_cycle_metrics(
        self, workflow_id: str, metrics: Mapping[str, Any], *, compute_stability: bool = False
    ) -> object:
        """Record one stage."""
        ...


def run_trajectory(
    sandbox: Sandbox,
    workflow: Workflow,
    repository: str,
    plan: StressPlan,
    *,
    level: str = Severity.HIGH,
    worth_minutes: float = 1.0,
    compute_minute: float = 0.01,
    foresight_tracker: Tracker | None = None,
) -> Trajectory:
    """Run a workflow through all stages, and record each with a tracker if there is one."""
    began = time.monotonic()
    presets = _presets(level)
    report = stress_workflow(sandbox, workflow, repository, replace(plan, presets=presets))
    stages = measure_stages(report, worth_minutes, compute_minute)
    if foresight_tracker is not None:
        for stage in stages:
            foresight_tracker.record_cycle_metrics(
                workflow.name, _cycle(stage), compute_stability=True
            )
    return Trajectory(workflow.name, str(level), stages, time.monotonic() - began)


def _presets(level: str) -> tuple[Preset, ...]:
    return tuple(
        Preset(stage, level) if scenario is None else canonical_preset(scenario, level)
        for stage, scenario in STAGES.items()
    )


def measure_stages(
    report: StressReport, worth_minutes: float, compute_minute: float
) -> tuple[StageMetrics, ...]:
    """What each stage leaves of a workflow's worth."""
    stages: list[StageMetrics] = []
    first: float | None = None
    worths: list[float] = []
    for stage, result in zip(STAGES, report.results, strict=True):
        if stage == "normal":
            result = _undisturbed(report, result)
        roi = _roi(result, worth_minutes, compute_minute)
        first = roi if first is None else first
        worths += [] if roi is None else [roi]
        stages.append(_stage(stage, result, roi, first, worths))
    return tuple(stages)


def _stage(
    name: str,
    result: ScenarioResult,
    roi: float | None,
    first: float | None,
    worths: Sequence[float],
) -> StageMetrics:
    drop = None if roi is None or first is None else first - roi
    return StageMetrics(
        name,
        result.survival,
        roi,
        drop,
        result.resilience,
        result.degradation,
        None if roi is None else stability(worths[-_WINDOW:]),
        result.fired,
    )


def _undisturbed(report: StressReport, result: ScenarioResult) -> ScenarioResult:
    """The first stage has no fault: it is the baseline itself."""
    return replace(
        result,
        survival=Survival.SURVIVED,
        passed=report.calls,
        calls=report.calls,
        p95_seconds=report.baseline_p95_seconds,
        degradation=0.0,
        note=None,
    )


def _roi(result: ScenarioResult, worth: float, compute_minute: float) -> float | None:
    """Minutes: what runs that pass are worth, less what a run computes."""
    if result.pass_rate is None or result.p95_seconds is None:
        return None
    return result.pass_rate * worth - result.p95_seconds / 60 * compute_minute


def _cycle(stage: StageMetrics) -> dict[str, Any]:
    return pick(stage, "stage roi_delta=roi resilience scenario_degradation=degradation")
