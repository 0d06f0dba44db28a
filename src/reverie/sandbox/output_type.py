"""Does a result have the declared type? Checked on the host, deep, naming the first mismatch."""

import ast
from typing import Any

from reverie.errors import RequestError

_SEQUENCES = {"list", "List", "Sequence", "Iterable", "Collection", "set", "Set", "frozenset"}
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping"}
_TUPLES = {"tuple", "Tuple"}
_UNIONS = {"Union", "Optional"}
_SCALARS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "str": (str,),
    "bool": (bool,),
    "None": (type(None),),
    "NoneType": (type(None),),
}


def mismatch(value: Any, declared: str, claimed_type: str) -> str | None:
    """Why `value` is not of the declared type; None when it is, or when the type is unknown here.

    Results travel as JSON: where a list came back, `claimed_type` tells list from tuple.
    """
    found = _check(value, _parse(declared), "result", claimed_type)
    return None if found is None else f"expected {declared}: {found}"


def check_declaration(declared: str) -> None:
    """Raise `RequestError` when the declared type cannot be read."""
    _parse(declared)


def _parse(declared: str) -> ast.expr:
    try:
        return ast.parse(declared.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise RequestError(f"not a type: {declared[:100]!r}") from error


def _check(value: Any, declared: ast.expr, path: str, claimed: str | None) -> str | None:
    match declared:
        case ast.Constant(None):
            return _scalar(value, "None", path)
        case ast.Constant(str(text)):
            return _check(value, _parse(text), path, claimed)
        case ast.BinOp(left, ast.BitOr(), right):
            return _either(value, [left, right], path, claimed)
        case ast.Subscript(base, inner):
            arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _generic(value, _name(base), arguments, path, claimed)
        case _:
            return _generic(value, _name(declared), [], path, claimed)


def _generic(
    value: Any, name: str, arguments: list[ast.expr], path: str, claimed: str | None
) -> str | None:
    if name in _SCALARS:
        return _scalar(value, name, path)
    if name in _UNIONS:
        options = [*arguments, ast.Constant(None)] if name == "Optional" else arguments
        return _either(value, options, path, claimed)
    if name in _MAPPINGS:
        return _mapping(value, arguments, path)
    if name in _SEQUENCES or name in _TUPLES:
        return _sequence(value, name, arguments, path, claimed)
    return None  # `Any`, and types that JSON cannot tell apart


def _scalar(value: Any, name: str, path: str) -> str | None:
    allowed = _SCALARS[name]
    if isinstance(value, bool) and bool not in allowed:
        return f"{path} is bool, not {name}"
    return None if isinstance(value, allowed) else f"{path} is {type(value).__name__}, not {name}"


def _either(value: Any, options: list[ast.expr], path: str, claimed: str | None) -> str | None:
    failures = [_check(value, option, path, claimed) for option in options]
    if any(failure is None for failure in failures):
        return None
    return f"{path} is {type(value).__name__}, none of the alternatives"


def _mapping(value: Any, arguments: list[ast.expr], path: str) -> str | None:
    if not isinstance(value, dict):
        return f"{path} is {type(value).__name__}, not dict"
    if len(arguments) == 2:
        for key, item in value.items():
            found = _check(item, arguments[1], f"{path}[{key!r:.40}]", None)
            if found is not None:
                return found
    return None


def _sequence(
    value: Any, name: str, arguments: list[ast.expr], path: str, claimed: str | None
) -> str | None:
    if not isinstance(value, list):
        return f"{path} is {type(value).__name__}, not {name}"
    told_apart = claimed in ("list", "tuple") and name in _TUPLES | {"list", "List"}
    if told_apart and (name in _TUPLES) != (claimed == "tuple"):
        return f"{path} is {claimed}, not {name.lower()}"
    fixed = name in _TUPLES and not _is_open(arguments)
    if fixed and arguments and len(arguments) != len(value):
        return f"{path} has {len(value)} items, not {len(arguments)}"
    for index, item in enumerate(value):
        if not arguments:
            break
        kind = arguments[index] if fixed else arguments[0]
        found = _check(item, kind, f"{path}[{index}]", None)
        if found is not None:
            return found
    return None


def _is_open(arguments: list[ast.expr]) -> bool:
    return (
        len(arguments) == 2
        and isinstance(arguments[1], ast.Constant)
        and (arguments[1].value is Ellipsis)
    )


def _name(declared: ast.expr) -> str:
    match declared:
        case ast.Name(name):
            return name
        case ast.Attribute(_, name):
            return name
        case _:
            return ""
