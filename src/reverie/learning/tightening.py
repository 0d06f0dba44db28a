"""Adaptive tightening: what fails again and again is imagined less, and differently.

A rule whose dreams fail their tests has its share lowered in proportion to its record, never below
the floor; the failures that came back add the constraints that they suggest. Everything is a row
of the journal with its evidence, shown, and lifted on request.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.learning.improvements import DreamFailure, improvement_for
from reverie.model.procedure import Tightening

FLOOR = 0.2
"""The least share of its usual number that a rule keeps: it must be able to do better."""
_LEAST_TESTED = 4
_GOOD_RECORD = 0.7
_COMES_BACK = 2
"""Dreams of a rule that must have met a failure before it adds a constraint."""


@dataclass(frozen=True, slots=True)
class Record:
    """How the dreams of one rule fared."""

    passed: int
    tested: int

    @property
    def mean(self) -> float:
        """The posterior mean of a pass, with a Beta(1, 1) prior."""
        return (self.passed + 1) / (self.tested + 2)


def tighten(
    records: Mapping[str, tuple[int, int]],
    failures: Sequence[DreamFailure],
    earlier: Sequence[Tightening],
    now: datetime,
) -> list[Tightening]:
    """What to put on rules now, besides what is in force; nothing twice.

    What somebody lifted stays lifted until further dreams of the rule were tested.
    """
    found = []
    in_force = [each for each in earlier if each.is_in_force]
    known = {(each.dreamer, each.constraint) for each in in_force}
    shares = lowest_shares(in_force)
    for rule, (passed, tested) in sorted(records.items()):
        record = Record(passed, tested)
        least = _LEAST_TESTED + _tested_when_lifted(rule, earlier)
        if tested < least or record.mean >= _GOOD_RECORD:
            continue
        share = max(FLOOR, round(record.mean / _GOOD_RECORD, 2))
        evidence = {"passed": passed, "tested": tested}
        for constraint, seen in _constraints(rule, failures).items():
            if (rule, constraint) not in known:
                told = {**evidence, "signature": seen.signature, "message": seen.message[:200],
                        "dreams": seen.by_rule[rule]}  # fmt: skip
                found.append(Tightening(rule, share, constraint, told, now))
        if share < shares.get(rule, 1.0) and not any(each.dreamer == rule for each in found):
            found.append(Tightening(rule, share, "", evidence, now))
    return found


def _tested_when_lifted(rule: str, earlier: Sequence[Tightening]) -> int:
    """How many dreams of a rule were behind what was lifted of it last."""
    lifted = [each for each in earlier if each.dreamer == rule and not each.is_in_force]
    return max((int(each.evidence.get("tested", 0)) for each in lifted), default=0)


def lowest_shares(in_force: Sequence[Tightening]) -> dict[str, float]:
    """The share that each rule is left with."""
    shares: dict[str, float] = {}
    for each in in_force:
        shares[each.dreamer] = max(FLOOR, min(each.share, shares.get(each.dreamer, 1.0)))
    return shares


def _constraints(rule: str, failures: Sequence[DreamFailure]) -> dict[str, DreamFailure]:
    """Constraints that the failures of a rule's dreams suggest, with the failure that does most."""
    met: Counter[str] = Counter()
    shown: dict[str, DreamFailure] = {}
    for failure in failures:
        dreams = failure.by_rule.get(rule, 0)
        constraint = improvement_for(failure, rule).constraint
        if dreams and constraint:
            met[constraint] += dreams
            shown.setdefault(constraint, failure)
    return {name: shown[name] for name, dreams in met.items() if dreams >= _COMES_BACK}
