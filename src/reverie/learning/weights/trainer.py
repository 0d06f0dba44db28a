"""Training: learned weights take the place of the current ones only if they predict better.

History is cut in time: what came first is learned from, what came last decides. Whether a
promotion survived is decided here too, and is pure.
"""

import math
import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from types import MappingProxyType

from reverie.learning.weights.learners import (
    Learner,
    LogisticLearner,
    Outcome,
    Weights,
    sigmoid,
    table_of,
    worth,
)
from reverie.model.cycle import PromotionStatus
from reverie.model.repository.candidate import Commit, History

WATCHED = timedelta(days=30)
"""How long the files of a promotion are watched, by the dates of commits."""


def survived(
    status: PromotionStatus,
    offered_at: datetime,
    paths: Collection[str],
    history: History | None,
    is_mending: Callable[[Commit], bool],
) -> bool | None:
    """Yes or no; None as long as time has not told: nobody has taken it, or not for long enough.

    What is mended or taken back in its files within the time counts as a failure.
    """
    if status is PromotionStatus.ROLLED_BACK:
        return False
    if status is not PromotionStatus.MERGED or history is None:
        return None
    first, last = offered_at.timestamp(), (offered_at + WATCHED).timestamp()
    failures = [
        commit
        for commit in history.commits
        if first < commit.authored_at <= last
        and any(touch.path in paths for touch in commit.touches)
        and is_mending(commit)
    ]
    if failures:
        return False
    return True if history.head_time >= last else None


LEAST_OUTCOMES = 30
_HELD_OUT = 0.3
_LARGEST = 5.0
_SURE = 1.0
"""Standard errors by which the loss has to be less."""
_EVEN: Weights = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Trained:
    """What training came to."""

    weights: Weights
    replaced: bool
    reason: str
    n: int
    loss_before: float | None = None
    """Log-loss of the current weights on what was held out."""
    loss_after: float | None = None


def train(
    outcomes: Sequence[Outcome], learner: Learner, current: Weights = _EVEN, seed: int = 0
) -> Trained:
    """The weights to use from now on, oldest outcome first."""
    n = len(outcomes)
    cut = n - math.ceil(n * _HELD_OUT)
    seen, held = outcomes[:cut], outcomes[cut:]
    if n < LEAST_OUTCOMES or len({each.survived for each in seen}) < 2:
        return Trained(current, False, "insufficient data", n)
    learned = _weights(seen, learner, seed)
    before, after = (_losses(seen, held, each) for each in (current, learned))
    gains = [one - other for one, other in zip(before, after, strict=True)]
    is_better = _mean(gains) > _SURE * _error(gains)
    reason = "predicts held-out history better" if is_better else "does not predict better"
    weights = learned if is_better else current
    return Trained(weights, is_better, reason, n, _mean(before), _mean(after))


@dataclass(slots=True)
class AutoTrainer:
    """Trains again whenever there are new outcomes, once or every so often."""

    load: Callable[[], Sequence[Outcome]]
    save: Callable[[Trained], None]
    learner: Learner = field(default_factory=LogisticLearner)
    weights: Weights = field(default_factory=lambda: _EVEN)
    iterations: int = 0
    """Trainings that were done."""
    last_id: int = 0
    """How many outcomes the last one saw."""

    def run_once(self) -> Trained | None:
        """Train if there is anything new; None when there is not."""
        outcomes = self.load()
        if len(outcomes) <= self.last_id:
            return None
        trained = train(outcomes, self.learner, self.weights, seed=self.iterations)
        self.weights = trained.weights
        self.iterations += 1
        self.last_id = len(outcomes)
        self.save(trained)
        return trained

    def run(
        self,
        interval_seconds: float,
        is_stopped: Callable[[], bool],
        wait: Callable[[float], object] = time.sleep,
    ) -> None:
        """Train every so often until somebody stops it."""
        while not is_stopped():
            self.run_once()
            if not is_stopped():
                wait(interval_seconds)


def _weights(seen: Sequence[Outcome], learner: Learner, seed: int) -> Weights:
    """Slopes as factors of points: 1 on average over the parts, each by how much it varies."""
    table = table_of(seen)
    each = [
        max(0.0, slope) / scale
        for slope, scale in zip(learner.slopes(table, seed), table.scales, strict=True)
    ]
    total = sum(table.scales)
    mean = sum(one * scale for one, scale in zip(each, table.scales, strict=True)) / total
    if mean <= 0:
        return _EVEN
    return {name: min(_LARGEST, one / mean) for name, one in zip(table.names, each, strict=True)}


def _losses(seen: Sequence[Outcome], held: Sequence[Outcome], weights: Weights) -> list[float]:
    """Log-loss of each held-out outcome, when worth under these weights tells of survival."""
    worths = [worth(each.parts, weights) for each in seen]
    scale = math.sqrt(sum(each * each for each in worths) / len(worths)) or 1.0
    rows = [(each / scale,) for each in worths]
    intercept, slope = LogisticLearner(ridge=0.001).fit(rows, [each.survived for each in seen])
    losses = []
    for each in held:
        chance = sigmoid(intercept + slope * worth(each.parts, weights) / scale)
        losses.append(-math.log(max(1e-9, chance if each.survived else 1 - chance)))
    return losses


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _error(values: Sequence[float]) -> float:
    mean = _mean(values)
    variance = sum((each - mean) ** 2 for each in values) / max(1, len(values) - 1)
    return math.sqrt(variance / len(values))
