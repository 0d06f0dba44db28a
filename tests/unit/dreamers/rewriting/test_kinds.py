"""Kinds of expressions where the names are known."""

import ast

import pytest

from reverie.dreamers.rewriting.kinds import Kind, kind_of

WAYS = Kind("dict", (Kind("str"), Kind("list", (Kind("str"),))))


@pytest.mark.parametrize(
    ("text", "item"),
    [
        ("ways.get(room, [])", Kind("str")),
        ("ways.get(room, ())", Kind("str")),
        ("ways.pop(room, [])", Kind("str")),
        ("ways.get(room, ['hall'])", Kind("str")),
        ("ways.get(room, [1])", None),
        ("ways.get(room, [1, 'hall'])", None),
        ("ways.get(room, other)", None),
        ("ways.get(room)", None),
    ],
)
def test_an_empty_default_is_as_what_it_stands_in_for(text: str, item: Kind | None) -> None:
    node = ast.parse(text, mode="eval").body
    known = kind_of(node, {"ways": WAYS, "room": Kind("str"), "other": None}, {})
    assert (None if known is None else known.item) == item
