"""Interaction effects, and which changes go together."""

import pytest

from reverie.errors import UsageError
from reverie.model.measurements.benchmark import Estimate
from reverie.model.workflow_evolution import Interaction, SynergyKind
from reverie.scoring.synergy import best_subset, interaction


@pytest.mark.parametrize(
    ("both", "kind"),
    [
        ([20.1, 19.8, 20.2, 20.0], SynergyKind.REINFORCING),
        ([15.1, 14.8, 15.2, 15.0], SynergyKind.ADDITIVE),
        ([9.1, 8.8, 9.2, 9.0], SynergyKind.CONFLICTING),
    ],
)
def test_what_an_interaction_is(both: list[float], kind: SynergyKind) -> None:
    found = interaction("a", "b", ([10.1, 9.9, 10.0, 10.0], [5.1, 4.9, 5.0, 5.0], both))
    assert found.kind is kind
    assert found.effect is not None
    assert found.effect.value == pytest.approx(sum(both) / 4 - 15)
    assert found.n == 4


def test_too_few_repetitions_say_nothing() -> None:
    for gains in (([], [], []), ([1.0] * 9, [1.0] * 9, [2.0, float("nan"), 3.0])):
        found = interaction("a", "b", gains)
        assert (found.kind, found.effect) == (SynergyKind.UNKNOWN, None)


def test_a_metric_that_is_none_is_a_mistake() -> None:
    with pytest.raises(UsageError, match="'beauty' is no metric"):
        interaction("a", "b", ([1.0] * 3, [1.0] * 3, [1.0] * 3), metric="beauty")


def _between(first: str, second: str, size: float) -> Interaction:
    kind = SynergyKind.CONFLICTING if size < 0 else SynergyKind.REINFORCING
    return Interaction(first, second, "roi", Estimate(size, size, size), kind, 5)


def test_the_best_set_keeps_conflicts_apart() -> None:
    worths = {"a": 10.0, "b": 9.0, "c": 8.0, "d": -1.0}
    assert best_subset(worths) == ("a", "b", "c")
    assert best_subset(worths, [_between("a", "b", -5)]) == ("a", "c")
    conflicts = [_between("a", "b", -5), _between("a", "c", -5)]
    assert best_subset(worths, conflicts) == ("b", "c")
    assert best_subset(worths, [_between("c", "d", 4)]) == ("a", "b", "c", "d")
    assert best_subset({}) == ()


def test_many_changes_are_chosen_greedily_and_still_apart() -> None:
    worths = {f"d{each:02}": float(each + 1) for each in range(40)}
    chosen = best_subset(worths, [_between("d39", "d38", -1)])
    assert "d39" in chosen
    assert "d38" not in chosen
    assert len(chosen) == 39
