"""Which cases of a parametrised test ask what another one asks already.

Expressions of constants and parameters alone are reckoned, by a list of what is allowed and within
bounds: nothing of the file is run. What cannot be reckoned counts as different.
"""

import ast
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import islice, product
from typing import Any

from reverie.gates.suite.files_of_tests import PARAMETRISE, argument_names, parameters
from reverie.syntax.nodes import Function, dotted

_MOST_CASES = 1000
_LONGEST = 1000
_LARGEST = 10**30
_LARGEST_POWER = 100
_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Mod: operator.mod,
    ast.Div: operator.truediv, ast.FloorDiv: operator.floordiv, ast.Pow: operator.pow,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
}  # fmt: skip
_COMPARED: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge,
    ast.Eq: operator.eq, ast.NotEq: operator.ne,
}  # fmt: skip
_UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Not: operator.not_,
}  # fmt: skip
_CALLS: dict[str, Callable[..., Any]] = {
    "min": min, "max": max, "abs": abs, "len": len, "int": int, "bool": bool, "str": str,
}  # fmt: skip


class Unknown(Exception):
    """What an expression comes to cannot be said without running it."""


def value_of(node: ast.AST, known: Mapping[str, object]) -> Any:
    """What an expression of constants and known names comes to."""
    try:
        return _value(node, known)
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError):
        raise Unknown from None


def _value(node: ast.AST, known: Mapping[str, object]) -> Any:
    match node:
        case ast.Constant(value=value):
            return value
        case ast.Name(id=name) if name in known:
            return known[name]
        case ast.Tuple(elts=elements):
            return tuple(_value(each, known) for each in elements)
        case ast.List(elts=elements):
            return [_value(each, known) for each in elements]
        case ast.UnaryOp() if type(node.op) in _UNARY:
            return _UNARY[type(node.op)](_value(node.operand, known))
        case ast.BinOp() if type(node.op) in _BINARY:
            return _reckoned(node.op, _value(node.left, known), _value(node.right, known))
        case ast.Subscript(value=owner, slice=ast.Slice() as cut):
            ends = [e and _value(e, known) for e in (cut.lower, cut.upper, cut.step)]
            return _value(owner, known)[slice(*ends)]
        case ast.Subscript(value=owner, slice=index):
            return _value(owner, known)[_value(index, known)]
        case ast.JoinedStr(values=parts):
            return "".join(str(_value(each, known)) for each in parts)
        case ast.FormattedValue(value=value, conversion=-1, format_spec=None):
            return str(_value(value, known))
        case ast.IfExp(test=test, body=body, orelse=other):
            return _value(body if _value(test, known) else other, known)
        case ast.Compare(left=left, ops=[kind], comparators=[right]) if type(kind) in _COMPARED:
            return _COMPARED[type(kind)](_value(left, known), _value(right, known))
        case ast.Call(func=ast.Name(id=name), args=given, keywords=[]) if name in _CALLS:
            return _CALLS[name](*(_value(each, known) for each in given))
    raise Unknown


def _reckoned(kind: ast.operator, left: Any, right: Any) -> Any:
    """Of two values; nothing large is made on the way."""
    is_power = isinstance(kind, ast.Pow)
    if is_power and not (isinstance(right, int) and abs(right) <= _LARGEST_POWER):
        raise Unknown
    if isinstance(kind, ast.Mod) and isinstance(left, str | bytes):
        raise Unknown  # a format, which can ask for any width
    for one, other in ((left, right), (right, left)):
        if isinstance(one, int) and abs(one) > _LARGEST:
            raise Unknown
        if hasattr(one, "__len__") and isinstance(other, int) and len(one) * other > _LONGEST:
            raise Unknown
    return _BINARY[type(kind)](left, right)


def repeated_cases(function: Function) -> tuple[int, int]:
    """How many cases a test has, and how many of them differ in what the test does with them."""
    tables = list(_tables(function))
    names = [name for table in tables for name in table[0]]
    used = {
        each.id for part in function.body for each in ast.walk(part) if isinstance(each, ast.Name)
    }
    has_fixtures = bool({*parameters(function)} - {*names, "self", "cls"})
    if not tables or (has_fixtures and not used.issuperset(names)):
        return 1, 1  # what is not used here may be asked for by a fixture
    cases = islice(product(*(rows for _, rows in tables)), _MOST_CASES)
    seen = [_asked(function, dict(zip(names, sum(case, ()), strict=True))) for case in cases]
    return len(seen), len(set(seen))


def _asked(function: Function, case: Mapping[str, object]) -> str:
    """What a test makes of its parameters: its largest expressions of nothing but them."""
    known, body = dict(case), []
    for node in function.body:
        name, value = _assigned(node, known)
        if name:
            known[name] = value
        else:
            body.append(node)
    return "\n".join(_parts(body, known))


def _assigned(node: ast.stmt, known: Mapping[str, object]) -> tuple[str, object]:
    """A new name for something that can be reckoned; an empty one for any other statement."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if name not in known:
            try:
                return name, value_of(value, _plain(known))
            except Unknown:
                return "", None
    return "", None


def _plain(case: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in case.items() if not isinstance(value, _Written)}


def _parts(nodes: list[Any], case: Mapping[str, object]) -> Iterator[str]:
    known = _plain(case)
    for node in nodes:
        used = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        if not used & case.keys():
            continue
        if isinstance(node, ast.Name):
            yield f"{node.id}: {type(case[node.id]).__name__} {case[node.id]!r}"
            continue
        try:
            value = value_of(node, known)
        except Unknown:
            yield from _parts(list(ast.iter_child_nodes(node)), case)
        else:
            yield f"{type(value).__name__} {value!r}"


def _tables(function: Function) -> Iterator[tuple[list[str], list[tuple[object, ...]]]]:
    """Names and rows of each decorator that parametrises and can be read."""
    for decorator in function.decorator_list:
        match decorator:
            case ast.Call(func=called, args=[first, values, *_], keywords=keywords):
                names = argument_names(first)
                is_direct = not any(each.arg == "indirect" for each in keywords)
                if is_direct and dotted(called).endswith(PARAMETRISE):
                    rows = _rows(values, len(names))
                    if names and rows and all(len(row) == len(names) for row in rows):
                        yield names, rows


def _rows(node: ast.expr, width: int) -> list[tuple[object, ...]]:
    match node:
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return [_row(each, width) for each in elements]
        case ast.Call(func=ast.Name(id="range"), args=given, keywords=[]) if width == 1:
            try:
                counted = range(*(value_of(each, {}) for each in given))
            except (Unknown, TypeError, ValueError):
                return []
            return [(each,) for each in counted[:_MOST_CASES]]
    return []


def _row(node: ast.expr, width: int) -> tuple[object, ...]:
    match node:
        case ast.Call(func=called, args=given) if dotted(called).endswith("param"):
            return tuple(_cell(each) for each in given)
        case ast.Tuple(elts=elements) | ast.List(elts=elements) if width > 1:
            return tuple(_cell(each) for each in elements)
    return (_cell(node),)


def _cell(node: ast.expr) -> object:
    try:
        return value_of(node, {})
    except Unknown:
        return _Written(ast.dump(node))


@dataclass(frozen=True, slots=True)
class _Written:
    """A value that is known by how it is written, and by nothing else."""

    text: str
