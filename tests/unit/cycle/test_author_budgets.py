"""A stage shared out between the house and authors: by what each has earned, never to nothing."""

import pytest

from reverie.cycle.author_budgets import AuthorBudget, AuthorBudgets
from reverie.cycle.planning import Means, plan_steps
from reverie.cycle.stage_shares import AUTHOR_FLOOR, share_between
from reverie.model.cycle import CycleBudget, Earned
from reverie.model.dream import Stage
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Target

SECTION = CycleSection()


def targets(dreamer: str, count: int) -> list[Target]:
    return [Target(dreamer, f"m{i}", f"m{i}.py", f"{dreamer}{i}", 10.0 - i) for i in range(count)]


def mean_share(house: Earned, author: Earned, name: str = "smol@A") -> float:
    draws = [share_between(Stage.A, house, {name: author}, seed)[name] for seed in range(200)]
    return sum(draws) / len(draws)


def test_nobody_gets_anything_where_nobody_takes_part() -> None:
    assert share_between(Stage.A, Earned(), {}) == {}


def test_who_earns_nothing_falls_to_the_floor_and_not_below() -> None:
    house = Earned(20, 200.0)
    shares = [mean_share(house, Earned(0, seconds)) for seconds in (0.0, 200.0, 2000.0, 20000.0)]
    assert shares == sorted(shares, reverse=True)
    assert AUTHOR_FLOOR < shares[-1] < AUTHOR_FLOOR + 0.01


def test_who_earns_more_gets_more() -> None:
    house = Earned(5, 500.0)
    assert mean_share(house, Earned(20, 200.0)) > 1.5 * mean_share(house, Earned(2, 200.0))


def test_money_counts_as_cost() -> None:
    house = Earned(5, 500.0)
    assert mean_share(house, Earned(5, 100.0)) > mean_share(house, Earned(5, 100.0, money=2.0))


def test_shares_are_the_same_for_the_same_past_and_seed() -> None:
    past = {"a@B": Earned(1, 30.0), "b@B": Earned()}
    assert share_between(Stage.B, Earned(), past, 7) == share_between(Stage.B, Earned(), past, 7)
    assert sum(share_between(Stage.B, Earned(), past, 7).values()) < 1.0


def test_without_authors_a_plan_is_as_it_was() -> None:
    means = Means(CycleBudget(100.0), 2)
    own = targets("tests", 4)
    assert AuthorBudgets().plan(own, means, SECTION, {}) == plan_steps(own, means, SECTION, {})
    idle = AuthorBudgets({"smol@C": AuthorBudget(0.5, 15.0)})
    assert idle.plan(own, means, SECTION, {}) == plan_steps(own, means, SECTION, {})


def test_an_author_has_its_part_of_the_time_and_begins_at_once() -> None:
    budgets = AuthorBudgets({"smol@A": AuthorBudget(0.25, 15.0)})
    every = [*targets("tests", 4), *targets("smol@A", 4)]
    steps = budgets.plan(every, Means(CycleBudget(400.0), 2), SECTION, {})
    assert [each.position for each in steps] == list(range(len(steps)))
    spent = {"tests": 0.0, "smol@A": 0.0}
    for each in steps:
        spent[each.dreamer] += each.allowance.seconds or 0.0
    assert spent["smol@A"] == pytest.approx(100.0, rel=0.2)
    assert spent["tests"] <= 300.0
    assert steps[0].dreamer == "smol@A"


@pytest.mark.parametrize("seconds", [30.0, 60.0, 100.0])
def test_an_author_at_its_floor_still_gets_one_task(seconds: float) -> None:
    budgets = AuthorBudgets({"smol@A": AuthorBudget(AUTHOR_FLOOR, 60.0)})
    every = [*targets("tests", 4), *targets("smol@A", 4)]
    steps = budgets.plan(every, Means(CycleBudget(seconds), 2), SECTION, {})
    assert sum(each.dreamer == "smol@A" for each in steps) == 1


def test_what_an_author_was_done_with_is_not_asked_again() -> None:
    budgets = AuthorBudgets({"smol@A": AuthorBudget(0.5, 15.0)})
    known = {"smol@A smol@A0": "an earlier cycle"}
    steps = budgets.plan(targets("smol@A", 2), Means(CycleBudget(400.0), 2), SECTION, known)
    assert [each.module for each in steps] == ["m1"]
