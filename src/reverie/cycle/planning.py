"""Steps of a stage: a budget shared out over the targets of a survey. Pure."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from reverie.model.cycle import CycleBudget, Step, StepState
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Target

DREAMING_SHARE = 0.5
"""Of the time of all workers; the other half is for trials."""
LEAST_WEIGHT = 0.25
"""Of the best target's: also the last one gets a fair try."""
LEAST_EXECUTIONS = 1
IF_TIME = "begun if time is left when those before it are done"
OUT_OF_REACH = "the budget does not reach so far"
TIME_WAS_UP = "the time was up first"
CUT_SHORT = "the time was up before it was proven"
FOR_WANT_OF_TIME = frozenset({OUT_OF_REACH, TIME_WAS_UP, CUT_SHORT})
"""Notes of steps that are taken up again where other stages leave time over."""
TAKEN_UP = "taken up again later"
_SPARE = 3
"""Targets of that kind, for each that there is time for."""
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
    spare = {key_of(each) for each in _spare(new, len(affordable), means)}
    dreams = _dreams_each(len(affordable), means.budget.dreams)
    steps = []
    for position, each in enumerate(targets):
        key = key_of(each)
        if key in known:
            steps.append(_skipped(position, each, f"tried before: {known[key]}"))
        elif each.module in complete:
            steps.append(_skipped(position, each, f"{COMPLETE}{complete[each.module]}"))
        elif key in spare:
            least = CycleBudget(max(section.least_seconds, means.least_seconds))
            steps.append(replace(_step(position, each, least), note=IF_TIME))
        elif key not in shares:
            steps.append(_skipped(position, each, OUT_OF_REACH))
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
        name = f"{each.dreamer} {each.module}"
        known = sources.get(key) or modules.get(f"{name} {each.content_hash}") or modules.get(name)
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


def _spare(new: Sequence[Target], affordable: int, means: Means) -> Sequence[Target]:
    """Targets that come after those that there is time for: small modules take less than they get.

    Only where a target gets much at the least, and nothing but the clock bounds a stage.
    """
    is_bounded = means.budget.executions is not None or means.budget.dreams is not None
    if not means.least_seconds or is_bounded:
        return ()
    return new[affordable : affordable * (1 + _SPARE)]


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
