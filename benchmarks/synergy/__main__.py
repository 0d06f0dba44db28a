"""`python -m benchmarks.synergy`: interactions of planted pairs, best sets, learned weights.

Everything is made from a seed that nothing was tuned on (`--seed`), truth included.
"""

import argparse
import itertools
import random
import sys
from collections.abc import Sequence

from reverie.learning.weights import LEARNERS, Outcome, train
from reverie.learning.weights.learners import Weights, worth
from reverie.model.measurements.benchmark import Estimate
from reverie.model.workflow_evolution import Interaction, SynergyKind
from reverie.scoring.synergy import best_subset, interaction, worth_together

_PARTS = ("mutants.newly_killed", "coverage.new_branches", "speed.minutes_saved",
          "complexity.removed", "review.minutes", "lines.added")  # fmt: skip


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.synergy", description=__doc__)
    parser.add_argument("--seed", type=int, default=2024)
    parser.add_argument("--histories", type=int, default=10)
    options = parser.parse_args()
    right, confused = pairs(options.seed)
    print(f"pairs: {right} of 40 classified as planted; wrong: {', '.join(confused) or 'none'}")
    print(f"sets: the best one chosen in {sets(options.seed)} of 20")
    print(f"{'learner':14} {'tau default':>12} {'tau learned':>12} {'better':>8} {'replaced':>9} "
          f"{'loss worse':>11} {'on fresh':>9}")  # fmt: skip
    for name in LEARNERS:
        print(f"{name:14} {histories(name, options.histories, options.seed)}")
    return 0


def pairs(seed: int) -> tuple[int, list[str]]:
    """40 pairs with an effect that is planted, and noise over eight repetitions of each."""
    dice, right, confused = random.Random(seed), 0, []
    for number in range(40):
        kind = list(SynergyKind)[number % 3]
        noise = dice.uniform(0.5, 1.5)
        sign = {SynergyKind.CONFLICTING: -1, SynergyKind.REINFORCING: 1}.get(kind, 0)
        effect = sign * dice.uniform(3, 8) * max(noise, 1.0)
        first, second = dice.uniform(2, 20), dice.uniform(2, 20)
        levels = (first, second, first + second + effect)
        gains = [[dice.gauss(level, noise) for _ in range(8)] for level in levels]
        found = interaction("a", "b", (gains[0], gains[1], gains[2]), seed=number)
        right += found.kind is kind
        if found.kind is not kind:
            confused.append(f"{kind} as {found.kind}")
    return right, confused


def sets(seed: int) -> int:
    """20 sets of five to nine changes; the best one by looking at all of them."""
    dice, right = random.Random(seed + 1), 0
    for _ in range(20):
        names = [f"d{each}" for each in range(dice.randrange(5, 10))]
        worths = {name: dice.uniform(-2, 20) for name in names}
        found = [_planted(dice, pair) for pair in itertools.combinations(names, 2)
                 if dice.random() < 0.35]  # fmt: skip
        chosen = best_subset(worths, found)
        right += set(chosen) == _by_looking(worths, found)
    return right


def _planted(dice: random.Random, pair: tuple[str, str]) -> Interaction:
    kind = dice.choice((SynergyKind.CONFLICTING, SynergyKind.ADDITIVE, SynergyKind.REINFORCING))
    sizes = {SynergyKind.CONFLICTING: -5.0, SynergyKind.REINFORCING: 4.0}
    size = sizes.get(kind, 0.0) * dice.uniform(0.5, 1.5)
    return Interaction(*pair, "roi", Estimate(size, size - 0.5, size + 0.5), kind, 8)


def _by_looking(worths: dict[str, float], found: Sequence[Interaction]) -> set[str]:
    apart = {frozenset((each.first, each.second)) for each in found
             if each.kind is SynergyKind.CONFLICTING}  # fmt: skip
    gains = {frozenset((each.first, each.second)): each.effect.value for each in found
             if each.kind is SynergyKind.REINFORCING and each.effect}  # fmt: skip
    best, most = set[str](), 0.0
    for size in range(1, len(worths) + 1):
        for some in itertools.combinations(worths, size):
            if any(frozenset(pair) in apart for pair in itertools.combinations(some, 2)):
                continue
            value = worth_together(some, worths, gains)
            if value > most:
                best, most = set(some), value
    return best


def histories(learner: str, count: int, seed: int) -> str:
    """Learn from histories whose true weights are known; ranks are held against the true ones."""
    default, learned, better, replaced, worse, fresh_worse = 0.0, 0.0, 0, 0, 0, 0
    for number in range(count):
        dice = random.Random(seed + 100 + number)
        true = {name: dice.choice((0.0, 0.3, 1.0, 2.0, 3.0)) for name in _PARTS}
        past, fresh = _history(dice, true, 300), _history(dice, true, 200)
        trained = train(past, LEARNERS[learner], seed=number)
        taus = [_tau(fresh, true, each) for each in ({}, trained.weights)]
        default, learned = default + taus[0] / count, learned + taus[1] / count
        better += taus[1] > taus[0]
        replaced += trained.replaced
        if trained.replaced and trained.loss_after is not None and trained.loss_before is not None:
            worse += trained.loss_after > trained.loss_before
            fresh_worse += _fresh_loss(past, fresh, trained.weights) > _fresh_loss(past, fresh, {})
    return (f"{default:12.3f} {learned:12.3f} {better:5d}/{count:<2d} {replaced:6d}/{count:<2d} "
            f"{worse:8d}/{count:<2d} {fresh_worse:6d}/{count:<2d}")  # fmt: skip


def _history(dice: random.Random, true: Weights, n: int) -> list[Outcome]:
    made = []
    for _ in range(n):
        parts = {name: dice.expovariate(1 / 8) for name in _PARTS[:4] if dice.random() < 0.7}
        parts |= {name: -dice.expovariate(1 / 6) for name in _PARTS[4:]}
        logit = 0.15 * (worth(parts, true) - 8)
        made.append(Outcome(parts, dice.random() < 1 / (1 + 2.718281828 ** (-logit))))
    return made


def _fresh_loss(past: list[Outcome], fresh: list[Outcome], weights: Weights) -> float:
    from reverie.learning.weights.trainer import _losses

    losses = _losses(past, fresh, weights)
    return sum(losses) / len(losses)


def _tau(outcomes: Sequence[Outcome], true: Weights, weights: Weights) -> float:
    """Kendall's, between the ranks by these weights and by the true ones."""
    pairs = [(worth(each.parts, true), worth(each.parts, weights)) for each in outcomes]
    agree = total = 0
    for one, other in itertools.combinations(pairs, 2):
        sign = (one[0] - other[0]) * (one[1] - other[1])
        agree += (sign > 0) - (sign < 0)
        total += 1
    return agree / total


if __name__ == "__main__":
    sys.exit(main())
