import copy
from typing import Any

import pytest

from reverie.instruments.benchmark.rounds import Refused, read_calibration, read_peaks, read_round

SIDE = {
    "cpu_ns": [1100, 2100],
    "wall_ns": [1200, 2200],
    "load_ns": 50,
    "cold_ns": 400,
    "other_ns": 30,
    "raised": 0,
    "rss_bytes": 1 << 20,
}
ROUND: dict[str, Any] = {
    "old": SIDE,
    "new": SIDE,
    "overhead": {"cpu_ns": 100, "wall_ns": 200},
    "difference": None,
}
BATCH = {"cpu_ns": 1, "wall_ns": 9, "busy_ns": 4, "other_ns": 6, "waited": False, "raised": 0}
CALIBRATION: dict[str, Any] = {
    "calls": 10,
    "old": BATCH,
    "new": BATCH,
    "inputs": {"distinct": 6, "of": 10},
    "difference": None,
}


def test_times_are_seconds_per_call_without_what_asking_costs() -> None:
    found = read_round(ROUND, slots=2, calls=10)
    assert found.old.cpu == pytest.approx((1e-7, 2e-7))
    assert found.new.wall == pytest.approx((1e-7, 2e-7))
    assert found.old.cold_seconds == pytest.approx(3e-7)
    assert found.difference is None


def test_a_sample_is_never_shorter_than_what_is_known_of_asking() -> None:
    claim = copy.deepcopy(ROUND)
    claim["new"]["cpu_ns"] = [100, 50]
    assert read_round(claim, slots=2, calls=1).new.cpu == pytest.approx((10e-9, 10e-9))


@pytest.mark.parametrize("junk", [None, -1, "7", 1.5, True, [], {}, [1, "2"], [1], [1, 2, 3]])
@pytest.mark.parametrize("key", ["cpu_ns", "wall_ns"])
def test_times_that_make_no_sense_are_refused(key: str, junk: Any) -> None:
    claim = copy.deepcopy(ROUND)
    claim["new"][key] = junk
    with pytest.raises(Refused):
        read_round(claim, slots=2, calls=10)


@pytest.mark.parametrize("key", ["load_ns", "cold_ns", "other_ns"])
@pytest.mark.parametrize("junk", [None, -1, "7", True])
def test_a_figure_that_makes_no_sense_is_refused(key: str, junk: Any) -> None:
    claim = copy.deepcopy(ROUND)
    claim["old"][key] = junk
    with pytest.raises(Refused):
        read_round(claim, slots=2, calls=10)


@pytest.mark.parametrize("key", ["old", "new", "overhead"])
def test_a_round_without_a_part_is_refused(key: str) -> None:
    with pytest.raises(Refused):
        read_round({**ROUND, key: None}, slots=2, calls=10)


def test_a_difference_is_told_with_what_led_to_it() -> None:
    shown = {"arguments": "((3,), {})", "result": "4"}
    difference = {"of": "results", "old": shown, "new": {**shown, "result": "5"}}
    found = read_round({**ROUND, "difference": difference}, slots=99, calls=10)
    assert found.difference == "old gave 4, new gave 5, for (3)"
    difference = {**difference, "of": "arguments"}
    found = read_round({**ROUND, "difference": difference}, slots=99, calls=10)
    assert found.difference == "arguments left as ((3,), {}) and ((3,), {})"


def test_a_calibration_says_what_a_slot_costs() -> None:
    found = read_calibration(CALIBRATION)
    assert (found.calls, found.slot_seconds) == (10, pytest.approx(20e-9))
    assert found.distinct_inputs
    assert not found.raised
    assert not found.waits


def test_half_of_the_inputs_being_the_same_is_not_distinct() -> None:
    found = read_calibration({**CALIBRATION, "inputs": {"distinct": 5, "of": 10}})
    assert not found.distinct_inputs


def test_one_side_that_waits_is_enough_for_wall_time() -> None:
    assert read_calibration({**CALIBRATION, "new": {**BATCH, "waited": True}}).waits


def test_only_all_calls_raising_on_both_sides_is_raising() -> None:
    raised = {**BATCH, "raised": 10}
    assert not read_calibration({**CALIBRATION, "old": raised}).raised
    assert read_calibration({**CALIBRATION, "old": raised, "new": raised}).raised


def test_peaks_are_the_highest_of_each_side() -> None:
    assert read_peaks({"old": {"peaks": [1, 5, 3]}, "new": {"peaks": [2]}}) == (5, 2)
    with pytest.raises(Refused):
        read_peaks({"old": {"peaks": []}, "new": {"peaks": [2]}})
