"""What each dreamer writes, before anybody looks whether it does anything else."""

import ast

import pytest

from reverie.dreamers.procedures.alternatives import ConditionDreamer, ParameterDreamer
from reverie.dreamers.procedures.procedure import Procedure, procedures_in
from reverie.dreamers.procedures.relaxing import Needs, RelaxingDreamer
from reverie.dreamers.procedures.synthesis import SynthesisDreamer, partners
from reverie.dreamers.procedures.variant import (
    CONSTRAINTS,
    ProcedureDreamer,
    Restraint,
    Strategy,
    Variant,
)

SHOP = '''
"""A shop."""
from __future__ import annotations
import math
from .money import rounded
LIMIT = 3
UNUSED = print("never in a slice")

def total(prices: list, rate: float = 0.2, strict: bool = False) -> float:
    """Sums up."""
    if strict and not prices:
        raise ValueError("nothing 7")
    found = 0
    count = len(prices)
    label = str(rate)
    for each in prices[:LIMIT]:
        if each > 10:
            found += each
    return rounded(found * (1 + rate), _digits())

def _digits() -> int:
    return math.floor(2.5)

async def later(seconds: float): ...
def test_total(): return 1
class Basket: pass
'''


def procedure(source: str, name: str, repository: str = "here") -> Procedure:
    found = procedures_in(source, "shop.main", repository=repository)
    return next(each for each in found if each.name == name)


def statement(source: str) -> ast.stmt:
    function = ast.parse(f"def f():\n {source}").body[0]
    assert isinstance(function, ast.FunctionDef)
    return function.body[0]


@pytest.fixture(scope="module")
def total() -> Procedure:
    return procedure(SHOP, "total")


def functions(dreamer: ProcedureDreamer, base: Procedure) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for each in dreamer.imagine(base):
        compile(each.code(base), "<variant>", "exec")
        found.setdefault(each.rule, []).append(each.function)
    return found


def test_a_slice_has_what_the_function_needs_and_nothing_else(total: Procedure) -> None:
    assert total.base == "shop.main:total"
    lines = total.code.splitlines()
    assert lines[0] == "from __future__ import annotations"
    for wanted in ("import math", "from shop.money import rounded", "LIMIT = 3", "def _digits"):
        assert any(line.startswith(wanted) for line in lines)
    assert "UNUSED" not in total.code
    assert "Basket" not in total.code
    assert lines[-1].strip().startswith("return rounded")


def test_stubs_tests_and_what_does_not_parse_are_no_procedures() -> None:
    names = [each.name for each in procedures_in(SHOP, "shop.main")]
    assert names == ["total", "_digits"]
    assert list(procedures_in("def broken(:", "shop")) == []


def test_parameters_keep_their_type_and_their_sense(total: Procedure) -> None:
    found = functions(ParameterDreamer(), total)
    assert "strict: bool=True" in "".join(found["parameters/default"])
    titles = [each.title for each in ParameterDreamer().imagine(total)]
    assert any("0.2 becomes 0.4" in title for title in titles)
    assert not any("'nothing" in title or "Sums" in title for title in titles)
    for variant in ParameterDreamer().imagine(total):
        before = ast.literal_eval(variant.details["before"])
        after = ast.literal_eval(variant.details["after"])
        assert type(before) is type(after)
        assert before != after
        if type(before) is int and before > 0:
            assert after >= 0


def test_relaxing_takes_guards_steps_and_bounds(total: Procedure) -> None:
    found = functions(RelaxingDreamer(), total)
    assert all("raise" not in each for each in found["relaxing/guard"])
    assert any("each >= 10" in each for each in found["relaxing/boundary"])
    assert any("break" in each for each in found["relaxing/early_exit"])
    assert any("strict or" in each for each in found["relaxing/condition"])
    assert any("found += each" not in each for each in found["relaxing/skip"])
    swapped = "".join(found["relaxing/reorder"])
    assert swapped.index("label = str(rate)") < swapped.index("return")


def test_independent_calls_run_side_by_side() -> None:
    base = procedure(
        "def both(a, b):\n    one = max(a)\n    two = min(b)\n    return one - two\n", "both"
    )
    (variant,) = [each for each in RelaxingDreamer().imagine(base) if "parallel" in each.rule]
    scope: dict[str, object] = {}
    exec(variant.code(base), scope)
    assert scope["both"]([1, 5], [2, 3]) == 3  # type: ignore[operator]


