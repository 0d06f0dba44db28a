"""`UpgradeForecaster`: worth, risk, decay and confidence of the next cycles. It writes nothing."""

import math
from dataclasses import dataclass

from reverie.errors import UsageError
from reverie.learning.foresight.tracker import ForesightTracker
from reverie.model.foresight import Forecast, Projection
from reverie.scoring.raroi import confidence_in

_Z80 = 1.2816


@dataclass(frozen=True, slots=True)
class CycleForecast:
    """One cycle to come."""

    cycle: int
    roi: float
    risk: float
    """Probability that it is worth nothing or less."""
    decay: float
    """How much less than the last cycle."""
    confidence: float


@dataclass(frozen=True, slots=True)
class UpgradeForecast:
    """The next cycles of a workflow or module; none when nothing can be said."""

    subject: str
    cycles: tuple[CycleForecast, ...]
    confidence: float
    n: int
    basis: Forecast | None


class UpgradeForecaster:
    """Projects three to five cycles from what a tracker holds."""

    def __init__(self, tracker: ForesightTracker, horizon: int = 5) -> None:
        if not 3 <= horizon <= 5:
            raise UsageError(f"a horizon of {horizon} cycles: expected 3 to 5")
        self._tracker, self._horizon = tracker, horizon

    def forecast(self, workflow_id: str) -> UpgradeForecast:
        """The next cycles."""
        worths = self._tracker.worths(workflow_id)
        basis = self._tracker.forecast(workflow_id, self._horizon)
        if basis is None:
            return UpgradeForecast(workflow_id, (), 0.0, len(worths), None)
        trust = _confidence(worths, basis)
        last = worths[-1] if worths else basis.projections[0].value
        cycles = tuple(_cycle(each, basis, last, trust) for each in basis.projections)
        return UpgradeForecast(workflow_id, cycles, trust, len(worths), basis)


def _confidence(worths: list[float], basis: Forecast) -> float:
    """n / (n + 5), lowered by the error of past forecasts as a share of the spread."""
    n = len(worths)
    if n == 0 or basis.error is None:
        return 0.0
    own = max(worths) - min(worths)
    if own == 0:
        return confidence_in(worths, worths)
    return n / (n + 5) / (1 + basis.error / own)


def _cycle(each: Projection, basis: Forecast, last: float, trust: float) -> CycleForecast:
    half, first = each.high80 - each.value, basis.projections[0]
    deviation = half / _Z80
    if deviation > 0:
        risk = 0.5 * (1 + math.erf(-each.value / deviation / math.sqrt(2)))
    else:
        risk = 1.0 if each.value <= 0 else 0.0
    nearer = (first.high80 - first.value) / half if half > 0 else 1.0
    return CycleForecast(each.ahead, each.value, risk, last - each.value, trust * nearer)
