"""What a change of one workflow or module does to those that depend on it, and to theirs."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from reverie.scoring.robust import median

LEAST_SHARED = 5
_SMALLEST = 1e-9


@dataclass(frozen=True, slots=True)
class Impact:
    """What reaches one workflow or module; None: nobody measured how much gets through."""

    roi: float | None
    risk: float | None


@dataclass(slots=True)
class WorkflowGraph:
    """Who depends on whom, and how much of a change gets through, as measured."""

    _dependents: dict[str, dict[str, float | None]] = field(default_factory=dict)

    def add_dependency(
        self, dependent: str, dependency: str, transmission: float | None = None
    ) -> None:
        """`dependent` uses `dependency`; a change there gets through by this factor."""
        self._dependents.setdefault(dependency, {})[dependent] = transmission

    def simulate_impact_wave(
        self, workflow_id: str, roi_delta: float, risk_delta: float = 0.0
    ) -> Mapping[str, Impact]:
        """What a change does to everything downstream; each is reached once, the shortest way."""
        found = {workflow_id: Impact(roi_delta, risk_delta)}
        waiting = deque([workflow_id])
        while waiting:
            here = waiting.popleft()
            for dependent, factor in sorted(self._dependents.get(here, {}).items()):
                if dependent in found:
                    continue
                found[dependent] = _through(found[here], factor)
                waiting.append(dependent)
        del found[workflow_id]
        return found


def transmission(dependency: Sequence[float], dependent: Sequence[float]) -> float | None:
    """How much a change of one moved the other, cycle by cycle; None below five shared changes."""
    pairs = zip(_steps(dependency), _steps(dependent), strict=False)
    moved = [other / one for one, other in pairs if abs(one) > _SMALLEST]
    return median(moved) if len(moved) >= LEAST_SHARED else None


def _steps(values: Sequence[float]) -> list[float]:
    return [after - before for before, after in pairwise(values)]


def _through(impact: Impact, factor: float | None) -> Impact:
    if factor is None or impact.roi is None or impact.risk is None:
        return Impact(None, None)
    return Impact(impact.roi * factor, impact.risk * abs(factor))
