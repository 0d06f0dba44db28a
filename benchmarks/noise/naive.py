"""What is usually done instead, on the same callables, without a sandbox: wall clocks in a row."""

import statistics
import time
from collections.abc import Callable

from benchmarks.figures import summarize

SAMPLES = 60


def naive_ratios(old: Callable[[], object], new: Callable[[], object]) -> dict[str, float]:
    """Old over new, by each method."""
    olds, news = _wall(old), _wall(new)
    paired_wall: tuple[list[int], list[int]] = ([], [])
    for turn in range(SAMPLES):
        for side in (0, 1) if turn % 2 else (1, 0):
            began = time.perf_counter_ns()
            (old, new)[side]()
            paired_wall[side].append(time.perf_counter_ns() - began)
    return {
        "sequential wall, mean": statistics.mean(olds) / statistics.mean(news),
        "sequential wall, p95": summarize(olds).p95 / summarize(news).p95,
        "sequential wall, min": min(olds) / min(news),
        "interleaved wall, p95": summarize(paired_wall[0]).p95 / summarize(paired_wall[1]).p95,
    }


def _wall(function: Callable[[], object]) -> list[int]:
    found = []
    for _ in range(SAMPLES):
        began = time.perf_counter_ns()
        function()
        found.append(time.perf_counter_ns() - began)
    return found
