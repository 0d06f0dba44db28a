"""Interaction effects of changes, and the best set of them that do not conflict."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice

from reverie.errors import UsageError
from reverie.model.benchmark import Estimate
from reverie.model.synergy import METRICS, Interaction, SynergyKind
from reverie.scoring.chance import draws
from reverie.scoring.quantile import estimate
from reverie.scoring.robust import finite

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
