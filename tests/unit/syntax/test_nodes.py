"""Questions about nodes."""

import ast

import pytest

from reverie.syntax.decoding import decode
from reverie.syntax.nodes import (
    around_difference,
    dotted,
    dotted_name,
    functions,
    is_bare_constant,
    is_dotted,
    is_ellipsis,
    last_name,
    names_in,
    own_nodes,
    parents_in,
    plain_functions,
    stored_names,
)
from reverie.syntax.parsing import parse_expression, parse_module

HOME = """\
def plain(): ...
class Box:
    async def open(self):
        def inner(): ...
    if True:
        def close(self): ...
try:
    def guarded(): ...
except ImportError:
    pass
"""


@pytest.mark.parametrize(
    ("text", "name", "last"),
    [("a", "a", "a"), ("a.b.c", "a.b.c", "c"), ("f().c", None, "c"), ("a[0]", None, "")],
)
def test_names_of_expressions(text: str, name: str | None, last: str) -> None:
    node = parse_expression(text)
    assert dotted_name(node) == name
    assert dotted(node) == (name or "")
    assert last_name(node) == last


def test_functions_are_found_under_conditions_or_only_plain_ones() -> None:
    tree = parse_module(HOME)
    assert [name for name, _ in functions(tree)] == ["plain", "Box.open", "Box.close", "guarded"]
    assert [name for name, _ in plain_functions(tree.body)] == ["plain", "Box.open"]


def test_names_that_stand_in_a_node_and_those_that_are_assigned_to() -> None:
    tree = parse_module("for a, b in c.d:\n    (e := b)\n    f.g = a\n")
    assert names_in(tree) == {"a", "b", "c", "e", "f"}
    assert stored_names(tree) == {"a", "b", "e"}


def test_a_body_without_what_stands_in_functions_inside_it() -> None:
    function = parse_module("def f():\n    a\n    def g():\n        b\n    return [c]\n").body[0]
    names = [each.id for each in own_nodes(function) if isinstance(each, ast.Name)]
    assert names == ["a", "c"]


def test_every_node_knows_the_one_around_it() -> None:
    tree = parse_expression("a.b(c)")
    assert isinstance(tree, ast.Call)
    assert parents_in(tree)[tree.args[0]] is tree
    assert tree not in parents_in(tree)


def test_statements_that_do_nothing() -> None:
    tree = parse_module("'words'\n...\nname\ncall()\n")
    assert [is_bare_constant(each) for each in tree.body] == [True, True, False, False]
    assert not is_bare_constant(None)
    assert is_ellipsis(parse_expression("..."))
    assert not is_ellipsis(parse_expression("None"))


def test_a_text_may_be_a_dotted_name() -> None:
    assert [is_dotted(text) for text in ("a.b", "a", "a.", "", "a b")] == [True, True] + [False] * 3


def test_bytes_are_read_as_python_reads_them() -> None:
    assert decode("# coding: latin-1\nname = 'é'\n".encode("latin-1")).endswith("'é'\n")
    assert decode("\ufeffname = 'é'\n".encode()) == "name = 'é'\n"
    with pytest.raises(SyntaxError):
        decode(b"# coding: of-nobody\n")


@pytest.mark.parametrize(
    ("mine", "other", "found"),
    [
        ("x = a + f(b)", "x = a + f(c)", ["x = a + f(b)", "a + f(b)", "f(b)", "b"]),
        ("x = a + f(b)", "x = a - f(b)", ["x = a + f(b)", "a + f(b)", None]),
        ("f(a, b)", "f(b, a)", ["f(a, b)", "f(a, b)", "f", "a", "b"]),
        ("if a:\n    b\n    c", "if a:\n    c", ["if a:\n    b\n    c", "a", "b", "c"]),
        ("f(1)", "f(True)", ["f(1)", "f(1)", "1"]),
        ("a", "a", ["a"]),
    ],
)
def test_what_holds_a_difference_is_found_from_outside_in(
    mine: str, other: str, found: list[str | None]
) -> None:
    one, two = (ast.parse(each).body[0] for each in (mine, other))
    nodes = [each for each in around_difference(one, two) if not isinstance(each, ast.expr_context)]
    shown = [None if isinstance(each, ast.operator) else ast.unparse(each) for each in nodes]
    assert shown == found
