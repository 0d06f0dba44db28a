"""One cycle over up to 100 machines, simulated: when do workers wait, and for what?

python -m benchmarks.scale.queueing
What goes in are assumptions, given as flags; no machine is used.
"""

import argparse
import heapq
import random
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Load:
    """A cycle's work: steps of uneven length, and what only one machine can do."""

    steps: int = 2000
    median_seconds: float = 60.0
    spread: float = 0.8
    """Of the logarithm of a step's length."""
    survey_seconds: float = 120.0
    promoted: float = 0.3
    """Share of steps that end in a promotion."""
    promotion_seconds: float = 0.5
    """Promotions come one after another."""
    journal_seconds: float = 0.01
    losses_per_hour: float = 0.0
    """Of one worker; what it was working on is begun again."""
    restart_seconds: float = 10.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a simulated cycle came to."""

    seconds: float
    busy: float
    """Share of the workers' time in which they worked on what counted."""
    lost: int
    waited_promoting: float
    """Mean seconds that a result waited for its turn."""


def simulate(load: Load, workers: int, seed: int = 0) -> Outcome:
    """Steps in the order of the plan, each to whichever worker is free first."""
    chance = random.Random(seed)
    lengths = [
        load.median_seconds * chance.lognormvariate(0, load.spread) for _ in range(load.steps)
    ]
    free = [load.survey_seconds] * workers
    heapq.heapify(free)
    results: list[tuple[float, bool]] = []
    lost = 0
    for length in lengths:
        start = heapq.heappop(free)
        while load.losses_per_hour:
            until_loss = chance.expovariate(load.losses_per_hour / 3600)
            if until_loss >= length:
                break
            lost += 1
            start += until_loss + load.restart_seconds
        heapq.heappush(free, start + length)
        results.append((start + length, chance.random() < load.promoted))
    return _offered(load, workers, sorted(results), sum(lengths), lost)


def _offered(
    load: Load, workers: int, results: list[tuple[float, bool]], work: float, lost: int
) -> Outcome:
    turn, waited = 0.0, 0.0
    for ready, is_promoted in results:
        turn = max(turn, ready)
        waited += turn - ready
        turn += load.journal_seconds + (load.promotion_seconds if is_promoted else 0.0)
    whole = (turn - load.survey_seconds) * workers
    return Outcome(turn, work / whole, lost, waited / len(results))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--median-seconds", type=float, default=60.0)
    parser.add_argument("--promotion-seconds", type=float, default=0.5)
    parser.add_argument("--threads", type=int, default=4, help="workers per machine")
    given = parser.parse_args()
    print("| machines | losses per worker and hour | hours | speed-up | busy | lost | waited |")
    print("|---|---|---|---|---|---|---|")
    for losses in (0.0, 0.5):
        load = Load(
            steps=given.steps,
            median_seconds=given.median_seconds,
            promotion_seconds=given.promotion_seconds,
            losses_per_hour=losses,
        )
        alone = simulate(load, given.threads).seconds
        for machines in (1, 2, 5, 10, 20, 50, 100):
            found = simulate(load, machines * given.threads)
            print(
                f"| {machines} | {losses:g} | {found.seconds / 3600:.2f} "
                f"| {alone / found.seconds:.1f} | {100 * found.busy:.0f} % | {found.lost} "
                f"| {found.waited_promoting:.2f} s |"
            )


if __name__ == "__main__":
    main()
