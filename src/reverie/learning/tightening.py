"""Adaptive tightening: what fails again and again is imagined less, and differently.

A rule whose dreams fail their tests has its share lowered in proportion to its record, never
below the floor; the failures that came back add the constraints that they suggest. Everything is
a row of the journal with its evidence, shown, and lifted on request. `IMPROVEMENTS` holds the
suggestions: rules as data.
"""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reverie.model.outcome import ErrorCategory as Category
from reverie.model.procedure import DreamProcedure, FailureShare, ProcedureTest, Tightening


@dataclass(frozen=True, slots=True)
class Improvement:
    """Words of a failure, what they suggest for generation, and the constraint that does it."""

    category: Category
    suggestion: str
    evidence: str = ""
    constraint: str = ""
    """Name of a constraint of the dreamers; empty when only less of it helps."""
    rules: str = ""
    """The beginning of the `dreamer/rule` it is for; empty: any."""


IMPROVEMENTS: tuple[Improvement, ...] = (
    Improvement(
        Category.RUNTIME,
        "Do not set a divisor, a step or a size to zero.",
        r"ZeroDivisionError|must not be zero|zero step|cannot be zero",
        "no_zero",
        "parameters/",
    ),
    Improvement(
        Category.RUNTIME,
        "Do not make a separator or a pattern empty.",
        r"empty separator|empty pattern|empty string",
        "no_empty_text",
        "parameters/",
    ),
    Improvement(
        Category.RUNTIME,
        "Change an index or a bound by little.",
        r"IndexError|out of range|KeyError|not enough values|too many values",
        "near_values",
        "parameters/",
    ),
    Improvement(
        Category.RUNTIME,
        "Keep the guards that turn an argument away.",
        constraint="keep_guards",
        rules="relaxing/guard",
    ),
    Improvement(
        Category.RUNTIME,
        "Leave out a step only where no other step reads what it makes.",
        constraint="skip_unread",
        rules="relaxing/skip",
    ),
    Improvement(
        Category.RUNTIME,
        "Do not refuse arguments that the base accepts.",
        r": expected ",
        "no_new_refusals",
        "conditions/validation",
    ),
    Improvement(Category.RUNTIME, "Imagine less with the rule whose dreams fail while they run."),
    Improvement(
        Category.TYPE,
        "Do not refuse arguments that the base accepts.",
        r": expected ",
        "no_new_refusals",
        "conditions/validation",
    ),
    Improvement(
        Category.TYPE,
        "Leave out a step only where no other step reads what it makes.",
        constraint="skip_unread",
        rules="relaxing/skip",
    ),
    Improvement(
        Category.TYPE,
        "Keep the guards that turn an argument away.",
        constraint="keep_guards",
        rules="relaxing/guard",
    ),
    Improvement(Category.TYPE, "Keep the types of arguments and results as the base has them."),
    Improvement(Category.SYNTAX, "Add Python syntax validation before a dream is stored."),
    Improvement(Category.DEPENDENCY, "Import only what the repository's interpreter has."),
    Improvement(Category.LOGIC, "Keep the assertions of the base.", constraint="keep_guards"),
    Improvement(
        Category.TIMEOUT, "Change numbers by little: loops grow with them.", "", "near_values"
    ),
    Improvement(
        Category.RESOURCE, "Change numbers by little: memory grows with them.", "", "near_values"
    ),
    Improvement(
        Category.VALIDATION, "Return what the base declares, on every path.", "", "typed_fallback"
    ),
    Improvement(Category.UNKNOWN, "Look at the failing dreams by hand: their cause is unknown."),
)


@dataclass(frozen=True, slots=True)
class DreamFailure:
    """A failure of dreams with one signature, over all their last tests."""

    signature: str
    category: Category
    message: str
    dreams: tuple[int, ...]
    inputs: int
    last_seen: str
    by_rule: Mapping[str, int]
    """How many dreams of each `dreamer/rule` met it."""

    @property
    def frequency(self) -> int:
        """Dreams that met it."""
        return len(self.dreams)


def gather_failures(
    tests: Sequence[ProcedureTest], dreams: Mapping[int, DreamProcedure]
) -> list[DreamFailure]:
    """Failures of the last test of every dream by signature, most frequent first."""
    latest: dict[int, ProcedureTest] = {}
    for test in sorted(tests, key=lambda each: (each.tested_at, each.id or 0)):
        latest[test.dream_id] = test
    found: dict[str, DreamFailure] = {}
    for dream_id, test in latest.items():
        for met in test.failures:
            found[met.signature] = _added(found.get(met.signature), met, test, dreams.get(dream_id))
    return sorted(found.values(), key=lambda each: (-each.frequency, -each.inputs, each.signature))


def _added(
    known: DreamFailure | None,
    met: FailureShare,
    test: ProcedureTest,
    dream: DreamProcedure | None,
) -> DreamFailure:
    rules = dict(known.by_rule) if known is not None else {}
    if dream is not None:
        rules[dream.dreamer] = rules.get(dream.dreamer, 0) + 1
    seen = test.tested_at.isoformat()
    return DreamFailure(
        signature=met.signature,
        category=met.category,
        message=met.message if known is None else known.message,
        dreams=(*(() if known is None else known.dreams), test.dream_id),
        inputs=met.inputs + (0 if known is None else known.inputs),
        last_seen=seen if known is None else max(seen, known.last_seen),
        by_rule=rules,
    )


def improvement_for(failure: DreamFailure, rule: str | None = None) -> Improvement:
    """The first that fits a failure's category, words and rule; every category has one.

    Without a rule it is for the one that met the failure most.
    """
    most = max(failure.by_rule, key=lambda each: failure.by_rule[each], default="")
    rule = most if rule is None else rule
    for each in IMPROVEMENTS:
        is_it = each.category is failure.category and rule.startswith(each.rules)
        if is_it and re.search(each.evidence, failure.message):
            return each
    raise AssertionError(f"no improvement is known for {failure.category}")


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
