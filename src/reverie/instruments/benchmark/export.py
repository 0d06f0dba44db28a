"""The same figures in the form that pytest-benchmark writes, for the tools that read it."""

import platform
import statistics
from datetime import UTC, datetime
from typing import Any

from reverie.instruments.benchmark.rounds import Comparison
from reverie.model.benchmark import Benchmark
from reverie.scoring.quantile import quantile

_FORMAT_VERSION = "5.1.0"


def to_pytest_benchmark(benchmark: Benchmark, comparison: Comparison) -> dict[str, Any]:
    """A document of two benchmarks, `old` and `new`; their rounds are our samples."""
    sides = (
        ("old", comparison.old, benchmark.times.old),
        ("new", comparison.new, benchmark.times.new),
    )
    now = datetime.now(UTC).isoformat()
    return {
        "machine_info": {
            "machine": platform.machine(),
            "system": platform.system(),
            "release": platform.release(),
            "python_implementation": platform.python_implementation(),
            "python_version": platform.python_version(),
            "cpu": {},
        },
        "commit_info": {},
        "benchmarks": [
            {
                "group": comparison.new.attribute,
                "name": name,
                "fullname": f"{target.file}::{target.attribute}",
                "params": None,
                "param": None,
                "extra_info": _extra(benchmark),
                "options": {"timer": f"{benchmark.clock} time", "disable_gc": True},
                "stats": _stats([time for row in times for time in row], benchmark),
            }
            for name, target, times in sides
            if times
        ],
        "datetime": now,
        "version": _FORMAT_VERSION,
    }


def _extra(benchmark: Benchmark) -> dict[str, Any]:
    judged = benchmark.judgement
    return {"verdict": judged.verdict.value, "reason": judged.reason, "clock": benchmark.clock}


def _stats(times: list[float], benchmark: Benchmark) -> dict[str, Any]:
    ordered = sorted(times)
    q1, median, q3 = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    mean, deviation = statistics.fmean(times), statistics.stdev(times) if len(times) > 1 else 0.0
    outside = [each for each in times if not q1 - 1.5 * (q3 - q1) <= each <= q3 + 1.5 * (q3 - q1)]
    beyond = [each for each in times if abs(each - mean) > deviation]
    return {
        "min": ordered[0],
        "max": ordered[-1],
        "mean": mean,
        "stddev": deviation,
        "rounds": len(times),
        "median": median,
        "iqr": q3 - q1,
        "q1": q1,
        "q3": q3,
        "iqr_outliers": len(outside),
        "stddev_outliers": len(beyond),
        "outliers": f"{len(beyond)};{len(outside)}",
        "ld15iqr": min(each for each in ordered if each >= q1 - 1.5 * (q3 - q1)),
        "hd15iqr": max(each for each in ordered if each <= q3 + 1.5 * (q3 - q1)),
        "ops": 1 / mean if mean else 0.0,
        "total": sum(times),
        "iterations": benchmark.calls_per_sample,
        "data": times,
    }
