"""Figures of workflows: the score of runs, resilience under faults, likeness of two.

A score says how often a workflow succeeds, what it costs and how steadily; two are compared in the
order of their steps, and as graphs.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean, median, pstdev

from reverie.errors import UsageError
from reverie.model.workflow import StepRun, WorkflowRun
from reverie.model.workflow_evolution import Overfitting, StepScore, WorkflowScore
from reverie.scoring.samples import quantile


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


NOISE_SECONDS = 0.02


def p95(seconds: Sequence[float]) -> float | None:
    """The time that 95 of 100 runs stay below; None without runs."""
    return quantile(sorted(seconds), 0.95) if seconds else None


def degradation(pass_rate: float, baseline_p95: float, own_p95: float) -> float:
    """What is lost: one less the pass rate times the baseline's p95 over p95, within 0 and 1.

    Times below `NOISE_SECONDS` count as that: what differs there is the machine's doing.
    """
    if not math.isfinite(own_p95):
        return 1.0
    kept = max(baseline_p95, NOISE_SECONDS) / max(own_p95, NOISE_SECONDS)
    return min(1.0, max(0.0, 1.0 - pass_rate * kept))


def stability(values: Sequence[float]) -> float | None:
    """1 / (1 + coefficient of variation): 1 when nothing moves; None below two values."""
    if len(values) < 2:
        return None
    mean = sum(values) / len(values)
    deviation = math.sqrt(sum((each - mean) ** 2 for each in values) / (len(values) - 1))
    if deviation == 0:
        return 1.0
    return 1.0 / (1.0 + deviation / abs(mean)) if mean else 0.0


Matrix = list[list[float]]

LEAST_BITS = 1.0
MOST_OF_A_MODULE = 3
_HEAT_SECONDS = 1.0
"""How long heat spreads over a step graph: about as far as a step's neighbours."""
_HALVINGS = 6
_TERMS = 8


def sequence_likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Longest common subsequence over the mean length: 1 for the same order, 0 for nothing."""
    if not first or not second:
        return 1.0 if first == second else 0.0
    lengths = [0] * (len(second) + 1)
    for here in first:
        before = 0
        for at, there in enumerate(second, 1):
            above = lengths[at]
            lengths[at] = before + 1 if here == there else max(above, lengths[at - 1])
            before = above
    return 2 * lengths[-1] / (len(first) + len(second))


def graph_likeness(first: Sequence[str], second: Sequence[str]) -> float:
    """Cosine of the spectral embeddings of two step graphs.

    The embedding is the heat kernel of the graph's Laplacian over the steps of both: how much of
    what starts at one step is found at each other one. Graphs without a common step are at 0.
    """
    names = sorted({*first, *second})
    one, other = (_heat(_laplacian(each, names), each, names) for each in (first, second))
    dot = sum(a * b for left, right in zip(one, other, strict=True)
              for a, b in zip(left, right, strict=True))  # fmt: skip
    norms = [
        math.sqrt(sum(value * value for row in each for value in row)) for each in (one, other)
    ]
    return dot / (norms[0] * norms[1]) if all(norms) else 0.0


def step_graph(*flows: Sequence[str]) -> Mapping[str, Mapping[str, float]]:
    """Steps tied to the steps before and after them, over all flows."""
    ties: dict[str, dict[str, float]] = {name: {} for flow in flows for name in flow}
    for flow in flows:
        for one, other in pairwise(flow):
            if one != other:
                ties[one][other] = ties[one].get(other, 0.0) + 1.0
                ties[other][one] = ties[one][other]
    return ties


def entropy_bits(names: Sequence[str]) -> float:
    """Shannon entropy of how often each name comes up."""
    counts = Counter(names)
    total = len(names)
    return sum(-n / total * math.log2(n / total) for n in counts.values()) if total else 0.0


def jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """Share of the names that both have."""
    either = {*first, *second}
    return len({*first} & {*second}) / len(either) if either else 1.0


def overfitting(modules: Sequence[str]) -> Overfitting:
    """Whether steps lean on less than one bit of modules, or on one more than three times."""
    bits = entropy_bits(modules)
    counts = Counter(modules)
    repeated = tuple(sorted(name for name, n in counts.items() if n > MOST_OF_A_MODULE))
    return Overfitting(bits, bits < LEAST_BITS, repeated)


def _laplacian(flow: Sequence[str], names: Sequence[str]) -> Matrix:
    ties = step_graph(flow)
    rows = []
    for name in names:
        others = ties.get(name, {})
        degree = sum(others.values())
        rows.append([degree if each == name else -others.get(each, 0.0) for each in names])
    return rows


def _heat(laplacian: Matrix, flow: Sequence[str], names: Sequence[str]) -> Matrix:
    """exp(-t L), by a Taylor series of a small step that is squared again; 0 for absent steps."""
    size = len(names)
    step = [[-_HEAT_SECONDS * value / 2**_HALVINGS for value in row] for row in laplacian]
    identity = [[float(row == column) for column in range(size)] for row in range(size)]
    total, term = identity, identity
    for power in range(1, _TERMS + 1):
        term = [[value / power for value in row] for row in _product(term, step)]
        total = [
            [a + b for a, b in zip(*rows, strict=True)] for rows in zip(total, term, strict=True)
        ]
    for _ in range(_HALVINGS):
        total = _product(total, total)
    there = [name in set(flow) for name in names]
    return [[v if there[r] and there[c] else 0.0 for c, v in enumerate(row)]
            for r, row in enumerate(total)]  # fmt: skip


def _product(left: Matrix, right: Matrix) -> Matrix:
    columns = list(zip(*right, strict=True))
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in left
    ]
