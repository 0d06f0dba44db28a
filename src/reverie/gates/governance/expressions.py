"""A small language of conditions: names, numbers, texts, comparisons, and/or/not, + - * /.

Parsed by Python's own parser and walked by us: nothing is ever evaluated. There are no calls, no
indexing, no attributes of objects: a dotted name is looked up in what was handed in.
"""

import ast
import math
import operator
from collections.abc import Callable, Mapping
from typing import Any

_LONGEST = 500
_DEEPEST = 25
_COMPARE: Mapping[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}
_ARITHMETIC: Mapping[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class ExpressionError(ValueError):
    """A condition that says nothing: badly written, or about what is not known."""


def parse_condition(text: str) -> ast.expr:
    """A condition, checked as a whole before it is used."""
    if len(text) > _LONGEST:
        raise ExpressionError(f"longer than {_LONGEST} characters")
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExpressionError(f"not an expression: {text[:80]!r}") from error
    _check(tree, 0)
    return tree


def holds(condition: ast.expr, known: Mapping[str, Any]) -> bool:
    """Whether a condition is true; `ExpressionError` when that cannot be said."""
    value = _value(condition, known)
    if not isinstance(value, bool):
        raise ExpressionError("a condition has to be true or false")
    return value


def _check(node: ast.expr, depth: int) -> None:
    if depth > _DEEPEST:
        raise ExpressionError("nested too deeply")
    for part in _parts(node):
        _check(part, depth + 1)


def _parts(node: ast.expr) -> list[ast.expr]:
    """The parts of a node of the language; `ExpressionError` for any other."""
    match node:
        case ast.Constant(value=bool() | int() | float() | str()):
            return []
        case ast.Name() | ast.Attribute():
            _name(node)
            return []
        case ast.BoolOp(values=values):
            return values
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            return [operand]
        case ast.Compare(left=left, ops=ops, comparators=rest) if all(
            type(each) in _COMPARE for each in ops
        ):
            return [left, *rest]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return [left, right]
    raise ExpressionError(f"{type(node).__name__} is not part of the language")


def _name(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{_name(node.value)}.{node.attr}"
    raise ExpressionError(f"{type(node).__name__} is not part of a name")


def _value(node: ast.expr, known: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name() | ast.Attribute():
            return _look_up(_name(node), known)
        case ast.BoolOp(op=op, values=values):
            answers = (holds(each, known) for each in values)
            return all(answers) if isinstance(op, ast.And) else any(answers)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not holds(operand, known)
        case ast.UnaryOp(operand=operand):
            return -_number(_value(operand, known))
        case ast.BinOp(left=left, op=op, right=right):
            return _reckon(op, _number(_value(left, known)), _number(_value(right, known)))
        case ast.Compare(left=left, ops=ops, comparators=rest):
            return _compare([_value(each, known) for each in (left, *rest)], ops)
    raise ExpressionError(f"{type(node).__name__} is not part of the language")


def _look_up(name: str, known: Mapping[str, Any]) -> Any:
    found: Any = known
    for part in name.split("."):
        if not isinstance(found, Mapping) or part not in found:
            raise ExpressionError(f"nobody measured {name}")
        found = found[part]
    if found is None or (isinstance(found, float) and not math.isfinite(found)):
        raise ExpressionError(f"nobody measured {name}")
    if not isinstance(found, bool | int | float | str):
        raise ExpressionError(f"{name} is no single value")
    return found


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ExpressionError(f"{value!r} is no number")
    return float(value)


def _reckon(op: ast.operator, left: float, right: float) -> float:
    try:
        return _ARITHMETIC[type(op)](left, right)
    except (ZeroDivisionError, OverflowError) as error:
        raise ExpressionError(str(error)) from error


def _compare(values: list[Any], ops: list[ast.cmpop]) -> bool:
    for left, op, right in zip(values, ops, values[1:], strict=False):
        if isinstance(left, str) != isinstance(right, str):
            raise ExpressionError(f"{left!r} and {right!r} are not compared")
        if not _COMPARE[type(op)](left, right):
            return False
    return True
