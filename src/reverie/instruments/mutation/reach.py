"""Which tests reach which mutant, read from the coverage map."""

from collections.abc import Iterable, Mapping

from reverie.instruments.mutation.far import Order
from reverie.model.mutation import CoverageMap, Mutant


def orders_for(mutants: Iterable[Mutant], coverage: CoverageMap) -> list[Order]:
    """An order for each mutant; one that nothing reaches has no tests and no import."""
    tests = tuple(enumerate(coverage.usable))
    found = []
    for mutant in mutants:
        reaching = tuple(
            place
            for place, test in tests
            if not test.is_traced or _is_run(mutant, test.lines.get(mutant.file, {}))
        )
        at_import = _is_run(mutant, coverage.imports.get(mutant.file, {}))
        found.append(Order(mutant, at_import, reaching))
    return found


def _is_run(mutant: Mutant, functions: Mapping[str, frozenset[int]]) -> bool:
    """Whether any line of the mutant's statement is run, in its own function where it has one.

    A function that fits on one line shares it with its own definition.
    """
    for name, lines in functions.items():
        if mutant.unit is not None and not _is_inside(name, mutant.unit):
            continue
        if any(line in lines for line in range(mutant.first_line, mutant.last_line + 1)):
            return True
    return False


def _is_inside(name: str, unit: str) -> bool:
    return name == unit or name.startswith(f"{unit}.<locals>.")
