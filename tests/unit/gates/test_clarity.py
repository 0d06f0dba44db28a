import ast

import pytest

from reverie.gates.quality import Clarity, clarity_of, decisions_of, nesting_of


@pytest.mark.parametrize(
    ("text", "nesting"),
    [
        ("x = 1\n", 0),
        ("if a:\n    x = 1\n", 1),
        ("if a:\n    if b:\n        x = 1\n", 3),
        ("if a:\n    x = 1\nelif b:\n    x = 2\nelse:\n    x = 3\n", 2),
        ("if a:\n    pass\nelse:\n    if b:\n        pass\n    x = 1\n", 3),
        ("for a in b:\n    while c:\n        pass\n", 3),
        ("try:\n    x = 1\nexcept E:\n    x = 2\n", 2),
        ("with a:\n    if b:\n        pass\n", 2),
        ("if a:\n    x = 1\nif b:\n    x = 2\n", 2),
        ("x = a and b\n", 1),
        ("f(a and b, c or d)\n", 2),
        ("x = 1 if a else 2\n", 1),
        ("match a:\n    case 1:\n        pass\n", 2),
        (
            "async def f():\n    async for a in b:\n        async with c:\n            x = 1\n",
            1,
        ),
    ],
)
def test_a_decision_costs_a_point_and_one_more_for_each_block_around_it(
    text: str, nesting: int
) -> None:
    assert clarity_of(text).nesting == nesting


def test_pieces_of_syntax_are_counted() -> None:
    assert clarity_of("x\n").nodes < clarity_of("x + y\n").nodes
    assert clarity_of("pass\n").nodes == 2


def test_what_is_saved_is_the_difference() -> None:
    assert Clarity(1, 10).gain_over(Clarity(3, 8)) == (2, -2)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("list(map(lambda r: list(r), rows))\n", "[list(r) for r in rows]\n"),
        ("set(filter(lambda r: r, rows))\n", "{r for r in rows if r}\n"),
        ("for r in rows:\n    f(r)\n", "[f(r) for r in rows]\n"),
        ("itertools.takewhile(p, rows)\n", "(r for r in rows if p(r))\n"),
    ],
)
def test_a_loop_counts_the_same_however_it_is_written(one: str, other: str) -> None:
    first, second = ast.parse(one), ast.parse(other)
    assert decisions_of(first) == decisions_of(second) > 0
    assert nesting_of(first) == nesting_of(second) > 0


def test_a_loop_in_a_comprehension_costs_no_more_deep_down() -> None:
    assert nesting_of(ast.parse("if a:\n    x = [f(b) for b in c if b]\n")) == 3
