"""`ForesightTracker`: what was measured of workflows and modules, cycle by cycle."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from reverie.errors import UsageError
from reverie.model.codec import pick
from reverie.model.foresight import CycleMetrics, Forecast, RiskLabel, Trend
from reverie.scoring.collapse import VOLATILITY, collapse_risk, trend_of
from reverie.scoring.forecasting import forecast
from reverie.scoring.robust import finite, median, spread

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
