import ast

import pytest

from reverie.sandbox.safety.interpreter.folding import (
    NotConstant,
    fold_binary,
    fold_method,
    lift,
    lower,
)
from reverie.sandbox.safety.interpreter.values import ANYTHING, known


@pytest.mark.parametrize("value", [1, "a", b"a", None, [1, ("b", [])], {"a": [1], 2: None}])
def test_constants_survive_the_way_there_and_back(value: object) -> None:
    assert lower(lift(value)) == value


@pytest.mark.parametrize(
    ("kind", "left", "right"),
    [
        (ast.Mult, "a", 10**9),
        (ast.Mult, 10**9, "a"),
        (ast.Pow, 2, 10**9),
        (ast.LShift, 1, 10**9),
        (ast.Mod, "%999999999d", 1),
        (ast.Div, 1, 0),
        (ast.Add, 1, "a"),
    ],
)
def test_what_is_large_or_wrong_is_not_computed(
    kind: type[ast.operator], left: object, right: object
) -> None:
    with pytest.raises(NotConstant):
        fold_binary(kind, lift(left), lift(right))


@pytest.mark.parametrize(
    ("receiver", "name", "arguments"),
    [
        ("a" * 60_000, "replace", ["a", "b" * 60_000]),
        ("a" * 60_000, "translate", [{97: "b" * 60_000}]),
        ("a", "ljust", [10**9]),
        ("a", "expandtabs", [4]),
        ("a", "encode", ["rot13"]),
        (b"a", "decode", ["no such codec"]),
        ("a", "no_such_method", []),
    ],
)
def test_methods_that_could_grow_are_not_called(
    receiver: object, name: str, arguments: list[object]
) -> None:
    with pytest.raises(NotConstant):
        fold_method(lift(receiver), name, [lift(argument) for argument in arguments])


def test_a_decoder_leaves_its_mark() -> None:
    marked = known(b"eval", decoded=True)
    (atom,) = fold_method(marked, "decode", [])
    assert atom == known("eval")[0]
    assert getattr(atom, "decoded", None) is True


def test_too_long_a_text_is_anything() -> None:
    assert lift("a" * 100_000) == ANYTHING
