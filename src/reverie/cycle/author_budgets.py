"""A stage's budget shared out over the house and every author that takes part. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from reverie.cycle.planning import Means, plan_steps
from reverie.model.cycle import Step, StepState
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Target

_HOUSE = ""
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class AuthorBudget:
    """What one author has of a stage."""

    part: float
    least_seconds: float
    """Below which a task of it is not worth giving out."""


@dataclass(frozen=True, slots=True)
class AuthorBudgets:
    """What each author has, by the name of its dreamer; everybody else shares the rest."""

    authors: Mapping[str, AuthorBudget] = field(default_factory=dict)

    def plan(
        self,
        targets: Sequence[Target],
        means: Means,
        section: CycleSection,
        known: Mapping[str, str],
        complete: Mapping[str, str] = _NOTHING,
    ) -> tuple[Step, ...]:
        """The steps of all of them: authors begin at once, then everybody goes on in turn."""
        groups: dict[str, list[Target]] = {}
        for each in targets:
            name = each.dreamer if each.dreamer in self.authors else _HOUSE
            groups.setdefault(name, []).append(each)
        rest = 1.0 - sum(self.authors[name].part for name in groups if name != _HOUSE)
        if rest == 1.0:  # nobody but the house
            return plan_steps(targets, means, section, known, complete)
        planned = []
        for name, own in groups.items():
            budget = self.authors.get(name)
            if budget is None:
                steps = plan_steps(own, means.share_of(rest), section, known, complete)
            else:
                steps = _plan_author(own, means.share_of(budget.part), budget, section, known)
            planned += _in_turn(steps, is_house=budget is None)
        planned.sort(key=lambda each: each[0])
        return tuple(replace(step, position=i) for i, (_, step) in enumerate(planned))


def _plan_author(
    targets: Sequence[Target],
    means: Means,
    budget: AuthorBudget,
    section: CycleSection,
    known: Mapping[str, str],
) -> tuple[Step, ...]:
    """Fewer tasks with more time each; one at the least where there is any time.

    What does not fit is not listed: the house lists every module as it is.
    """
    seconds = means.seconds
    if seconds is None:
        return plan_steps(targets, means, section, known)
    least = min(budget.least_seconds, max(seconds, section.least_seconds))
    patient = replace(
        section, least_seconds=least, step_seconds=max(section.step_seconds, seconds, least)
    )
    if seconds < least:
        means = replace(means, part=means.part * (1.01 * least / seconds if seconds else 1.0))
    steps = plan_steps(targets, means, patient, known)
    return tuple(each for each in steps if each.state is StepState.PLANNED)


def _in_turn(
    steps: Sequence[Step], *, is_house: bool
) -> list[tuple[tuple[bool, float, bool], Step]]:
    """Steps with where they come in the plan of all: by how far along their own plan they are."""
    planned = [each for each in steps if each.state is StepState.PLANNED]
    places = {each.position: i / len(planned) for i, each in enumerate(planned)}
    return [
        ((each.position not in places, places.get(each.position, 1.0), is_house), each)
        for each in steps
    ]
