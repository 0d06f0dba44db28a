from reverie.instruments.benchmark.rounds import LOOKS, MOST_ROUNDS, Calibration, Effort, make_plan
from reverie.model.measurements.benchmark import BenchmarkClock


def costing(seconds: float, waits: bool = False) -> Calibration:
    return Calibration(1, seconds, waits, distinct_inputs=True, raised=False, difference=None)


def test_a_cheap_callable_gets_all_the_slots_and_rounds() -> None:
    plan = make_plan(costing(0.001), Effort())
    assert (plan.slots, plan.most_rounds, plan.clock) == (40, MOST_ROUNDS, BenchmarkClock.CPU)


def test_a_dear_callable_gets_no_more_pairs_than_the_verdict_needs() -> None:
    plan = make_plan(costing(0.5), Effort(budget_seconds=60))
    assert plan.slots * 3 == 30


def test_a_callable_that_waits_gets_four_times_the_pairs_on_wall_time() -> None:
    plan = make_plan(costing(0.5, waits=True), Effort(budget_seconds=600))
    assert plan.clock is BenchmarkClock.WALL
    assert plan.slots * 3 == 120


def test_a_budget_that_is_too_small_shows_in_the_rounds() -> None:
    assert make_plan(costing(2.0), Effort(budget_seconds=10)).most_rounds < 3


def test_the_pairs_asked_for_are_planned() -> None:
    assert make_plan(costing(0.001), Effort(pairs=300)).slots == 100


def test_a_tail_needs_a_hundred_slots() -> None:
    assert make_plan(costing(0.001), Effort().with_tail()).slots == 100
    assert make_plan(costing(0.1), Effort(budget_seconds=60).with_tail()).slots == 100


def test_the_last_look_is_at_the_last_round() -> None:
    assert list(LOOKS) == sorted(LOOKS)
    assert LOOKS[-1] == MOST_ROUNDS
