"""Weights are learned from outcomes, and used only when they predict better."""

import random
from collections.abc import Sequence

import pytest

from reverie.errors import UsageError
from reverie.learning.weights import LEARNERS, AutoTrainer, Outcome, Trained, learner_of, train
from reverie.learning.weights.learners import LogisticLearner, sigmoid

TRUE = {"useful": 3.0, "useless": 0.0, "cost": 1.0}


def history(n: int, seed: int = 1, *, chance: bool = False) -> list[Outcome]:
    dice = random.Random(seed)
    made = []
    for _ in range(n):
        parts = {
            "useful": dice.expovariate(0.2),
            "useless": dice.expovariate(0.2),
            "cost": -dice.expovariate(0.2),
        }
        worth = sum(TRUE[name] * value for name, value in parts.items())
        share = 0.5 if chance else sigmoid(0.3 * (worth - 8))
        made.append(Outcome(parts, dice.random() < share))
    return made


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_finds_what_matters(name: str) -> None:
    found = train(history(200), learner_of(name))
    assert found.replaced
    assert found.weights["useful"] > 2 * found.weights["useless"]
    assert found.loss_before is not None
    assert found.loss_after is not None
    assert found.loss_after < found.loss_before
    assert train(history(200), learner_of(name)) == found


def test_weights_stay_where_nothing_can_be_learned() -> None:
    current = {"useful": 1.5}
    kept = train(history(120, chance=True), LogisticLearner(), current)
    assert (kept.replaced, kept.weights) == (False, current)
    for outcomes in ([], history(10), [Outcome({"a": 1.0}, True)] * 60):
        found = train(outcomes, LogisticLearner(), current)
        assert (found.reason, found.weights) == ("insufficient data", current)
    with pytest.raises(UsageError, match="'oracle' is no learner"):
        learner_of("oracle")


def test_the_trainer_trains_when_there_is_news() -> None:
    outcomes, saved = history(60), list[Trained]()

    def load() -> Sequence[Outcome]:
        return outcomes

    trainer = AutoTrainer(load, saved.append)
    assert trainer.run_once() is not None
    assert trainer.run_once() is None
    outcomes += history(5, seed=2)
    waits: list[float] = []
    trainer.run(600, lambda: len(waits) == 2, waits.append)
    assert (trainer.iterations, trainer.last_id, len(saved), waits) == (2, 65, 2, [600, 600])
