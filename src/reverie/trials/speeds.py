"""Benchmarks of callables as measures: who is faster, by how much at least, at what memory."""

from collections.abc import Sequence

from reverie.model.benchmark import Benchmark, RequiredGain, SpeedVerdict
from reverie.model.judgement_sections import GuardSection
from reverie.trials.measuring import Findings

_SMALL_BYTES = 1 << 18
"""What calls need less than this is not worth weighing."""
_SHOWN = 160


def required_gain(section: GuardSection) -> RequiredGain:
    """What stage C asks for, as shares of the time: 20 % better is 1.2 times as fast."""
    p50, p95, p99 = (
        1 - 1 / (1 + each) for each in (section.gain_p50, section.gain_p95, section.gain_p99)
    )
    return RequiredGain(p50, p95, p99)


def note_speeds(found: Findings, measured: Sequence[tuple[str, Benchmark | None]]) -> None:
    """Each callable by name; None where there was nothing to time it with."""
    by_verdict: dict[SpeedVerdict, list[str]] = {each: [] for each in SpeedVerdict}
    for name, benchmark in measured:
        if benchmark is None:
            by_verdict[SpeedVerdict.HOLD].append(f"{name}: no inputs that grow")
            continue
        if benchmark.difference is not None:
            found.note_names("equivalence.different", [f"{name}: {benchmark.difference}"[:_SHOWN]])
        judged = benchmark.judgement
        by_verdict[judged.verdict].append(f"{name}: {judged.reason}"[:_SHOWN])
    found.note_names("speed.faster", by_verdict[SpeedVerdict.FASTER])
    found.note_names("speed.slower", by_verdict[SpeedVerdict.SLOWER])
    found.note_names("speed.same", by_verdict[SpeedVerdict.NO_DIFFERENCE])
    found.note_names("speed.unknown", by_verdict[SpeedVerdict.HOLD])
    _note_figures(found, [benchmark for _, benchmark in measured if benchmark is not None])


def _note_figures(found: Findings, measured: list[Benchmark]) -> None:
    gains = [each.judgement.speedup for each in measured if each.judgement.speedup is not None]
    for percentile in (50, 95, 99):
        lows = [low.low for gain in gains if (low := gain.at(percentile)) is not None]
        if lows:
            found.note(f"speed.p{percentile}", max(lows))
    ratios = [ratio for each in measured if (ratio := _memory(each)) is not None]
    if ratios and len(ratios) == len(measured):
        found.note("memory.ratio", max(ratios))


def _memory(found: Benchmark) -> float | None:
    """New over old of what calls allocate at most; 1 where both need next to nothing."""
    if found.new is None or found.new.peak_bytes is None:
        return None
    if found.new.peak_bytes <= _SMALL_BYTES:
        return 1.0
    return found.memory_ratio
