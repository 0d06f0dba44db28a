"""The benchmark: calibrate, measure rounds until the answer is clear, judge, and doubt it.

Reasons not to believe a gain: time that was moved rather than saved, and clocks that lie. The
figures can be exported in the form that pytest-benchmark writes, for the tools that read it.
"""

import platform
import statistics
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from statistics import median
from typing import Any

from reverie.instruments.benchmark.rounds import (
    LOOKS,
    Calibration,
    Comparison,
    Effort,
    NotMeasured,
    Plan,
    Round,
    Rounds,
    SideRound,
    make_plan,
)
from reverie.model.measurements.benchmark import (
    Benchmark,
    BenchmarkClock,
    Growth,
    PairedTimes,
    RequiredGain,
    SideFigures,
    SpeedJudgement,
    SpeedVerdict,
)
from reverie.sandbox.engine import Sandbox
from reverie.scoring.samples import quantile
from reverie.scoring.speedup import (
    LEAST_ROUNDS,
    LEAST_SIZES,
    growth_exponent,
    is_class_clear,
    judge_speed,
)

_MOVED_SHARE = 0.25
_NOISE_SHARE = 0.15
_COLD_POWER = 1 / 6
"""How much of a gain the first call has to show: its own noise hides the rest."""
_UNSEEN_SHARE = 0.3
_UNSEEN_SECONDS = 0.1

Doubt = tuple[str, str]


def doubt(
    judged: SpeedJudgement,
    rounds: Sequence[Round],
    calibration: Calibration,
    cpu_seconds_outside: float | None,
) -> Doubt | None:
    """A reason code and a sentence; None when there is no doubt about the verdict."""
    lied = _unseen_time(rounds, calibration.calls, cpu_seconds_outside)
    if lied is not None or judged.verdict is not SpeedVerdict.FASTER:
        return lied
    return _moved_time(rounds, calibration.calls) or _repeated_inputs(judged, rounds, calibration)


def _moved_time(rounds: Sequence[Round], calls: int) -> Doubt | None:
    """Work that new does before or after its calls, where the calls do not show it."""
    saved = sum(sum(each.old.cpu) - sum(each.new.cpu) for each in rounds) * calls
    old = sum(each.old.other_seconds for each in rounds)
    extra = sum(each.new.other_seconds for each in rounds) - old
    if extra <= _MOVED_SHARE * saved + _NOISE_SHARE * old:
        return None
    reason = f"{extra:.3f} s more were spent outside the calls, where {saved:.3f} s were saved"
    return "time_moved", reason


def _repeated_inputs(
    judged: SpeedJudgement, rounds: Sequence[Round], calibration: Calibration
) -> Doubt | None:
    """With the same inputs again and again a cache looks like speed; a first call does not."""
    if calibration.distinct_inputs or judged.speedup is None:
        return None
    old = min(each.old.cold_seconds for each in rounds)
    new = min(each.new.cold_seconds for each in rounds)
    shown = old / new if new > 0 else float("inf")
    if shown >= max(1.0, judged.speedup.p50.low) ** _COLD_POWER:
        return None
    reason = (
        f"all inputs are the same, and the first call in a fresh process is {shown:.2f}x: "
        "a cache would look like this; give inputs that differ by seed"
    )
    return "only_when_repeated", reason


def _unseen_time(
    rounds: Sequence[Round], calls: int, cpu_seconds_outside: float | None
) -> Doubt | None:
    """Both sides in one process hold the clock themselves: the kernel's count has to agree."""
    if cpu_seconds_outside is None:
        return None
    told = sum(
        sum(side.cpu) * calls + side.other_seconds + side.load_seconds
        for each in rounds
        for side in (each.old, each.new)
    )
    if cpu_seconds_outside <= (1 + _UNSEEN_SHARE) * told + _UNSEEN_SECONDS * len(rounds):
        return None
    reason = f"clocks inside counted {told:.3f} s, the kernel {cpu_seconds_outside:.3f} s"
    return "clock_mismatch", reason


Progress = Callable[[int, int], None]
_MOST_SIZES = 6
_SLOTS_PER_SIZE = 9
_MOST_SLOT_SECONDS = 0.4
_NO_TIMES = PairedTimes((), ())


