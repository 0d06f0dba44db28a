"""Source that nests without end is refused in words; no gate loses its footing on it."""

import pytest

from reverie.gates.judge import judge_statically
from reverie.gates.python import DEEPEST, parse
from reverie.model.dream import Stage
from reverie.model.ruling import Answer

from .matters import edit, matter

SHAPES = {
    "a sum": lambda n: "x" + " + x" * n,
    "signs": lambda n: "-" * n + "1",
    "attributes": lambda n: "x" + ".y" * n,
    "items": lambda n: "x" + "[0]" * n,
    "choices": lambda n: "1 if x else " * n + "2",
}
PLACES = {
    Stage.A: "tests/test_shop.py",
    Stage.B: "src/shop/stock.py",
    Stage.C: "src/shop/stock.py",
    Stage.INTEGRATION: "tests/integration/test_shop.py",
}


@pytest.mark.parametrize("stage", PLACES)
@pytest.mark.parametrize("shape", SHAPES)
def test_what_nests_too_deeply_is_an_unreadable_file(shape: str, stage: Stage) -> None:
    text = f"def test_it(x):\n    assert x == {SHAPES[shape](1200)}\n"
    found = judge_statically(matter(edit(PLACES[stage], None, text), stage=stage))
    refused = {each.reason_code for each in found if each.verdict is Answer.FAIL}
    assert "unreadable_file" in refused


@pytest.mark.parametrize("shape", SHAPES)
def test_what_is_read_at_all_is_judged_to_the_end(shape: str) -> None:
    text = f"def f(x):\n    y = {SHAPES[shape](DEEPEST - 10)}\n    return y\n"
    change = edit("src/shop/stock.py", "def f(x):\n    return x\n", text)
    found = judge_statically(matter(change, stage=Stage.B))
    assert "unreadable_file" not in {each.reason_code for each in found}


def test_the_deepest_tree_that_is_read() -> None:
    # Module, Expr, the name at the bottom and how it is used: four levels without a sign
    assert parse("a.py", "-" * (DEEPEST - 4) + "x") is not None
    assert parse("a.py", "-" * (DEEPEST - 3) + "x") is None
