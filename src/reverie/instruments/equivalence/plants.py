"""What is planted for the equivalence instrument: differences of each kind, and a likeness.

The pair goes the way of every other: the same program, sandbox, reading and comparison.
"""

from collections.abc import Callable, Iterator
from functools import cache, partial

from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.laboratory import (
    Deadline,
    Laboratory,
    NoSense,
    NotLoaded,
    Pair,
)
from reverie.instruments.equivalence.scenario import Lens, Scenario, first_difference
from reverie.instruments.equivalence.targets import Version, version_of
from reverie.instruments.equivalence.trial import compare_versions
from reverie.instruments.self_check import Plant, random_name
from reverie.model.call import Call, Expression
from reverie.model.measurements.equivalence import DifferenceKind
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.engine import Sandbox

_STEP_SECONDS = 5.0
_LIKENESS = "nothing"
_FAILED = "the versions could not be observed"
_OLD = """
def {name}(case, items):
    if case == 0:
        return [1.0, {"k": float("nan")}, iter([1, 2])]
    if case == 1:
        return True
    if case == 2:
        raise KeyError("k")
    if case == 3:
        items.append(1)
        return None
    if case == 4:
        print("told")
        return None
    return list(items)
"""
_NEW = """
def {name}(case, items):
    if case == 0:
        return [1.0, {"k": float("nan")}, (n for n in (1, 2))]
    if case == 1:
        return 1
    if case == 2:
        raise LookupError("k")
    if case == 3:
        return None
    if case == 4:
        return None
    return items
"""
_EXPECTED = (
    _LIKENESS,
    DifferenceKind.VALUE.value,
    DifferenceKind.EXCEPTION.value,
    DifferenceKind.ARGUMENTS.value,
    DifferenceKind.STDOUT.value,
    DifferenceKind.ALIASING.value,
)
_HIDDEN_OLD = "def {name}(n: int) -> int:\n    return n\n"
_HIDDEN_NEW = "def {name}(n: int) -> int:\n    return -n if n == 7919 else n\n"
_QUICK = EquivalenceSection(
    budget_seconds=60, least_inputs=60, quiet_inputs=40, exhausted_inputs=40, step_seconds=5
)


def plants(sandbox: Sandbox) -> Iterator[Plant]:
    """Every kind of difference once, one that has to be searched for, and two likenesses."""
    observed = cache(partial(_observed, sandbox))
    for case, expected in enumerate(_EXPECTED):
        name = "equal but for types of iterators" if expected is _LIKENESS else f"other {expected}"
        yield Plant(name, expected, partial(_seen, observed, case))
    yield Plant("one number in all", "different", partial(_verdict, sandbox, _HIDDEN_NEW))
    yield Plant("the same source", "equivalent", partial(_verdict, sandbox, _HIDDEN_OLD))


def _observed(sandbox: Sandbox) -> list[Pair]:
    facts = gather_facts(*_versions(_OLD, _NEW))
    scenarios = [
        Scenario.of(Call((Expression(str(case)), Expression("[5]"))))
        for case in range(len(_EXPECTED))
    ]
    laboratory = Laboratory(sandbox, facts, _STEP_SECONDS, Deadline(_QUICK.budget_seconds))
    return list(laboratory.observe_pairs(scenarios))


def _seen(observed: Callable[[], list[Pair]], case: int) -> str:
    try:
        pair = observed()[case]
    except (NotLoaded, NoSense):
        return _FAILED
    found = first_difference(pair.old, pair.new, Lens(step_seconds=_STEP_SECONDS))
    return _LIKENESS if found is None else found.kind.value


def _verdict(sandbox: Sandbox, new: str) -> str:
    versions = _versions(_HIDDEN_OLD, new)
    return compare_versions(sandbox, *versions, section=_QUICK, is_searched=True).verdict.value


def _versions(old: str, new: str) -> tuple[Version, Version]:
    name = random_name()
    old, new = (each.replace("{name}", name) for each in (old, new))
    return version_of(old, name), version_of(new, name)
