"""What calls one after the other do not show: growth without end, and calls that overlap."""

import random
from collections.abc import Callable, Sequence
from dataclasses import replace

from reverie.instruments.equivalence.compare import Difference, Lens
from reverie.instruments.equivalence.confirm import confirm
from reverie.instruments.equivalence.laboratory import Growth, Laboratory, Pair
from reverie.instruments.equivalence.scenario import Scenario
from reverie.model.call import Call
from reverie.model.equivalence import DifferenceKind, Observation

_KEPT_SHARE = 0.2
"""So many parts kept per call, and the rest of the calls may just have been repetitions."""
_LEAST_SCENARIOS = 40
_OVERLAPS = 6


def keeps_growing(growth: Growth) -> bool:
    """Whether the new version kept more and more, and the old one did not."""
    least = _KEPT_SHARE * growth.scenarios
    is_steady = growth.new_later >= least / 2
    return (
        growth.scenarios >= _LEAST_SCENARIOS
        and growth.new >= least
        and is_steady
        and growth.new > 2 * growth.old
    )


def grows_without_end(laboratory: Laboratory, many: Callable[[], Sequence[Scenario]]) -> bool:
    """Whether the new version keeps something of every call, however many there are.

    The many are made only when it looks like that.
    """
    if not any(map(keeps_growing, laboratory.growths)):
        return False
    laboratory.growths.clear()
    for _ in laboratory.observe_pairs(many()):
        pass
    return any(map(keeps_growing, laboratory.growths))


def overlapping_difference(
    laboratory: Laboratory, calls: Sequence[Call], chance: random.Random
) -> tuple[Scenario, Difference] | None:
    """Two calls that disturb each other in the new version only, seen twice."""
    facts = laboratory.facts
    if not facts.shares_state or len(calls) < 2:
        return None
    pairs = [Scenario.of(*chance.sample(calls, 2)) for _ in range(_OVERLAPS)]
    seen = [laboratory.observe_overlaps(each, pairs) for each in (facts.old, facts.new, facts.new)]
    for pair, old, new, again in zip(pairs, *seen, strict=False):
        if len(old) == 1 and len(new) > 1 and len(again) > 1:
            kind = DifferenceKind.THREADS
            return pair, Difference(kind, 1, _observation(old), _observation(new))
    return None


def difference_elsewhere(
    laboratory: Laboratory,
    scenarios: Sequence[Scenario],
    seen: Callable[[Scenario, Pair], Difference | None],
    lens: Lens,
) -> tuple[Scenario, Difference] | None:
    """A scenario on which the versions part on another machine, both of them looked at there.

    A version that asks for the machine, as the old one may do as well, is no difference.
    """
    other = laboratory.elsewhere()
    for scenario, pair in zip(scenarios, other.observe_pairs(scenarios), strict=False):
        if seen(scenario, pair) is None:
            continue
        found = confirm(other, scenario, lens).difference
        if found is not None:
            return scenario, replace(found, kind=DifferenceKind.MACHINE)
    return None


def _observation(answers: frozenset[tuple[str, ...]]) -> Observation:
    return Observation("returned", " or ".join(sorted(map(str, answers))))
