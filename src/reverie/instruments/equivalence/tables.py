"""Numbers that a module works out when it is imported: the entries of its tables.

    powers = [10**x for x in (3, 6, 9, 12, 100)]

No literal of the source is one of them, and each is a place where the code may change its mind.
Only sums, products and powers of what is written there are worked out; nothing is run.
"""

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise

Number = int | float
_MOST_ENTRIES = 60
_MOST_BITS = 512
_MOST_STEPS = 2
_OPERATORS: Mapping[type[ast.operator], Callable[[Number, Number], Number]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Div: operator.truediv,
}
_Names = dict[str, Number | list[Number]]


def bounds_near(numbers: Iterable[Number]) -> tuple[int, ...]:
    """Whole numbers at the entries of tables, just beside them, and one step above each.

    Where entries rise by a factor, the one that is missing above a gap is where code that takes
    the factor for granted goes wrong. Just below means also: where rounding reaches the entry.
    """
    entries = sorted({each for each in numbers if isinstance(each, int) and each > 1})
    steps = {high // low for low, high in pairwise(entries) if high % low == 0}
    steps = set(sorted(steps)[:_MOST_STEPS])
    found = (
        near
        for each in entries
        for near in (each - 1, each, each + 1, each - each // 1000, *(each * s for s in steps))
    )
    return tuple(dict.fromkeys(found))


class _Unknown(Exception):
    """A value that is not worked out here."""


def numbers_in_tables(tree: ast.Module) -> Iterator[Number]:
    """Of every assignment of the module that comes to a number or a sequence of numbers."""
    names: _Names = {}
    for node in tree.body:
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            ):
                try:
                    found = _worked_out(value, names)
                except (_Unknown, ArithmeticError, ValueError):
                    continue
                names[name] = found
                if not isinstance(value, ast.Constant):
                    yield from found if isinstance(found, list) else [found]


def _worked_out(node: ast.expr, names: _Names) -> Number | list[Number]:
    match node:
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return [_number(each, names) for each in items[:_MOST_ENTRIES]]
        case (
            ast.ListComp(elt=made, generators=[drawn])
            | ast.SetComp(elt=made, generators=[drawn])
            | ast.Call(
                func=ast.Name(id="tuple" | "list"),
                args=[ast.GeneratorExp(elt=made, generators=[drawn])],
            )
        ):
            return _comprehended(made, drawn, names)
        case ast.Name(id=name) if name in names:
            return names[name]
        case _:
            return _number(node, names)


def _comprehended(made: ast.expr, drawn: ast.comprehension, names: _Names) -> list[Number]:
    if not isinstance(drawn.target, ast.Name) or drawn.ifs:
        raise _Unknown
    items = _items(drawn.iter, names)[:_MOST_ENTRIES]
    return [_number(made, {**names, drawn.target.id: each}) for each in items]


def _items(node: ast.expr, names: _Names) -> list[Number]:
    match node:
        case ast.Call(func=ast.Name(id="range"), args=given, keywords=[]) if 0 < len(given) < 4:
            bounds = [_number(each, names) for each in given]
            whole = [each for each in bounds if isinstance(each, int)]
            if len(whole) < len(bounds):
                raise _Unknown
            return list(range(*whole)[:_MOST_ENTRIES])
    found = _worked_out(node, names)
    if not isinstance(found, list):
        raise _Unknown
    return found


def _number(node: ast.expr, names: _Names) -> Number:
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return value
        case ast.Name(id=name) if isinstance(known := names.get(name), int | float):
            return known
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_number(inner, names)
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            return _power(_number(left, names), _number(right, names))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _OPERATORS:
            return _OPERATORS[type(sign)](_number(left, names), _number(right, names))
    raise _Unknown


def _power(base: Number, exponent: Number) -> Number:
    """Of whole numbers, as long as it stays small."""
    if not isinstance(base, int) or not isinstance(exponent, int) or exponent < 0:
        raise _Unknown
    if base.bit_length() * exponent > _MOST_BITS:
        raise _Unknown
    return int(base**exponent)