@dataclass(frozen=True, slots=True)
class _Measured:
    """Everything there is to judge."""

    calibration: Calibration
    plan: Plan
    rounds: tuple[Round, ...]
    cpu_seconds_outside: float | None
    """CPU time of all rounds as counted outside; None where the watch was a process of its own."""

    def times(self) -> PairedTimes:
        """The times that the verdict rests on."""
        if self.plan.clock is BenchmarkClock.WALL:
            return PairedTimes(
                tuple(each.old.wall for each in self.rounds),
                tuple(each.new.wall for each in self.rounds),
            )
        return PairedTimes(
            tuple(each.old.cpu for each in self.rounds),
            tuple(each.new.cpu for each in self.rounds),
        )

    @property
    def calls(self) -> int:
        """Timed calls of each side."""
        return len(self.rounds) * self.plan.slots * self.plan.calls


def compare_speed(
    sandbox: Sandbox,
    comparison: Comparison,
    required: RequiredGain | None = None,
    effort: Effort | None = None,
    *,
    with_growth: bool = False,
    progress: Progress = lambda done, of: None,
) -> Benchmark:
    """Compare two callables. What they do wrong is in the answer; a wrong question is raised."""
    began = time.monotonic()
    required, effort = required or RequiredGain(), effort or Effort()
    if required.p99 is not None:
        effort = effort.with_tail()
    rounds = Rounds(sandbox, comparison)
    try:
        calibration = rounds.calibrate()
        if comparison.inputs.is_fixed:
            calibration = replace(calibration, distinct_inputs=False)
        plan = make_plan(calibration, effort)
        refusal = _refusal(calibration, plan, effort)
        if refusal is not None:
            return _held(refusal, plan, calibration, rounds, time.monotonic() - began)
        measured = _measure(rounds, calibration, plan, required, comparison.seed, progress)
    except NotMeasured as error:
        held = _hold("not_measured", str(error))
        return _held(held, None, None, rounds, time.monotonic() - began)
    judgement = _judge(measured, required, comparison.seed)
    found = _report(measured, judgement, rounds)
    growth = measure_growth(sandbox, comparison, effort) if with_growth else None
    return replace(found, growth=growth, seconds=time.monotonic() - began)


def measure_growth(sandbox: Sandbox, comparison: Comparison, effort: Effort) -> Growth | None:
    """The exponents of n, from sizes that double, and where those take too long, that halve.

    Up to where both classes of growth are clear; None when fewer than three could be timed.
    """
    deadline = time.monotonic() + effort.budget_seconds
    old: dict[int, tuple[float, ...]] = {}
    new: dict[int, tuple[float, ...]] = {}
    for steps in (range(_MOST_SIZES), range(-1, -LEAST_SIZES, -1)):
        with suppress(NotMeasured):  # a size beyond the limits; those before it stand
            for step in steps:
                is_enough = step < 0 and len(old) >= LEAST_SIZES
                size = int(comparison.size * 2**step)
                if is_enough or not size or time.monotonic() >= deadline:
                    break
                seconds, found = _time_size(sandbox, replace(comparison, size=size), effort)
                old[size], new[size] = found.old.cpu, found.new.cpu
                is_clear = all(is_class_clear(each, comparison.seed) for each in (old, new))
                if step >= 0 and (is_clear or seconds > _MOST_SLOT_SECONDS):
                    break
    exponents = [growth_exponent(each, comparison.seed) for each in (old, new)]
    if exponents[0] is None or exponents[1] is None:
        return None
    return Growth(exponents[0], exponents[1], tuple(sorted(old)))


def _time_size(sandbox: Sandbox, comparison: Comparison, effort: Effort) -> tuple[float, Round]:
    """How long a slot takes, and a few of them."""
    rounds = Rounds(sandbox, comparison)
    calibration = rounds.calibrate()
    plan = make_plan(calibration, replace(effort, pairs=1, most_slots=1))
    return calibration.slot_seconds, rounds.measure(replace(plan, slots=_SLOTS_PER_SIZE))


