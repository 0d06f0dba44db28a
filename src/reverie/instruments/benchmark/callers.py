"""What tests call of a package, with arguments that grow: a changed function is timed through it.

    import sqlparse
    def test_comments():                becomes  sqlparse, parse:
        sqlparse.parse("-- a")          _given(("-- a" * n)[:n])

Nobody needs to know how to call a function in the depth of a parser, or to make what it works on:
tests that reach it begin somewhere. Whether a grown call comes to it as well, only a run tells.
"""

import ast
from collections.abc import Collection, Iterable, Mapping

from reverie.instruments.benchmark.shown import (
    growing_parts,
    grown_call,
    held,
    known_to,
    learn,
    repeated,
    resolved,
    rows_of,
    simple_statements,
    various,
)
from reverie.syntax.nodes import functions
from reverie.syntax.parsing import NOT_PYTHON, fresh_module

_MOST_CALLS = 32
_WAYS = (repeated, held, various)

Entry = tuple[str, str]
"""A module by its dotted name, and what is called of it: `("shop.carts", "Cart.total")`."""


def growing_callers(
    tests: Iterable[tuple[str, Collection[str]]],
) -> Mapping[Entry, tuple[str, ...]]:
    """Calls of `_given` by what is called; what most tests call comes first.

    `tests` are texts of test modules, each with the names of the functions that count.
    """
    found: dict[Entry, dict[str, None]] = {}
    asked: dict[Entry, int] = {}
    for text, names in tests:
        try:
            tree = fresh_module(text)
        except NOT_PYTHON:
            continue
        module = known_to(tree)
        for name, test in functions(tree):
            if name in names:
                for row in rows_of(test) or [{}]:
                    known = {**module, **row}
                    for statement in simple_statements(test.body):
                        for entry, calls in _calls_in(statement, known):
                            found.setdefault(entry, {}).update(dict.fromkeys(calls))
                            asked[entry] = asked.get(entry, 0) + 1
                        learn(statement, known)
    order = sorted(found, key=lambda each: -asked[each])
    return {
        entry: tuple(sorted(found[entry], key=growing_parts, reverse=True)[:_MOST_CALLS])
        for entry in order
    }


def _calls_in(
    statement: ast.stmt, known: Mapping[str, ast.expr]
) -> Iterable[tuple[Entry, list[str]]]:
    for node in ast.walk(statement):
        if isinstance(node, ast.Call):
            entry, receiver = _entry(resolved(node.func, known))
            if entry is not None:
                made = ast.Call(node.func, [*receiver, *node.args], node.keywords)
                calls = [text for way in _WAYS if (text := grown_call(made, known, way))]
                if calls:
                    yield entry, calls


def _entry(called: ast.expr) -> tuple[Entry | None, list[ast.expr]]:
    """What is called, if it is imported, and the object that a method of a class is called on."""
    module, parts = _imported(called)
    if module is not None and parts:
        return (module, ".".join(parts)), []
    match called:
        case ast.Attribute(value=ast.Call(func=maker) as receiver, attr=method):
            module, parts = _imported(maker)
            if module is not None and parts and parts[-1][:1].isupper():
                return (module, ".".join((*parts, method))), [receiver]
    return None, []


def _imported(node: ast.expr) -> tuple[str | None, list[str]]:
    """The module that a dotted name begins with, and the parts that follow."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    match node:
        case ast.Call(func=ast.Name(id="__import__"), args=[ast.Constant(value=str(module))]):
            return module, parts
    return None, []
