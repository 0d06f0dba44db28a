"""Shares of a night: how much time each stage gets, and each author within a stage. Pure.

Each stage is an arm of a bandit (Thompson sampling): changes per second come from a Gamma
distribution around what this repository's past says, one is drawn for each stage, and the shares
follow the draws. Little past means wide draws, so every stage is tried; a floor keeps it so.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from reverie.model.cycle import CycleBudget, Earned
from reverie.model.dream import Stage

NIGHT = (Stage.D, Stage.INTEGRATION, Stage.STUBS, Stage.A, Stage.B, Stage.C)
"""In this order: findings change nothing and keep to their time, which trials do not; what nothing
uses is tested whole, and what is only declared is written, before anybody writes tests for it; new
tests are the ground on which code may be changed."""
ASKS_PART = (Stage.A, Stage.D)
"""Stages for which a part of a large suite does: they change no code that tests could protect."""
MAIN = Stage.A
"""What a short night is for."""
FLOORS = {
    Stage.INTEGRATION: 0.06,
    Stage.STUBS: 0.04,
    Stage.A: 0.15,
    Stage.D: 0.1,
    Stage.B: 0.15,
    Stage.C: 0.15,
}
"""Of the night, for every stage."""
LEAST_SECONDS = {
    Stage.INTEGRATION: 15.0,
    Stage.STUBS: 15.0,
    Stage.A: 20.0,
    Stage.D: 15.0,
    Stage.B: 25.0,
    Stage.C: 25.0,
}
"""A stage with less is not begun: the suite would be measured and hardly anything tried."""
LEAST_SEARCH = {Stage.A: 20.0}
"""For one module: with less no test is found that is worth it, and the module counts as done."""
MAIN_LEAST = 0.4
"""Of a night that is too short for every stage: what tests keep while others are given enough."""
PRIOR = {
    Stage.INTEGRATION: (4.0, 160.0),
    Stage.STUBS: (4.0, 160.0),
    Stage.A: (6.0, 90.0),
    Stage.D: (4.0, 240.0),
    Stage.B: (4.0, 160.0),
    Stage.C: (4.0, 480.0),
}
"""Changes and seconds that count as seen before the first night: about as on small packages. With
fewer the draws of a first night would be far apart, and by nothing that is known."""
WORTH = {
    Stage.INTEGRATION: 0.6,
    Stage.STUBS: 0.8,
    Stage.A: 1.0,
    Stage.D: 0.6,
    Stage.B: 0.8,
    Stage.C: 1.5,
}
"""Of one change beside one file of tests, until a person's merges say otherwise."""

AUTHOR_FLOOR = 0.05
"""Of a stage, for every author that takes part: so that a better one is noticed."""
MOST_OF_AUTHORS = 0.8
"""Of a stage, for all authors together: the house costs nothing and goes on."""
AUTHOR_PRIOR = (1.0, 60.0)
"""Changes and seconds that count as seen of an author that nobody knows here."""
MONEY_SECONDS = 600.0
"""Of the planner's time that one unit of money weighs."""


@dataclass(frozen=True, slots=True)
class Share:
    """What a stage gets of a night, and why."""

    stage: Stage
    part: float
    reason: str


LEFT_OVER = "whatever the others leave over, if that is enough to begin with"
_NO_PAST: Mapping[Stage, Earned] = MappingProxyType({})


def together(parts: Iterable[Earned]) -> Earned:
    """What several have earned between them."""
    every = tuple(parts)
    return Earned(
        sum(each.changes for each in every),
        sum(each.seconds for each in every),
        sum(each.money for each in every),
        sum(each.tokens for each in every),
    )


def share_out(
    stages: Sequence[Stage],
    past: Mapping[Stage, Earned] = _NO_PAST,
    seed: int = 0,
    seconds: float | None = None,
) -> tuple[Share, ...]:
    """Parts of one, in the order of the stages. The same past and seed give the same parts.

    Stages whose part of so many seconds is too little to begin with get none, tests aside: they
    come after the others, with whatever those leave over.
    """
    chance = random.Random(seed)
    draws = {stage: _draw(chance, stage, past.get(stage, Earned())) for stage in stages}
    parts = _parts(draws)
    while seconds is not None and len(parts) > 1:
        enough = _with_enough(parts, seconds, _main(stages))
        if enough is not None:
            parts = enough
            break
        least = min(parts, key=lambda stage: (stage is _main(stages), parts[stage]))
        parts = _parts({stage: draws[stage] for stage in parts if stage is not least})
    shares = (
        Share(stage, part, _reason(past.get(stage, Earned()))) for stage, part in parts.items()
    )
    waiting = (Share(each, 0.0, LEFT_OVER) for each in stages if each not in parts)
    return (*shares, *waiting)


