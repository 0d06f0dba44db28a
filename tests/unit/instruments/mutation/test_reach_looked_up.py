"""Which tests reach a mutant: looked up, and the same as asking each test about each line."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reverie.instruments.mutation.queue import orders_for
from reverie.model.measurements.suite import CoverageMap, Mutant, TestLook

NAMES = st.sampled_from(["f", "f.<locals>.g", "h"])
FUNCTIONS = st.dictionaries(NAMES, st.frozensets(st.integers(1, 9)), max_size=3)
FILES = st.dictionaries(st.sampled_from(["a.py", "b.py"]), FUNCTIONS, max_size=2)
TESTS = st.lists(st.tuples(FILES, st.booleans(), st.sampled_from(["passed", "failed"])), max_size=4)


def look(number: int, lines: Any, is_traced: bool, outcome: str) -> TestLook:
    name = f"test_{number}"
    return TestLook(name, outcome, "", 0.0, False, False, lines, is_traced=is_traced)


def is_run(mutant: Mutant, functions: Any) -> bool:
    own = {name for name in functions if mutant.unit is None or name.split(".")[0] == mutant.unit}
    statement = set(range(mutant.first_line, mutant.last_line + 1))
    return any(statement & functions[name] for name in own)


@given(TESTS, FILES, st.sampled_from([None, "f"]), st.integers(1, 9), st.integers(0, 3))
def test_every_test_that_runs_a_line_of_the_statement_reaches_it(
    tests: Any, imports: Any, unit: str | None, first: int, more: int
) -> None:
    looks = tuple(look(number, *each) for number, each in enumerate(tests))
    mutant = Mutant("m", "a.py", first, "x", "f", unit, first, first + more, 0, 1, "None", 0)
    (order,) = orders_for([mutant], CoverageMap(looks, imports, {}, 0.0))
    usable = [each for each in looks if each.outcome == "passed"]
    assert order.tests == tuple(
        place
        for place, each in enumerate(usable)
        if not each.is_traced or is_run(mutant, each.lines.get("a.py", {}))
    )
    assert order.at_import is is_run(mutant, imports.get("a.py", {}))
