"""The score of a workflow from its runs: how often it succeeds, what it costs, how steadily."""

from collections.abc import Sequence
from statistics import fmean, median, pstdev

from reverie.errors import UsageError
from reverie.model.workflow import StepRun, WorkflowRun
from reverie.model.workflow_score import StepScore, WorkflowScore
from reverie.scoring.quantile import quantile


def score_runs(runs: Sequence[WorkflowRun], baseline: WorkflowScore | None = None) -> WorkflowScore:
    """The score of one or more runs; against a baseline, time and memory count as well.

    `speed` and `memory` are baseline / (baseline + own): one half is as good as the baseline.
    """
    if not runs:
        raise UsageError("a workflow that never ran has no score")
    good = [run for run in runs if run.succeeded]
    success = len(good) / len(runs)
    walls = sorted(run.duration_ms for run in runs)
    cpu = _cpu([run.cpu_seconds for run in good])
    peak = max((run.peak_rss_bytes for run in good if run.peak_rss_bytes is not None), default=None)
    steps = _steps(runs)
    stability = _stability(good)
    found = {
        "stability": stability,
        "speed": None if baseline is None else _against(baseline.cpu_seconds, cpu),
        "memory": None if baseline is None else _against(baseline.peak_rss_bytes, peak),
    }
    parts = {name: value for name, value in found.items() if value is not None}
    slowest = max(steps, key=lambda step: step.time_share, default=None)
    return WorkflowScore(
        runs=len(runs),
        success_rate=success,
        wall_ms_p50=quantile(walls, 0.5),
        wall_ms_p95=quantile(walls, 0.95),
        cpu_seconds=cpu,
        peak_rss_bytes=peak,
        throughput=success / cpu if cpu else None,
        stability=stability,
        steps=steps,
        bottleneck=None if slowest is None else slowest.name,
        parts=parts,
        composite=success * (fmean(parts.values()) if parts else 1.0),
    )


def _cpu(values: Sequence[float | None]) -> float | None:
    there = [each for each in values if each is not None]
    return median(there) if there and len(there) == len(values) else None


def _stability(runs: Sequence[WorkflowRun]) -> float | None:
    times = [run.duration_ms if run.cpu_seconds is None else run.cpu_seconds for run in runs]
    if len(times) < 2 or not fmean(times):
        return None
    return 1 / (1 + pstdev(times) / fmean(times))


def _against(baseline: float | None, own: float | None) -> float | None:
    return (
        None
        if baseline is None or own is None or not baseline + own
        else baseline / (baseline + own)
    )


def _steps(runs: Sequence[WorkflowRun]) -> tuple[StepScore, ...]:
    by_name: dict[str, list[StepRun]] = {}
    for run in runs:
        for step in run.steps:
            by_name.setdefault(step.name, []).append(step)
    walls = {name: median(step.duration_ms for step in some) for name, some in by_name.items()}
    cpus = {name: _cpu([step.cpu_seconds for step in some]) for name, some in by_name.items()}
    by_cpu = [each for each in cpus.values() if each is not None]
    times = {n: c for n, c in cpus.items() if c is not None} if len(by_cpu) == len(cpus) else walls
    total = sum(times.values()) or 1.0
    return tuple(
        StepScore(
            name=name,
            runs=len(some),
            success_rate=sum(step.execution.succeeded for step in some) / len(some),
            wall_ms=walls[name],
            cpu_seconds=cpus[name],
            peak_rss_bytes=max(
                (step.peak_rss_bytes for step in some if step.peak_rss_bytes is not None),
                default=None,
            ),
            time_share=times[name] / total,
        )
        for name, some in by_name.items()
    )
