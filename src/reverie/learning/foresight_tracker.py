"""`ForesightTracker` and `UpgradeForecaster`: measures cycle by cycle, and the cycles to come.

A tracker remembers what was measured of workflows and modules. A forecaster says worth, risk,
decay and confidence of the next cycles; it writes nothing.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reverie.errors import UsageError
from reverie.model.codec import pick
from reverie.model.foresight import CycleMetrics, Forecast, Projection, RiskLabel, Trend
from reverie.scoring.forecasting import forecast
from reverie.scoring.roi import confidence_in
from reverie.scoring.samples import finite, median, spread
from reverie.scoring.trajectory import VOLATILITY, collapse_risk, trend_of

_KNOWN = frozenset(CycleMetrics.__slots__)
_WINDOW = 5


class Memory(Protocol):
    """Where cycles outlive the process."""

    def load(self) -> Mapping[str, list[Mapping[str, Any]]]:
        """Every recorded cycle, oldest first, by the id of its workflow or module."""
        ...

    def append(self, subject: str, position: int, metrics: Mapping[str, Any]) -> None:
        """Record one cycle."""
        ...


class ForesightTracker:
    """Records cycles, and says how they develop. Without a memory they last as long as it does."""

    def __init__(
        self,
        memory: Memory | None = None,
        volatility_threshold: float = VOLATILITY,
        templates: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        self._memory = memory
        self._volatile_from = volatility_threshold
        self._templates = dict(templates or {})
        stored = {} if memory is None else memory.load()
        self._history = {
            name: [CycleMetrics(**each) for each in cycles] for name, cycles in stored.items()
        }

    @property
    def history(self) -> Mapping[str, list[dict[str, Any]]]:
        """Every recorded cycle as a document, by the id of its workflow or module."""
        return {name: [each.document() for each in some] for name, some in self._history.items()}

    def record_cycle_metrics(
        self, workflow_id: str, metrics: Mapping[str, Any], *, compute_stability: bool = False
    ) -> CycleMetrics:
        """Record a cycle; `compute_stability` works its stability out from the last five."""
        cycles = self._history.setdefault(workflow_id, [])
        told = {name: _measure(name, value) for name, value in metrics.items()}
        made = CycleMetrics(**told)
        if compute_stability:
            worths = finite(each.roi_delta for each in (*cycles, made))[-_WINDOW:]
            made = CycleMetrics(**{**told, "stability": _stability(worths)})
        if self._memory is not None:
            self._memory.append(workflow_id, len(cycles), made.document())
        cycles.append(made)
        return made

    def suppose(self, workflow_id: str, worths: Iterable[float]) -> None:
        """Take worths known from elsewhere, where nothing was recorded; they are not stored."""
        if workflow_id not in self._history:
            self._history[workflow_id] = [CycleMetrics(roi_delta=each) for each in worths]

    def cycles(self, workflow_id: str) -> Sequence[CycleMetrics]:
        """The recorded cycles of a workflow or module, oldest first."""
        return tuple(self._history.get(workflow_id, ()))

    def worths(self, workflow_id: str) -> list[float]:
        """The worth of each cycle in which it was measured."""
        return finite(each.roi_delta for each in self.cycles(workflow_id))

    def get_trend_curve(self, workflow_id: str) -> Trend:
        """Slope with its interval, and volatility, over the last ten cycles."""
        return trend_of([each.roi_delta for each in self.cycles(workflow_id)])

    def is_stable(self, workflow_id: str) -> bool:
        """Whether it is known, calm and not falling; without data it is not."""
        return collapse_risk(self.cycles(workflow_id), self._volatile_from).risk is RiskLabel.STABLE

    def predict_roi_collapse(self, workflow_id: str) -> dict[str, Any]:
        """`risk`, `brittle`, `slope`, `volatility`, `collapse_in`, `confidence` and `n`."""
        return pick(collapse_risk(self.cycles(workflow_id), self._volatile_from))

    def forecast(self, workflow_id: str, ahead: int = 5) -> Forecast | None:
        """The cycles to come; with fewer than five of its own, blended with others' curves."""
        others = [self.worths(name) for name in self._history if name != workflow_id]
        return forecast(self.worths(workflow_id), ahead, [*others, *self._templates.values()])


def _measure(name: str, value: object) -> Any:
    if name not in _KNOWN:
        raise UsageError(f"{name!r} is no metric of a cycle: {', '.join(sorted(_KNOWN))}")
    if value is None or (name == "stage" and isinstance(value, str)):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{name} = {value!r}: expected a number")
    return float(value) if math.isfinite(value) else None


def _stability(worths: Sequence[float]) -> float | None:
    """1 / (1 + spread over level): 1 when nothing moves; None below two cycles."""
    if len(worths) < 2:
        return None
    level = abs(median(worths))
    own = spread(worths)
    return 1.0 if own == 0 else 1 / (1 + (own / level if level else math.inf))


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
