"""A difference is believed when fresh processes show it again and the old version is steady."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from reverie.instruments.equivalence.compare import CHANNELS, Difference, Lens, first_difference
from reverie.instruments.equivalence.laboratory import Laboratory, Pair
from reverie.instruments.equivalence.reduction import simpler_scenarios, weight
from reverie.instruments.equivalence.scenario import Scenario, Trace
from reverie.model.equivalence import DifferenceKind

_PATIENCE = 3.0
"""How many times longer a version may take before it counts as not ending."""
_HASH_SEEDS = (1, 2, 3, 4)
_BALLAST = 1009
"""Objects that lie where those of a call would have lain."""
_ROUNDS = 20
_AT_ONCE = 80
_ALONE = 24


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What fresh processes said: a difference, or the kinds in which the old one wavers."""

    difference: Difference | None
    noise: frozenset[DifferenceKind] = frozenset()
    is_misplaced: bool = False
    """The old version wavers, and may tell where an object lies that it was given."""


def confirm(laboratory: Laboratory, scenario: Scenario, lens: Lens) -> Confirmation:
    """Each version twice, alone, unprobed, in a process of its own."""
    facts = laboratory.facts
    seconds = lens.step_seconds * _PATIENCE
    lens = replace(lens, step_seconds=seconds)
    first = laboratory.observe_alone(facts.old, scenario, seconds)
    new = laboratory.observe_alone(facts.new, scenario, seconds)
    if first_difference(first, new, lens) is None:
        return Confirmation(None)
    second = laboratory.observe_alone(facts.old, scenario, seconds, ballast=_BALLAST)
    noise = _wavering(first, second)
    if noise and scenario.objects:
        return Confirmation(None, is_misplaced=True)
    lens = replace(lens, ignored=lens.ignored | noise)
    again = laboratory.observe_alone(facts.new, scenario, seconds)
    found = first_difference(first, new, lens)
    if found is not None and first_difference(second, again, lens) is None:
        found = None
    return Confirmation(found, noise)


def is_fragile(laboratory: Laboratory, scenario: Scenario, lens: Lens) -> bool:
    """Whether the difference depends on the order of a set, and so on luck."""
    has_texts = any("'" in step.call.arguments for step in scenario.steps)
    if not (laboratory.facts.uses_sets and has_texts):
        return False
    facts = laboratory.facts
    for hash_seed in _HASH_SEEDS:
        other = laboratory.under(hash_seed)
        old, new = (
            other.observe_alone(each, scenario, lens.step_seconds) for each in facts.versions
        )
        if first_difference(old, new, lens) is None:
            return True
    return False


def _wavering(first: Trace, second: Trace) -> frozenset[DifferenceKind]:
    found = set()
    for one, other in zip(first.steps, second.steps, strict=False):
        if one.outcome != other.outcome:
            found.add(DifferenceKind.EXCEPTION)
        found |= {kind for kind, name in CHANNELS if getattr(one, name) != getattr(other, name)}
    return frozenset(found)


def shrink(
    laboratory: Laboratory,
    scenario: Scenario,
    still_shows: Callable[[Scenario, Pair], bool],
    *,
    alone: bool,
) -> Scenario:
    """The smallest scenario found that still shows the difference.

    `alone`: every candidate in a process of its own, for versions that keep state.
    """
    for _ in range(_ROUNDS):
        if laboratory.deadline.is_over:
            break
        candidates = [
            each for each in simpler_scenarios(scenario) if weight(each) < weight(scenario)
        ]
        for each, pair in _observed(laboratory, candidates[:_AT_ONCE], alone):
            if still_shows(each, pair):
                scenario = each
                break
        else:
            break
    return scenario


def _observed(
    laboratory: Laboratory, candidates: list[Scenario], alone: bool
) -> Iterator[tuple[Scenario, Pair]]:
    """Candidates with their traces, in one process or in one each."""
    batches = [[each] for each in candidates[:_ALONE]] if alone else [candidates]
    for batch in batches:
        if laboratory.deadline.is_over:
            return
        yield from zip(batch, laboratory.observe_pairs(batch), strict=False)
