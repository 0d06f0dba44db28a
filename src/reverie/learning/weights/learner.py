"""What learns: from a table of outcomes, how much a unit of each part speaks for survival."""

from collections.abc import Mapping
from typing import Protocol

from reverie.errors import UsageError
from reverie.learning.weights.actor_critic import ActorCriticLearner
from reverie.learning.weights.dqn import DQNSynergyLearner
from reverie.learning.weights.logistic import LogisticLearner
from reverie.learning.weights.outcome import Table


class Learner(Protocol):
    """One way to learn. The same table and seed give the same answer."""

    def slopes(self, table: Table, seed: int) -> tuple[float, ...]:
        """For each column: how much its unit raises what speaks for survival."""
        ...


LEARNERS: Mapping[str, Learner] = {
    "logistic": LogisticLearner(),
    "actor-critic": ActorCriticLearner(),
    "dqn": DQNSynergyLearner(),
}


def learner_of(name: str) -> Learner:
    """The learner of a name."""
    if name not in LEARNERS:
        raise UsageError(f"{name!r} is no learner: {', '.join(LEARNERS)}")
    return LEARNERS[name]
