"""Whether plain arguments fit their annotations; what cannot be judged from source alone, fits."""

import ast
import re
from collections.abc import Callable
from typing import Any

from reverie.model.call import Call, Expression

_SCALARS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (float,),
    "complex": (complex, float),
    "str": (str,),
    "bytes": (bytes,),
    "bool": (bool,),
    "None": (type(None),),
}
_SEQUENCES: dict[str, tuple[type, ...]] = {
    "list": (list,),
    "List": (list,),
    "set": (set,),
    "Set": (set,),
    "Sequence": (list, tuple, str),
    "Collection": (list, tuple, set, str, dict),
    "Iterable": (list, tuple, set, str, dict),
}
_MAPPINGS = ("dict", "Dict", "Mapping", "MutableMapping")
_SPECIAL_FLOAT = re.compile(r"math\.(?:nan|inf)|float\('-?(?:nan|inf)'\)")
_MOST_POWER = 1000
_UNREADABLE = (ValueError, SyntaxError, TypeError, MemoryError, RecursionError)


def misfit_arguments(call: Call, annotations: dict[str, ast.expr | None]) -> bool:
    """Whether a plain argument contradicts its annotation."""
    named = dict(zip(annotations, call.args, strict=False)) | dict(call.kwargs)
    return any(
        (annotation := annotations.get(name)) is not None and not _fits_source(value, annotation)
        for name, value in named.items()
    )


def literal_value(expression: Expression) -> Any:
    """The value of a plain expression; `ValueError` for any other.

    Special floats count as an infinite one, a repeated list as the list: types are the same.
    """
    try:
        node = ast.parse(_SPECIAL_FLOAT.sub("1e999", expression.source), mode="eval").body
        return _plain_value(node)
    except _UNREADABLE as error:
        raise ValueError(expression.source[:80]) from error


def _plain_value(node: ast.expr) -> Any:
    match node:
        case ast.BinOp(left=left, op=ast.Mult()):
            return _plain_value(left)
        case ast.BinOp(left=ast.List() as left, op=ast.Add(), right=ast.List() as right):
            return ast.literal_eval(left) + ast.literal_eval(right)
        case ast.BinOp(left=ast.Constant(int(base)), op=ast.Pow(), right=ast.Constant(int(power))):
            return base ** min(power, _MOST_POWER)
    return ast.literal_eval(node)


def _fits_source(expression: Expression, annotation: ast.expr) -> bool:
    try:
        return fits(literal_value(expression), annotation)
    except ValueError:
        return True


def fits(value: Any, annotation: ast.expr) -> bool:
    """Whether a plain value has the annotated type; strictly, so that `True` is no `int`."""
    match annotation:
        case ast.Constant(value=None):
            return value is None
        case ast.Constant(value=str() as text):
            return _fits_text(value, text)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return fits(value, left) or fits(value, right)
        case ast.Subscript(value=base, slice=inner):
            arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _fits_generic(value, _name(base), arguments)
    return _fits_generic(value, _name(annotation), [])


def _fits_text(value: Any, text: str) -> bool:
    try:
        return fits(value, ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError):
        return True


def _fits_generic(value: Any, name: str, arguments: list[ast.expr]) -> bool:
    if name in _SCALARS:
        return type(value) in _SCALARS[name]
    if name in ("Optional", "Union"):
        return (name == "Optional" and value is None) or any(
            fits(value, each) for each in arguments
        )
    if name == "Literal":
        return any(isinstance(each, ast.Constant) and each.value == value for each in arguments)
    if name == "Annotated":
        return fits(value, arguments[0])
    if name in ("tuple", "Tuple"):
        return isinstance(value, tuple) and _fits_tuple(value, arguments)
    if name in _MAPPINGS:
        return isinstance(value, dict) and _fits_mapping(value, arguments)
    if name in _SEQUENCES:
        return isinstance(value, _SEQUENCES[name]) and _every(value, arguments)
    return True


def _every(items: Any, arguments: list[ast.expr]) -> bool:
    return not arguments or all(fits(each, arguments[0]) for each in items)


def _fits_tuple(items: tuple[Any, ...], arguments: list[ast.expr]) -> bool:
    if not arguments:
        return True
    if isinstance(arguments[-1], ast.Constant) and arguments[-1].value is Ellipsis:
        return _every(items, arguments)
    return len(items) == len(arguments) and all(map(fits, items, arguments))


def _fits_mapping(items: dict[Any, Any], arguments: list[ast.expr]) -> bool:
    if len(arguments) != 2:
        return True
    judge: Callable[[Any], bool] = lambda pair: all(map(fits, pair, arguments))  # noqa: E731
    return all(map(judge, items.items()))


def _name(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
    return ""
