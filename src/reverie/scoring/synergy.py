"""Interaction of changes: what they do together, the best set of them, and whom a change affects.

`WorkflowGraph` says what a change of one workflow or module does to those that depend on it, and
to theirs.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise

from reverie.errors import UsageError
from reverie.model.measurements.benchmark import Estimate
from reverie.model.workflow_evolution import METRICS, Interaction, SynergyKind
from reverie.scoring.samples import draws, estimate, finite, median

LEAST_REPETITIONS = 3
_RESAMPLES = 400
_MOST_EXACT = 20
"""Changes up to which every compatible set is looked at."""


def interaction(
    first: str,
    second: str,
    gains: tuple[Sequence[float], Sequence[float], Sequence[float]],
    metric: str = "roi",
    seed: int = 0,
) -> Interaction:
    """From repeated gains of the first alone, the second alone, and both together.

    Gains are over the same baseline, and more is better. An interval that holds 0 is additive.
    """
    if metric not in METRICS:
        raise UsageError(f"{metric!r} is no metric of synergy: {', '.join(METRICS)}")
    samples = [finite(each) for each in gains]
    n = min(len(each) for each in samples)
    if n < LEAST_REPETITIONS:
        return Interaction(first, second, metric, None, SynergyKind.UNKNOWN, n)
    effect = _effect(samples, seed)
    return Interaction(first, second, metric, effect, _kind(effect), n)


def best_subset(
    worths: Mapping[str, float], interactions: Iterable[Interaction] = ()
) -> tuple[str, ...]:
    """The changes to promote together: worth most, effects included, and no two in conflict.

    Exact for as many as a night promotes. With more, greedily: the most worth first.
    """
    effects = {
        frozenset((each.first, each.second)): each for each in interactions if each.metric == "roi"
    }
    gains = {
        pair: each.effect.value
        for pair, each in effects.items()
        if each.effect is not None and each.kind is SynergyKind.REINFORCING
    }
    apart = {pair for pair, each in effects.items() if each.kind is SynergyKind.CONFLICTING}
    names = sorted(worths, key=lambda name: (-worths[name], name))
    if len(names) > _MOST_EXACT:
        return tuple(sorted(_greedy(names, worths, gains, apart)))
    chosen = _exact(names, worths, gains, apart)
    return tuple(sorted(chosen))


def worth_together(
    chosen: Iterable[str], worths: Mapping[str, float], gains: Mapping[frozenset[str], float]
) -> float:
    """What a set of changes is worth: each alone, and what pairs add."""
    some = set(chosen)
    return sum(worths[name] for name in some) + sum(
        gain for pair, gain in gains.items() if pair <= some
    )


def _effect(samples: Sequence[Sequence[float]], seed: int) -> Estimate:
    first, second, both = (sum(each) / len(each) for each in samples)
    streams = [draws(seed + place, len(each)) for place, each in enumerate(samples)]
    resampled = []
    for _ in range(_RESAMPLES):
        means = []
        for sample, stream in zip(samples, streams, strict=True):
            again = [sample[at] for at in islice(stream, len(sample))]
            means.append(sum(again) / len(again))
        resampled.append(means[2] - means[0] - means[1])
    narrow = estimate(both - first - second, resampled)
    # Resampling few repetitions is too sure of itself by this much.
    n = min(len(each) for each in samples)
    wider = (n / (n - 1)) ** 0.5 * (1 + 2 / n)
    value = narrow.value
    low, high = value - (value - narrow.low) * wider, value + (narrow.high - value) * wider
    return Estimate(value, low, high)


def _kind(effect: Estimate) -> SynergyKind:
    if effect.high < 0:
        return SynergyKind.CONFLICTING
    return SynergyKind.REINFORCING if effect.low > 0 else SynergyKind.ADDITIVE


def _exact(
    names: Sequence[str],
    worths: Mapping[str, float],
    gains: Mapping[frozenset[str], float],
    apart: set[frozenset[str]],
) -> frozenset[str]:
    """Branch and bound: a branch ends when even all that is left would not make it the best."""
    best: tuple[float, frozenset[str]] = (0.0, frozenset())
    hoped = [0.0] * (len(names) + 1)
    for place in range(len(names) - 1, -1, -1):
        pairs = sum(max(0.0, gain) for pair, gain in gains.items() if names[place] in pair)
        hoped[place] = hoped[place + 1] + max(0.0, worths[names[place]] + pairs)

    def grow(place: int, chosen: frozenset[str]) -> None:
        nonlocal best
        worth = worth_together(chosen, worths, gains)
        if worth > best[0]:
            best = worth, chosen
        if place == len(names) or worth + hoped[place] <= best[0]:
            return
        name = names[place]
        if not any(frozenset((name, other)) in apart for other in chosen):
            grow(place + 1, chosen | {name})
        grow(place + 1, chosen)

    grow(0, frozenset())
    return best[1]


def _greedy(
    names: Sequence[str],
    worths: Mapping[str, float],
    gains: Mapping[frozenset[str], float],
    apart: set[frozenset[str]],
) -> set[str]:
    chosen: set[str] = set()
    for name in names:
        fits = not any(frozenset((name, other)) in apart for other in chosen)
        before = worth_together(chosen, worths, gains)
        if fits and worth_together(chosen | {name}, worths, gains) > before:
            chosen.add(name)
    return chosen


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
