"""An actor that learns to promote, and a critic that tells it what it could have expected."""

from dataclasses import dataclass
from itertools import islice

from reverie.learning.weights.logistic import sigmoid
from reverie.learning.weights.outcome import Table
from reverie.scoring.chance import draws

_FINE = 1 << 20


@dataclass(frozen=True, slots=True)
class ActorCriticLearner:
    """Each outcome is one move: promote or leave it; what survived pays 1, what did not costs 1."""

    passes: int = 80
    actor_rate: float = 0.1
    critic_rate: float = 0.05
    ridge: float = 0.002

    def slopes(self, table: Table, seed: int) -> tuple[float, ...]:
        """The actor's preferences."""
        width = len(table.names)
        actor, critic = [0.0] * (width + 1), [0.0] * (width + 1)
        dice = draws(seed, _FINE)
        for done in range(self.passes):
            ease = 1 / (1 + 0.05 * done)
            for row, truth in zip(table.rows, table.survived, strict=True):
                state = (1.0, *row)
                chance = sigmoid(_dot(actor, state))
                promotes = next(islice(dice, 1)) / _FINE < chance
                reward = (1.0 if truth else -1.0) if promotes else 0.0
                surprise = reward - _dot(critic, state)
                push = (1.0 - chance) if promotes else -chance
                for place, value in enumerate(state):
                    critic[place] += self.critic_rate * ease * surprise * value
                    gain = surprise * push * value - self.ridge * actor[place]
                    actor[place] += self.actor_rate * ease * gain
        return tuple(actor[1:])


def _dot(some: list[float], state: tuple[float, ...]) -> float:
    return sum(one * value for one, value in zip(some, state, strict=True))
