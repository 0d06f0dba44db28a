"""Shares of time: of a night between stages, and of a budget over the targets of a survey. Pure.

Each stage is an arm of a bandit (Thompson sampling): changes per second come from a Gamma
distribution around what this repository's past says, one is drawn for each stage, and the shares
follow the draws. Little past means wide draws, so every stage is tried; a floor keeps it so.
"""

import math
import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from reverie.model.cycle import CycleBudget, Earned, Step, StepState
from reverie.model.dream import Stage
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Target

DREAMING_SHARE = 0.5
"""Of the time of all workers; the other half is for trials."""
LEAST_WEIGHT = 0.25
"""Of the best target's: also the last one gets a fair try."""
LEAST_EXECUTIONS = 1
COMPLETE = "complete: "
"""How the note of a module begins that is worth no more dreams."""
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Means:
    """What there is to share out."""

    budget: CycleBudget
    workers: int
    spent_seconds: float = 0.0
    part: float = 1.0
    """Of all of it: what one author has, or the house."""
    least_seconds: float = 0.0
    """With less for one target nothing comes of it at this stage."""

    @property
    def seconds(self) -> float | None:
        """Seconds of dreaming, over all workers."""
        if self.budget.seconds is None:
            return None
        left = max(self.budget.seconds - self.spent_seconds, 0.0)
        return self.part * left * self.workers * DREAMING_SHARE

    def share_of(self, part: float) -> "Means":
        """A part of it for some of the targets; one change and one execution at the least."""
        most = self.budget
        scaled = [
            None if each is None else max(round(part * each), 1)
            for each in (most.executions, most.dreams)
        ]
        return replace(self, budget=CycleBudget(most.seconds, *scaled), part=part)


def plan_steps(
    targets: Sequence[Target],
    means: Means,
    section: CycleSection,
    known: Mapping[str, str],
    complete: Mapping[str, str] = _NOTHING,
) -> tuple[Step, ...]:
    """A step per target, best first; those that get nothing say why.

    `known` names the sources that were dreamt about before, with the cycle that did; `complete`
    the modules that are worth no more dreams, with the reason.
    """
    new = [each for each in targets if key_of(each) not in known and each.module not in complete]
    affordable = new[: _affordable(len(new), means, section)]
    shares = dict(zip(map(key_of, affordable), _shares(affordable), strict=True))
    dreams = _dreams_each(len(affordable), means.budget.dreams)
    steps = []
    for position, each in enumerate(targets):
        key = key_of(each)
        if key in known:
            steps.append(_skipped(position, each, f"tried before: {known[key]}"))
        elif each.module in complete:
            steps.append(_skipped(position, each, f"{COMPLETE}{complete[each.module]}"))
        elif key not in shares:
            steps.append(_skipped(position, each, "the budget does not reach so far"))
        else:
            number = list(shares).index(key)
            budget = _allowance(shares[key], means, section, dreams[number])
            steps.append(_step(position, each, budget))
    return tuple(steps)


def key_of(target: Target) -> str:
    """What a target is known by: who would dream, and what about."""
    return f"{target.dreamer} {target.source_hash}"


def known_targets(
    targets: Sequence[Target], sources: Mapping[str, str], modules: Mapping[str, str]
) -> Mapping[str, str]:
    """Targets that an earlier cycle was done with, by source or by module, with that cycle."""
    found = {}
    for each in targets:
        key = key_of(each)
        known = sources.get(key) or modules.get(f"{each.dreamer} {each.module} {each.content_hash}")
        if known is not None:
            found[key] = known
    return found


def _affordable(count: int, means: Means, section: CycleSection) -> int:
    """How many targets get enough to begin with; one, where the time is enough for that at all."""
    if means.seconds is not None:
        fitting = int(means.seconds / max(section.least_seconds, means.least_seconds))
        count = min(count, max(fitting, int(means.seconds >= section.least_seconds)))
    if means.budget.executions is not None:
        count = min(count, means.budget.executions // LEAST_EXECUTIONS)
    if means.budget.dreams is not None:
        count = min(count, means.budget.dreams)
    return count


def _shares(targets: Sequence[Target]) -> list[float]:
    """By the root of the value: twice the worth is not twice the work."""
    roots = [math.sqrt(max(each.value or 0.0, 0.0)) for each in targets]
    best = max(roots, default=0.0) or 1.0
    weights = [max(root / best, LEAST_WEIGHT) for root in roots]
    return [weight / sum(weights) for weight in weights]


def _dreams_each(steps: int, dreams: int | None) -> list[int | None]:
    if dreams is None:
        return [None] * steps
    return [dreams // steps + (number < dreams % steps) for number in range(steps)]


def _allowance(
    share: float, means: Means, section: CycleSection, dreams: int | None
) -> CycleBudget:
    seconds = means.seconds
    if seconds is not None:
        seconds = min(max(seconds * share, section.least_seconds), section.step_seconds)
    executions = means.budget.executions
    if executions is not None:
        executions = max(int(executions * share), LEAST_EXECUTIONS)
    return CycleBudget(seconds, executions, dreams)


def _step(position: int, target: Target, allowance: CycleBudget) -> Step:
    return Step(
        position=position,
        dreamer=target.dreamer,
        module=target.module,
        path=target.path,
        source_hash=target.source_hash,
        value=target.value,
        content_hash=target.content_hash,
        allowance=allowance,
    )


def _skipped(position: int, target: Target, note: str) -> Step:
    step = _step(position, target, CycleBudget())
    return replace(step, state=StepState.SKIPPED, note=note)


NIGHT = (Stage.D, Stage.INTEGRATION, Stage.A, Stage.B, Stage.C)
"""In this order: findings change nothing and keep to their time, which trials do not; what nothing
uses is tested whole before anybody writes tests for it; new tests are the ground on which code may
be changed."""
ASKS_PART = (Stage.A, Stage.D)
"""Stages for which a part of a large suite does: they change no code that tests could protect."""
MAIN = Stage.A
"""What a short night is for."""
FLOORS = {Stage.INTEGRATION: 0.06, Stage.A: 0.15, Stage.D: 0.1, Stage.B: 0.15, Stage.C: 0.15}
"""Of the night, for every stage."""
LEAST_SECONDS = {
    Stage.INTEGRATION: 15.0,
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
    Stage.A: (6.0, 90.0),
    Stage.D: (4.0, 240.0),
    Stage.B: (4.0, 160.0),
    Stage.C: (4.0, 480.0),
}
"""Changes and seconds that count as seen before the first night: about as on small packages. With
fewer the draws of a first night would be far apart, and by nothing that is known."""
WORTH = {Stage.INTEGRATION: 0.6, Stage.A: 1.0, Stage.D: 0.6, Stage.B: 0.8, Stage.C: 1.5}
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
