"""The instrument proves itself before it is believed: planted differences, and one planted likeness.

Both versions go the way of every other pair: the same program, sandbox, reading and comparison.
"""

from dataclasses import replace

from reverie.instruments.equivalence.compare import Lens, first_difference
from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.laboratory import Laboratory, machinery_failure
from reverie.instruments.equivalence.scenario import Scenario
from reverie.instruments.equivalence.targets import version_of
from reverie.model.call import Call, Expression
from reverie.model.equivalence import DifferenceKind
from reverie.sandbox.engine import Sandbox

_OLD = """
def planted(case, items):
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
def planted(case, items):
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
    None,
    DifferenceKind.VALUE,
    DifferenceKind.EXCEPTION,
    DifferenceKind.ARGUMENTS,
    DifferenceKind.STDOUT,
    DifferenceKind.ALIASING,
)


def prove_instrument(sandbox: Sandbox, step_seconds: float) -> None:
    """Raise `MachineryError` unless every planted difference is seen and nothing else is."""
    facts = gather_facts(version_of(_OLD, "planted"), version_of(_NEW, "planted"))
    laboratory = Laboratory(sandbox, replace(facts, uses_files=False), step_seconds)
    items = Expression("[5]")
    scenarios = [
        Scenario.of(Call((Expression(str(case)), items))) for case in range(len(_EXPECTED))
    ]
    for pair, expected in zip(laboratory.observe_pairs(scenarios), _EXPECTED, strict=True):
        found = first_difference(pair.old, pair.new, Lens(step_seconds=step_seconds))
        seen = None if found is None else found.kind
        if seen is not expected:
            raise machinery_failure(f"planted {expected or 'likeness'}, saw {seen or 'nothing'}")
    if len(laboratory.branches[0]) != 2 * (len(_EXPECTED) - 1):
        raise machinery_failure("its branches were miscounted")
