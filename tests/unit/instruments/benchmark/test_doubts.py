from dataclasses import replace

from reverie.instruments.benchmark.instrument import doubt
from reverie.instruments.benchmark.rounds import Calibration, Round, SideRound
from reverie.model.measurements.benchmark import Estimate, SpeedJudgement, Speedup, SpeedVerdict

TWICE = Estimate(2.0, 1.9, 2.1)
FASTER = SpeedJudgement(
    SpeedVerdict.FASTER, "faster", "", Speedup(TWICE, TWICE, None), pairs=60, pairs_won=1.0
)
CALIBRATION = Calibration(10, 0.01, False, distinct_inputs=True, raised=False, difference=None)
OLD = SideRound((0.002,) * 20, (0.002,) * 20, 0.001, 0.002, 0.05, None)
NEW = replace(OLD, cpu=(0.001,) * 20, cold_seconds=0.001)


def rounds(new: SideRound) -> list[Round]:
    return [Round(OLD, new, None)] * 3


def test_a_gain_that_is_one_everywhere_is_not_doubted() -> None:
    assert doubt(FASTER, rounds(NEW), CALIBRATION, None) is None


def test_work_moved_out_of_the_calls_is_noticed() -> None:
    """Ten calls to a slot: 0.2 s saved in a round, most of them spent elsewhere."""
    found = doubt(FASTER, rounds(replace(NEW, other_seconds=0.2)), CALIBRATION, None)
    assert found is not None
    assert found[0] == "time_moved"


def test_a_little_more_around_the_calls_is_noise() -> None:
    assert doubt(FASTER, rounds(replace(NEW, other_seconds=0.06)), CALIBRATION, None) is None


def test_a_cache_on_equal_inputs_is_noticed_by_its_first_call() -> None:
    same = replace(CALIBRATION, distinct_inputs=False)
    found = doubt(FASTER, rounds(replace(NEW, cold_seconds=0.002)), same, None)
    assert found is not None
    assert found[0] == "only_when_repeated"
    assert doubt(FASTER, rounds(NEW), same, None) is None


def test_a_slow_first_call_is_no_fault_when_inputs_differ() -> None:
    assert doubt(FASTER, rounds(replace(NEW, cold_seconds=0.01)), CALIBRATION, None) is None


def test_time_that_the_clocks_inside_did_not_count_is_noticed() -> None:
    found = doubt(FASTER, rounds(NEW), CALIBRATION, 9.0)
    assert found is not None
    assert found[0] == "clock_mismatch"
    assert doubt(FASTER, rounds(NEW), CALIBRATION, 2.2) is None


def test_only_a_gain_is_doubted_for_what_it_moved() -> None:
    slower = replace(FASTER, verdict=SpeedVerdict.SLOWER)
    assert doubt(slower, rounds(replace(NEW, other_seconds=0.2)), CALIBRATION, None) is None
