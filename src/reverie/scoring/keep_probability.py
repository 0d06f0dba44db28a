"""The probability that people keep a change as it is: a prior by kind, learned from decisions.

The prior of tests is what their text says and what they are about (`scoring/keepability`, fitted
to labels of tests that nobody knew the author of); other kinds begin with what readers kept of
them. Every decision of people here, a merge, a rollback or a rejection, counts beside it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from reverie.model.worth import Settled

PRIORS: Mapping[str, float] = {
    "test": 0.34,
    "refactor": 0.5,
    "optimisation": 0.5,
    "integration": 0.4,
    "generated": 0.4,
}
"""Of the tests that the bar of keepability lets through readers kept 34 % as they were
(`benchmarks/keepable`, third sheet); nobody has labelled the other kinds yet: even odds."""
UNKNOWN_PRIOR = 0.4
PRIOR_STRENGTH = 4.0
"""Decisions that the prior counts as."""


@dataclass(frozen=True, slots=True)
class KeptChance:
    """The probability, and how many decisions of people are behind it."""

    probability: float
    prior: float
    decisions: int


def kept_chance(
    kind: str, settled: Iterable[Settled] = (), keepability: float | None = None
) -> KeptChance:
    """For a change of a kind, after what people decided on the like of it."""
    decided = tuple(settled)
    prior = PRIORS.get(kind, UNKNOWN_PRIOR) if keepability is None else keepability
    kept = sum(each.is_kept for each in decided)
    probability = (PRIOR_STRENGTH * prior + kept) / (PRIOR_STRENGTH + len(decided))
    return KeptChance(probability, prior, len(decided))
