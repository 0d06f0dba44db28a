"""How much to measure: enough for the statistics, no more than the budget, decided beforehand."""

from dataclasses import dataclass, replace

from reverie.instruments.benchmark.claims import Calibration
from reverie.model.benchmark import BenchmarkClock
from reverie.scoring.speedup import LEAST_PAIRS, LEAST_ROUNDS, LEAST_SLOTS_FOR_P99

WAITING_FACTOR = 4
"""Wall time is noisier than CPU time: callables that wait get so many times the pairs."""
LOOKS = (LEAST_ROUNDS, 4, 6, 8, 11, 15, 20, 28, 40)
"""After how many rounds the verdict is looked at: often at first, when it is clear it is over."""
MOST_ROUNDS = LOOKS[-1]
_ROUND_SECONDS = 0.2
"""A round this short sees both sides in the same weather."""
_WARM_BATCHES = 2


@dataclass(frozen=True, slots=True)
class Plan:
    """The shape of every round, and how many there may be."""

    clock: BenchmarkClock
    calls: int
    slots: int
    warm: int
    most_rounds: int
    round_seconds: float


@dataclass(frozen=True, slots=True)
class Effort:
    """What the caller will spend: at least so many pairs over all rounds, at most so long."""

    pairs: int = LEAST_PAIRS
    budget_seconds: float = 10.0
    most_slots: int = 40
    """Slots of a round beyond what the pairs need. More rounds tell more than more slots."""
    least_slots: int = 1

    def with_tail(self) -> "Effort":
        """With as many slots as the 99th percentile takes, whatever they cost."""
        return replace(self, least_slots=LEAST_SLOTS_FOR_P99)


def make_plan(calibration: Calibration, effort: Effort) -> Plan:
    """The plan for two callables whose cost is known. `most_rounds` may be too few to judge."""
    clock = BenchmarkClock.WALL if calibration.waits else BenchmarkClock.CPU
    factor = WAITING_FACTOR if calibration.waits else 1
    least = -(-max(effort.pairs, factor * LEAST_PAIRS) // LEAST_ROUNDS)
    least = max(least, effort.least_slots)
    cost = max(calibration.slot_seconds, 1e-6)
    slots = max(least, min(effort.most_slots, int(_ROUND_SECONDS / cost)))
    round_seconds = cost * (slots + _WARM_BATCHES)
    affordable = int(effort.budget_seconds / round_seconds)
    return Plan(
        clock,
        calibration.calls,
        slots,
        _WARM_BATCHES,
        min(MOST_ROUNDS, affordable),
        round_seconds,
    )
