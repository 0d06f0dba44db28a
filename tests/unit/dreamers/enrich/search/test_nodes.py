"""Expressions as the search inside the sandbox takes them apart."""

import ast

from reverie.dreamers.enrich.search.inside.nodes import read_expression


def test_a_text_with_values_in_it_is_kept_as_it_is_written() -> None:
    node = ast.parse("f'You see {describe(True)}, {name}'", mode="eval").body
    read = read_expression(node, {"name": 0})
    assert read.items == ()
