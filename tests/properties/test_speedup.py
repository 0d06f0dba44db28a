"""What must hold of every set of paired times."""

from hypothesis import given, settings
from hypothesis import strategies as st

from reverie.model.measurements.benchmark import PairedTimes, RequiredGain, SpeedVerdict
from reverie.scoring.speedup import judge_speed, measure_speedup

SECONDS = st.floats(1e-6, 1e-3, allow_nan=False)


@st.composite
def paired_times(draw: st.DrawFn) -> PairedTimes:
    rounds, slots = draw(st.integers(3, 4)), draw(st.integers(10, 12))
    row = st.lists(SECONDS, min_size=slots, max_size=slots).map(tuple)
    rows = st.lists(row, min_size=rounds, max_size=rounds).map(tuple)
    factor, new = draw(st.sampled_from([1.0, 0.01, 100.0])), draw(rows)
    return PairedTimes(draw(rows), tuple(tuple(factor * each for each in row) for row in new))


@settings(max_examples=10)
@given(paired_times())
def test_the_same_evidence_gives_the_same_verdict(times: PairedTimes) -> None:
    assert judge_speed(times, 100, RequiredGain(), 3) == judge_speed(times, 100, RequiredGain(), 3)


@settings(max_examples=10)
@given(paired_times(), st.sampled_from([0.25, 4.0, 1024.0]))
def test_the_unit_of_time_does_not_matter(times: PairedTimes, unit: float) -> None:
    scaled = PairedTimes(
        tuple(tuple(unit * each for each in row) for row in times.old),
        tuple(tuple(unit * each for each in row) for row in times.new),
    )
    assert (
        abs(measure_speedup(times, 1, 3).p50.value / measure_speedup(scaled, 1, 3).p50.value - 1)
        < 1e-9
    )


@settings(max_examples=10)
@given(paired_times())
def test_two_callables_are_never_both_faster(times: PairedTimes) -> None:
    swapped = PairedTimes(times.new, times.old)
    verdicts = [judge_speed(each, 100, RequiredGain(), 3).verdict for each in (times, swapped)]
    assert verdicts.count(SpeedVerdict.FASTER) <= 1
    if verdicts[0] is SpeedVerdict.FASTER:
        assert verdicts[1] in (SpeedVerdict.SLOWER, SpeedVerdict.HOLD)


@settings(max_examples=10)
@given(paired_times(), st.floats(0.0, 0.4))
def test_asking_for_more_never_makes_a_gain(times: PairedTimes, more: float) -> None:
    asked = judge_speed(times, 100, RequiredGain(0.1 + more, 0.1 + more), 3)
    if asked.verdict is SpeedVerdict.FASTER:
        assert judge_speed(times, 100, RequiredGain(), 3).verdict is SpeedVerdict.FASTER


@settings(max_examples=10)
@given(paired_times())
def test_an_interval_holds_its_estimates_order(times: PairedTimes) -> None:
    found = measure_speedup(times, 1, 3)
    assert 0 < found.p50.low <= found.p50.high
    assert 0 < found.p95.low <= found.p95.high