def _measure(
    rounds: Rounds,
    calibration: Calibration,
    plan: Plan,
    required: RequiredGain,
    seed: int,
    progress: Progress,
) -> _Measured:
    """Rounds until the verdict is clear; near a bound, as many as the plan allows."""
    found: list[Round] = []
    outside = 0.0
    while True:
        found.append(rounds.measure(plan))
        outside += rounds.cpu_seconds_outside or 0.0
        progress(len(found), plan.most_rounds)
        measured = _Measured(calibration, plan, tuple(found), outside if rounds.is_shared else None)
        if found[-1].difference is not None or len(found) >= plan.most_rounds:
            return measured
        if len(found) in LOOKS:
            judged = judge_speed(measured.times(), measured.calls, required, seed)
            if judged.verdict is not SpeedVerdict.HOLD:
                return measured


def _judge(measured: _Measured, required: RequiredGain, seed: int) -> SpeedJudgement:
    difference = measured.rounds[-1].difference
    if difference is not None:
        return _hold("different_results", difference)
    judged = judge_speed(measured.times(), measured.calls, required, seed)
    if measured.plan.clock is BenchmarkClock.WALL:
        judged = replace(judged, reason=f"{judged.reason} (it mostly waits: judged on wall time)")
    reason = doubt(judged, measured.rounds, measured.calibration, measured.cpu_seconds_outside)
    if reason is None:
        return judged
    return replace(judged, verdict=SpeedVerdict.HOLD, reason_code=reason[0], reason=reason[1])


def _refusal(calibration: Calibration, plan: Plan, effort: Effort) -> SpeedJudgement | None:
    """Why there is no point in measuring."""
    if calibration.difference is not None:
        return _hold("different_results", calibration.difference)
    if calibration.raised:
        return _hold("every_call_raised", "every call raised: the inputs do not fit")
    if plan.most_rounds < LEAST_ROUNDS:
        needed = LEAST_ROUNDS * plan.round_seconds
        reason = f"needs about {needed:.0f} s, and the budget is {effort.budget_seconds:g} s"
        return _hold("budget_too_small", reason)
    return None


def _hold(code: str, reason: str) -> SpeedJudgement:
    return SpeedJudgement(SpeedVerdict.HOLD, code, reason, None, 0, None)


def _held(
    judgement: SpeedJudgement,
    plan: Plan | None,
    calibration: Calibration | None,
    rounds: Rounds,
    seconds: float,
) -> Benchmark:
    """A benchmark that ended before there was anything to compare."""
    is_different = judgement.reason_code == "different_results"
    return Benchmark(
        judgement,
        plan.clock if plan else BenchmarkClock.CPU,
        _NO_TIMES,
        calls=0,
        calls_per_sample=calibration.calls if calibration else 0,
        distinct_inputs=calibration.distinct_inputs if calibration else False,
        old=None,
        new=None,
        memory_ratio=None,
        difference=judgement.reason if is_different else None,
        growth=None,
        seconds=seconds,
        has_watch_of_its_own=not rounds.is_shared,
    )


def _report(measured: _Measured, judgement: SpeedJudgement, rounds: Rounds) -> Benchmark:
    peaks: tuple[int | None, int | None] = (None, None)
    is_different = judgement.reason_code == "different_results"
    if not is_different:
        with suppress(NotMeasured):  # the peaks stay absent then, and the times stand
            peaks = rounds.trace(measured.plan)
    base = _held(judgement, measured.plan, measured.calibration, rounds, 0.0)
    if is_different:
        return base
    return replace(
        base,
        times=measured.times(),
        calls=measured.calls,
        old=_figures([each.old for each in measured.rounds], peaks[0]),
        new=_figures([each.new for each in measured.rounds], peaks[1]),
        memory_ratio=peaks[1] / peaks[0] if peaks[0] and peaks[1] is not None else None,
    )


def _figures(sides: Sequence[SideRound], peak: int | None) -> SideFigures:
    sizes = [each.rss_bytes for each in sides if each.rss_bytes is not None]
    return SideFigures(
        cpu_seconds=_typical([each.cpu for each in sides]),
        wall_seconds=_typical([each.wall for each in sides]),
        cold_seconds=min(each.cold_seconds for each in sides),
        load_seconds=min(each.load_seconds for each in sides),
        peak_bytes=peak,
        rss_bytes=min(sizes, default=None),
    )


def _typical(times: Sequence[tuple[float, ...]]) -> float:
    least: list[float] = [min(slot) for slot in zip(*times, strict=True)]
    return median(least)


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