def least_seconds(stage: Stage) -> float:
    """With less a stage is not begun."""
    return LEAST_SECONDS[stage]


def _with_enough(
    parts: Mapping[Stage, float], seconds: float, main: Stage
) -> dict[Stage, float] | None:
    """Stages that would get too little get enough; None where that takes too much from tests."""
    enough = {stage: least_seconds(stage) / seconds for stage in parts if stage is not main}
    raised = {stage: part for stage, part in enough.items() if parts[stage] < part}
    if not raised:
        return dict(parts)
    rest = 1 - sum(raised.values())
    others = {stage: part for stage, part in parts.items() if stage not in raised}
    scale = rest / sum(others.values())
    found = {stage: raised.get(stage, scale * part) for stage, part in parts.items()}
    is_fair = found[main] >= min(MAIN_LEAST, parts[main]) and rest > 0
    if not is_fair or found[main] * seconds < least_seconds(main):
        return None
    return found if all(found[stage] >= part for stage, part in enough.items()) else None


def _main(stages: Sequence[Stage]) -> Stage:
    return MAIN if MAIN in stages else stages[0]


def _parts(draws: Mapping[Stage, float]) -> dict[Stage, float]:
    free, whole = 1 - sum(FLOORS[stage] for stage in draws), sum(draws.values()) or 1.0
    return {stage: FLOORS[stage] + free * draw / whole for stage, draw in draws.items()}


def _draw(chance: random.Random, stage: Stage, past: Earned) -> float:
    """Worth per second, as it might be."""
    changes, seconds = PRIOR[stage]
    rate = 1 / (seconds + past.seconds)
    return WORTH[stage] * chance.gammavariate(changes + past.changes, rate)


def share_between(
    stage: Stage,
    house: Earned,
    authors: Mapping[str, Earned],
    seed: int = 0,
) -> Mapping[str, float]:
    """What part of a stage each author gets, by dreamer's name; the rest is for the house.

    Each is an arm as a stage is one: worth per cost as it might be, by what this repository has
    seen of it. Who earns nothing falls to the floor, and never to nothing.
    """
    if not authors:
        return {}
    chance = random.Random(f"{seed} {stage}")
    own = _draw(chance, stage, house)
    draws = {name: _author_draw(chance, stage, past) for name, past in sorted(authors.items())}
    floor = min(AUTHOR_FLOOR, MOST_OF_AUTHORS / len(draws))
    free = MOST_OF_AUTHORS - floor * len(draws)
    whole = own + sum(draws.values()) or 1.0
    return {name: floor + free * draw / whole for name, draw in draws.items()}


def _author_draw(chance: random.Random, stage: Stage, past: Earned) -> float:
    changes, seconds = AUTHOR_PRIOR
    cost = seconds + past.seconds + MONEY_SECONDS * past.money
    return WORTH[stage] * chance.gammavariate(changes + past.changes, 1 / cost)


def _reason(past: Earned) -> str:
    if not past.seconds:
        return "nothing is known of it here yet"
    return f"{past.changes} proven in {past.seconds:.0f} s so far"


@dataclass(frozen=True, slots=True)
class Spent:
    """What a cycle has used up."""

    seconds: float = 0.0
    executions: int = 0
    dreams: int = 0


def budget_of(
    whole: CycleBudget, spent: Spent, shares: Sequence[Share], stage: Stage
) -> CycleBudget:
    """What a stage may spend: the second at which it ends, and how many executions and changes.

    What stages before it left over is shared out again. Those that have no part of their own get
    even parts of the rest, and enough to begin with.
    """
    left = shares[[each.stage for each in shares].index(stage) :]
    parts = sum(each.part for each in left)
    part = left[0].part / parts if parts else 1 / len(left)
    seconds = whole.seconds
    if seconds is not None:
        rest = max(seconds - spent.seconds, 0.0)
        least = 0.0 if parts else min(least_seconds(stage), rest)
        seconds = spent.seconds + max(part * rest, least)
    if len(shares) == 1:
        return CycleBudget(seconds, whole.executions, whole.dreams)
    executions = _part_of(whole.executions, spent.executions, part)
    return CycleBudget(seconds, executions, _part_of(whole.dreams, spent.dreams, part))


def _part_of(most: int | None, used: int, part: float) -> int | None:
    """Of what is left; one at the least where anything is."""
    left = None if most is None else max(most - used, 0)
    return left if not left else max(round(part * left), 1)


def is_worth_beginning(whole: CycleBudget, spent: Spent, stage: Stage) -> bool:
    """Whether enough is left for one more stage."""
    least = least_seconds(stage) / 2
    has_time = whole.seconds is None or whole.seconds - spent.seconds >= least
    has_runs = whole.executions is None or whole.executions > spent.executions
    return has_time and has_runs and (whole.dreams is None or whole.dreams > spent.dreams)
