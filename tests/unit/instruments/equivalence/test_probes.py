import ast
from typing import Any

import pytest

from reverie.instruments.equivalence.inside.probes import Instrument, Probes, reachable
from reverie.instruments.equivalence.mutants import constant_names, is_dead

SOURCE = """
def helper(n):
    return "big" if n > 10 else "small"

def entry(items, flag=False):
    out = []
    for item in items:
        if item in (1, 2) and flag:
            continue
        try:
            out.append(helper(10 // item))
        except ZeroDivisionError:
            out.append(None)
    while len(out) > 3:
        out.pop()
    return [each for each in out if each != "small"], 1 < len(out) < 3

def unrelated(x):
    return 1 if x else 2
"""


def load(source: str, probes: Probes | None = None) -> Any:
    tree = ast.parse(source)
    namespace: dict[str, Any] = {}
    if probes is not None:
        tree = ast.fix_missing_locations(Instrument(probes).visit(tree))
        namespace |= probes.names()
    exec(compile(tree, "x", "exec"), namespace)  # noqa: S102
    return namespace["entry"]


@pytest.mark.parametrize("items", [[], [0], [1], [1, 2, 3, 0, 20], [-5]])
@pytest.mark.parametrize("flag", [False, True])
def test_probed_code_does_what_the_code_does(items: list[int], flag: bool) -> None:
    assert load(SOURCE, Probes())(items, flag) == load(SOURCE)(items, flag)


def test_every_way_that_a_branch_went_is_seen() -> None:
    probes = Probes()
    entry = load("def entry(n):\n    if n > 5:\n        return 1\n    return 2\n", probes)
    entry(9)
    assert len(probes.taken) == 1
    entry(1)
    assert len(probes.taken) == 2
    probes.start()
    assert not probes.taken


def test_compared_values_are_remembered_once() -> None:
    probes = Probes()
    entry = load("def entry(n, s):\n    return n == 40503 or s in {'eu': 1}\n", probes)
    entry(3, "us")
    entry(3, "us")
    assert probes.operands == [["3", "40503"], ["'us'", "['eu']"]]


def test_only_what_the_entry_can_reach_is_counted() -> None:
    found = reachable(ast.parse(SOURCE), "entry")
    assert found == {"entry", "helper"}


def test_a_parameter_and_an_inner_function_of_another_are_not_reached_by_their_names() -> None:
    source = (
        "def total(rows):\n    return len(rows)\n"
        "def rows(n):\n    return total([n])\n"
        "def entry(n):\n    def fix(n):\n        return n\n    return total([fix(n)])\n"
        "def other(n):\n    def fix(n):\n        return -n\n    return fix(n)\n"
    )
    assert reachable(ast.parse(source), "entry") == {"entry", "entry.fix", "total"}
    assert reachable(ast.parse(source), "rows") == {"rows", "total"}


def test_a_method_of_the_same_name_in_another_class_is_not_the_entry() -> None:
    source = (
        "class A:\n    def read(self):\n        return 1\n"
        "class B:\n    def read(self):\n        return 2\n"
    )
    assert reachable(ast.parse(source), "A.read") == {"A.read"}


def test_the_cases_of_a_match_are_branches() -> None:
    probes = Probes()
    cases = "case 1:\n            return 'one'\n        case _:\n            return 'other'\n"
    source = f"def entry(n):\n    match n:\n        {cases}"
    entry = load(source, probes)
    assert (entry(1), len(probes.taken)) == ("one", 1)
    assert (entry(2), len(probes.taken)) == ("other", 2)


@pytest.mark.parametrize(
    ("condition", "way", "expected"),
    [
        ("debug", 1, True),
        ("debug", 0, False),
        ("not debug", 0, True),
        ("level", 1, False),
        ("given", 1, False),
        ("False", 1, True),
        ("debug or given", 1, False),
        ("for x in y", 0, False),
    ],
)
def test_a_branch_on_a_constant_is_dead(condition: str, way: int, expected: bool) -> None:
    source = "def f(given):\n    debug = False\n    level = 0\n    level = 1\n"
    assert is_dead(condition, way, constant_names(ast.parse(source))) is expected


@pytest.mark.parametrize(
    "made", ["'visit_{}'.format(kind)", "f'visit_{kind}'", "'visit_%s' % kind", "'visit_' + kind"]
)
def test_names_that_are_made_at_run_time_are_reached(made: str) -> None:
    source = (
        "class Walk:\n    def walk(self, kind):\n"
        f"        return getattr(self, {made})()\n"
        "    def visit_name(self):\n        return _other()\n"
        "    def leave_name(self):\n        return 2\n"
        "def _other():\n    return 1\n"
    )
    found = reachable(ast.parse(source), "Walk.walk")
    assert found == {"Walk.walk", "Walk.visit_name", "_other"}
