from dataclasses import replace

import pytest

from reverie.cycle.planning import IF_TIME, Means, plan_steps
from reverie.cycle.workshop import Target
from reverie.model.cycle import CycleBudget, Step, StepState
from reverie.model.settings.cycle import CycleSection

SECTION = CycleSection()


def targets(count: int) -> list[Target]:
    return [
        Target("tests", f"m{n}", f"m{n}.py", f"hash{n}", value=float(count - n))
        for n in range(count)
    ]


def planned(steps: tuple[Step, ...]) -> list[Step]:
    return [step for step in steps if step.state is StepState.PLANNED]


def certain(steps: tuple[Step, ...]) -> list[Step]:
    return [step for step in planned(steps) if step.note is None]


def test_fewer_targets_are_begun_where_a_search_needs_its_time() -> None:
    for least, begun in ((0.0, 8), (20.0, 3)):
        means = Means(CycleBudget(seconds=60.0), 2, least_seconds=least)
        assert len(certain(plan_steps(targets(8), means, SECTION, {}))) == begun
    short = Means(CycleBudget(seconds=12.0), 1, least_seconds=20.0)
    assert len(certain(plan_steps(targets(8), short, SECTION, {}))) == 1


def test_some_more_are_begun_if_time_is_left() -> None:
    means = Means(CycleBudget(seconds=20.0), 2, least_seconds=20.0)
    steps = plan_steps(targets(8), means, SECTION, {})
    spare = [step for step in planned(steps) if step.note == IF_TIME]
    assert [step.module for step in spare] == ["m1", "m2", "m3"]
    assert {step.allowance.seconds for step in spare} == {20.0}
    assert {step.note for step in steps[4:]} == {"the budget does not reach so far"}
    counted = replace(means, budget=CycleBudget(seconds=20.0, dreams=8))
    assert len(planned(plan_steps(targets(8), counted, SECTION, {}))) == 1


def test_a_budget_of_executions_is_shared_out_and_never_exceeded() -> None:
    steps = plan_steps(targets(5), Means(CycleBudget(executions=1000), 2), SECTION, {})
    given = [step.allowance.executions or 0 for step in steps]
    assert given == sorted(given, reverse=True)
    assert 990 <= sum(given) <= 1000
    assert all(step.allowance.seconds is None for step in steps)


def test_a_short_time_goes_to_the_best() -> None:
    steps = plan_steps(targets(10), Means(CycleBudget(seconds=20), 2), SECTION, {})
    assert [step.module for step in planned(steps)] == ["m0", "m1", "m2", "m3"]
    assert all((step.allowance.seconds or 0) >= SECTION.least_seconds for step in planned(steps))
    assert {step.note for step in steps[4:]} == {"the budget does not reach so far"}


def test_no_step_gets_more_time_than_it_may() -> None:
    steps = plan_steps(targets(2), Means(CycleBudget(seconds=86_400), 2), SECTION, {})
    assert {step.allowance.seconds for step in steps} == {SECTION.step_seconds}


def test_what_was_dreamt_about_before_is_skipped_with_the_cycle_that_did() -> None:
    means = Means(CycleBudget(seconds=600), 2)
    steps = plan_steps(targets(3), means, SECTION, {"tests hash1": "20240101-1"})
    assert [step.state for step in steps] == ["planned", "skipped", "planned"]
    assert steps[1].note == "tried before: 20240101-1"


@pytest.mark.parametrize(("dreams", "given"), [(2, [1, 1]), (3, [1, 1, 1]), (7, [3, 2, 2])])
def test_a_budget_of_dreams_is_shared_out(dreams: int, given: list[int]) -> None:
    steps = plan_steps(targets(3), Means(CycleBudget(dreams=dreams), 2), SECTION, {})
    assert [step.allowance.dreams for step in planned(steps)] == given


def test_the_same_means_give_the_same_plan() -> None:
    means = Means(CycleBudget(executions=777), 2)
    first = plan_steps(targets(6), means, SECTION, {})
    assert first == plan_steps(targets(6), replace(means), SECTION, {})


def test_targets_without_a_value_share_alike() -> None:
    unknown = [replace(each, value=None) for each in targets(4)]
    steps = plan_steps(unknown, Means(CycleBudget(executions=400), 2), SECTION, {})
    assert [step.allowance.executions for step in steps] == [100] * 4


def test_nothing_to_do_is_an_empty_plan() -> None:
    assert plan_steps([], Means(CycleBudget(seconds=10), 2), SECTION, {}) == ()