@pytest.mark.parametrize(
    ("first", "second", "is_independent"),
    [
        ("a = 1", "b = 2", True),
        ("a = 1", "b = a", False),
        ("a = b", "b = 2", False),
        ("a.append(1)", "b = len(a)", False),
        ("a[0] = 1", "print(a)", False),
        ("a.b.c = 1", "d = a", False),
        ("a += 1", "b += 1", True),
        ("a = 1", "return 2", False),
        ("f(a)", "g(b)", True),
    ],
)
def test_dependencies_are_read_from_names(first: str, second: str, is_independent: bool) -> None:
    one, other = (Needs.of(statement(each)) for each in (first, second))
    assert one.is_independent_of(other) is is_independent
    assert other.is_independent_of(one) is is_independent


def test_conditions_are_put_in(total: Procedure) -> None:
    found = functions(ConditionDreamer(), total)
    assert any(
        "except Exception:\n        return 0.0" in each for each in found["conditions/fallback"]
    )
    assert any("isinstance(prices, list)" in each for each in found["conditions/validation"])
    assert any(
        "if prices is None:\n        prices = []" in each for each in found["conditions/none"]
    )
    assert any("range(3)" in each for each in found["conditions/retry"])
    assert "conditions/optional_step" in found
    docstring_first = found["conditions/retry"][0].splitlines()[1]
    assert "Sums up" in docstring_first


def test_a_retry_tries_again() -> None:
    source = "def load(read):\n    return read()\n"
    base = procedure(source, "load")
    (variant,) = [each for each in ConditionDreamer().imagine(base) if "retry" in each.rule]
    scope: dict[str, object] = {}
    exec(variant.code(base), scope)
    answers = [OSError(), OSError(), 7]

    def read() -> object:
        answer = answers.pop(0)
        if isinstance(answer, OSError):
            raise answer
        return answer

    assert scope["load"](read) == 7  # type: ignore[operator]


def test_partners_can_be_called_alike_and_live_elsewhere() -> None:
    mine = procedure("def slug(text: str) -> str:\n    return text.lower()\n", "slug")
    there = """
import re
def make_slug(value: str) -> str:
    return re.sub(r"\\s+", "-", value).lower()
def shout(text: str) -> str:
    return text.upper()
def count(text: str) -> int:
    return len(text)
def pair(a: str, b: str) -> str:
    return a + b
"""
    others = list(procedures_in(there, "web.text", repository="there"))
    assert [each.name for each in partners(mine, others)] == ["make_slug", "shout"]
    assert partners(mine, list(procedures_in(there, "x", repository="here"))) == []
    found = functions(SynthesisDreamer(others), mine)
    assert set(found) == {"synthesis/replacement", "synthesis/fallback", "synthesis/composition"}
    variant = next(iter(SynthesisDreamer(others).imagine(mine)))
    scope: dict[str, object] = {}
    exec(variant.code(mine), scope)
    assert scope["slug"]("A  B") == "a-b"  # type: ignore[operator]


def test_strategies_are_the_documents() -> None:
    assert [each.variants for each in Strategy] == [5, 15, 30]


@pytest.mark.parametrize(
    ("name", "details", "is_kept"),
    [
        ("no_zero", {"after": "0"}, False),
        ("no_zero", {"after": "1"}, True),
        ("no_empty_text", {"after": "''"}, False),
        ("near_values", {"before": "5", "after": "50"}, False),
        ("near_values", {"before": "5", "after": "6"}, True),
        ("near_values", {"before": "'a'", "after": "'b'"}, True),
        ("keep_guards", {"leaves_by": "Raise"}, False),
        ("keep_guards", {"leaves_by": "Continue"}, True),
        ("no_new_refusals", {"added": "raise ValueError"}, False),
        ("skip_unread", {"is_read": True}, False),
        ("typed_fallback", {"result": "None"}, False),
    ],
)
def test_constraints_forbid_what_they_say(
    name: str, details: dict[str, object], is_kept: bool
) -> None:
    assert CONSTRAINTS[name](Variant("a/b", "", "", details)) is is_kept
    assert Restraint(1.0, (name,)).admits(Variant("a/b", "", "", details)) is is_kept


def test_a_share_takes_that_share_and_always_the_first() -> None:
    for share, taken in ((1.0, 10), (0.5, 5), (0.2, 2), (0.01, 1)):
        restraint = Restraint(share)
        found = [number for number in range(1, 11) if restraint.takes(number)]
        assert len(found) == taken
        assert found[0] == 1
