"""Every place of a call at every edge of its type, one at a time: no luck needed for these."""

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.instruments.equivalence.changes import ascii_source
from reverie.model.call import Call, Expression

_SHARP_S = "\u00df"
_MOST_PLACES = 14
_HUGE = 10**10
"""Nothing with so many parts fits into memory."""
_BEYOND_FLOATS = "10 ** 400"
_EQUAL_PAIRS: dict[type, tuple[tuple[str, str], ...]] = {
    float: (("math.nan", "math.nan"), ("0.0", "-0.0"), ("-0.0", "0.0")),
    str: (("'a'", "'A'"), ("'b'", "'a'")),
    int: (("2", "1"), ("1", "1")),
}


def edge_calls(call: Call, constants: Sequence[object]) -> Iterator[Call]:
    """Neighbours with one place at an edge, or at one of the constants."""
    for place, argument in enumerate(call.args):
        for changed in _edge_expressions(argument, constants):
            args = (*call.args[:place], changed, *call.args[place + 1 :])
            yield replace(call, args=args)
    for place, (name, argument) in enumerate(call.kwargs):
        for changed in _edge_expressions(argument, constants):
            kwargs = (*call.kwargs[:place], (name, changed), *call.kwargs[place + 1 :])
            yield replace(call, kwargs=kwargs)


def _edge_expressions(expression: Expression, constants: Sequence[object]) -> Iterator[Expression]:
    try:
        tree = ast.parse(expression.source, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in _places(tree.body)[:_MOST_PLACES]:
        for replacement in _edges(node, constants):
            source = ascii_source(Swap(node, replacement).visit(copy.deepcopy(tree)))
            modules = expression.modules | ({"math"} if "math." in source else set())
            yield Expression(source, modules, expression.names, expression.definitions)


def _places(node: ast.expr) -> list[ast.expr]:
    """The node and the displays and literals in it, numbered in their order."""
    found = [
        each
        for each in ast.walk(node)
        if isinstance(each, ast.Constant | ast.List | ast.Dict | ast.UnaryOp)
    ]
    negated = {id(each.operand) for each in found if isinstance(each, ast.UnaryOp)}
    return [each for each in found if id(each) not in negated]


class Swap(ast.NodeTransformer):
    """Replaces what stands at a node's position."""

    def __init__(self, place: ast.expr, replacement: ast.expr) -> None:
        self.position = (type(place), place.col_offset, place.end_col_offset)
        self.replacement = replacement

    def visit(self, node: ast.AST) -> ast.AST:
        """The replacement at the position, and all else as it is."""
        position = (
            type(node),
            getattr(node, "col_offset", -1),
            getattr(node, "end_col_offset", -1),
        )
        return self.replacement if position == self.position else self.generic_visit(node)


def _edges(node: ast.expr, constants: Sequence[object]) -> Iterator[ast.expr]:
    match node:
        case ast.Constant(value=bool() as flag):
            yield ast.Constant(not flag)
        case ast.Constant(value=int() as whole):
            yield from _numbers(whole, constants)
        case ast.UnaryOp(operand=ast.Constant(value=int() as whole)):
            yield from _numbers(-whole, constants)
        case ast.Constant(value=float() as real):
            yield from (ast.Constant(each) for each in (-real, 0.0, -0.0, 1e16, 0.1, 2.5))
            yield from (ast.parse(each, mode="eval").body for each in ("math.nan", "math.inf"))
        case ast.Constant(value=str() as text):
            edges = ["", text + "\n", f" {text}", text.upper(), text + _SHARP_S, text[:1], text * 2]
            edges += [each for each in constants if type(each) is str]
            yield from (ast.Constant(each) for each in edges)
        case ast.Constant(value=bytes() as data):
            yield from (ast.Constant(each) for each in (b"", data + b"\n", data * 2, data[:1]))
        case ast.List(elts=items):
            yield from (ast.List(each, ast.Load()) for each in _arrangements(items))
        case ast.Dict(keys=keys, values=values):
            yield ast.Dict([], [])
            yield ast.Dict(keys[::-1], values[::-1])
            yield ast.Dict(keys[1:], values[1:])


def _numbers(value: int, constants: Sequence[object]) -> Iterator[ast.expr]:
    edges = [0, 1, -1, value + 1, value - 1, -value, value * 10, _HUGE]
    edges += [each for each in constants if type(each) is int]
    yield from (ast.Constant(each) for each in dict.fromkeys(edges) if each != value)
    yield ast.parse(_BEYOND_FLOATS, mode="eval").body


def _arrangements(items: list[ast.expr]) -> Iterator[list[ast.expr]]:
    """Fewer, more, in another order; with near copies, for ties and for keys that nearly match."""
    yield []
    if not items:
        return
    yield items[:1]
    yield items[::-1]
    yield [*items, items[0]]
    yield [items[0], items[0]]
    yield [*items[1:], items[0]]
    for pair in _EQUAL_PAIRS.get(type(getattr(items[0], "value", None)), ()):
        yield [ast.parse(each, mode="eval").body for each in pair]
    for copied in _near_copies(items[0]):
        yield [*items, copied]
        yield [copied, items[0]]


def _near_copies(item: ast.expr) -> Iterator[ast.expr]:
    if not isinstance(item, ast.Tuple | ast.Dict | ast.List):
        return
    for leaf in _places(item)[:6]:
        if isinstance(leaf, ast.Constant):
            changed = next(_edges(leaf, ()), None)
            if changed is not None:
                yield Swap(leaf, changed).visit(copy.deepcopy(item))  # type: ignore[misc]
    if isinstance(item, ast.Tuple) and item.elts:
        yield ast.Tuple(item.elts[:-1], ast.Load())
