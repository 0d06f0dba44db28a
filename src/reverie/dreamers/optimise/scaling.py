"""Inputs that grow with n, from annotations: what a callable is timed with when nobody says."""

import ast

from reverie.dreamers.rewriting.kinds import Kind, from_annotation
from reverie.dreamers.rewriting.scene import Function

MAKER = "make_input"
_PLAIN = {
    "int": "chance.randrange(-9, 2 * n + 9)",
    "float": "chance.uniform(-9.0, n + 9.0)",
    "str": "f'w{chance.randrange(n + 5)}'",
    "bool": "chance.random() < 0.5",
    "bytes": "str(chance.randrange(n + 5)).encode()",
    "None": "None",
}
_HEAD = """import random


def make_input(n, seed):
    chance = random.Random(seed)
    return ({arguments}), {{}}
"""


def make_inputs_for(function: Function) -> str | None:
    """The source of a `make_input(n, seed)`; None when a parameter's kind is not known."""
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs:
        return None
    required = [*given.posonlyargs, *given.args]
    required = required[: len(required) - len(given.defaults)]
    values = [_value(from_annotation(each.annotation), outer=True) for each in required]
    if not values or any(value is None for value in values):
        return None
    text = _HEAD.format(arguments="".join(f"{value}, " for value in values))
    ast.parse(text)
    return text


def _value(kind: Kind | None, outer: bool = False) -> str | None:
    """An expression for one value; what is outermost grows with n, what it holds stays small."""
    if kind is None:
        return None
    if kind.name == "str" and outer:
        return "' '.join(f'w{chance.randrange(n + 5)}' for _ in range(n))"
    if kind.name == "int" and outer:
        return "n"
    if kind.name in _PLAIN:
        return _PLAIN[kind.name]
    return _container(kind, "n" if outer else "chance.randrange(4)")


def _container(kind: Kind, count: str) -> str | None:
    items = [_value(each) for each in kind.items]
    if not items or any(item is None for item in items):
        return None
    match kind.name:
        case "list" | "Sequence" | "Iterable" | "Collection" | "MutableSequence":
            return f"[{items[0]} for _ in range({count})]"
        case "set" | "frozenset":
            return f"{kind.name}({items[0]} for _ in range({count}))"
        case "tuple":
            return f"({''.join(f'{item}, ' for item in items)})"
        case "dict" | "Mapping" if len(items) == 2:
            return f"{{{items[0]}: {items[1]} for _ in range({count})}}"
    return None
