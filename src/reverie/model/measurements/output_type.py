"""Does a result have the declared type? Checked on the host, deep, naming the first mismatch.

The value is a Python value, or the JSON form in which a result left the sandbox. JSON has neither
tuples nor sets: there a list stands for any of them, and the claimed type tells them apart at the
top.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reverie.errors import RequestError

_ARRAYS: dict[str, tuple[type, ...]] = {
    "list": (list,), "List": (list,), "set": (set,), "Set": (set, frozenset), "tuple": (tuple,),
    "Tuple": (tuple,), "frozenset": (frozenset,), "FrozenSet": (frozenset,),
    "AbstractSet": (set, frozenset), "Sequence": (list, tuple, str, bytes, range),
    "MutableSequence": (list,), "Iterable": (list, tuple, set, frozenset, dict, str, bytes, range),
    "Collection": (list, tuple, set, frozenset, dict, str, bytes, range),
}  # fmt: skip
_OPEN = {"Sequence", "Iterable", "Collection"}
"""What classes of their own may be as well: only a plain value of another kind is refused."""
_MAPPINGS = {"dict", "Dict", "Mapping", "MutableMapping"}
_TUPLES = {"tuple", "Tuple"}
_UNIONS = {"Union", "Optional"}
_WRAPPERS = {"Annotated", "Final", "Required", "NotRequired", "ReadOnly"}
_SCALARS: dict[str, tuple[type, ...]] = {
    "int": (int,),
    "float": (int, float),
    "complex": (int, float, complex),
    "str": (str,),
    "bool": (bool,),
    "None": (type(None),),
    "NoneType": (type(None),),
}
_PLAIN = (int, float, complex, str, bytes, list, tuple, dict, set, frozenset, type(None))
_WALKED = (list, tuple, set, frozenset, range)
"""What can be looked into without using it up."""
_WELL_KNOWN = {"bytes", "bytearray", "Decimal", "Fraction", "datetime", "date", "time", "timedelta",
               "Path", "UUID", "Pattern", "deque"}  # fmt: skip
"""Classes that a plain value is certainly no instance of, unless it is one by name."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """The first place where a value is not what was declared."""

    path: str
    """`result['rows'][3]`."""
    problem: str
    """`is str, not int`."""

    def __str__(self) -> str:
        return f"{self.path} {self.problem}"


@dataclass(frozen=True, slots=True)
class _Claimed:
    """How JSON is to be read: the type that the result had, known only at the top."""

    type_name: str | None = None


_Claim = _Claimed | None


def validate_output(value: Any, declared: str, claimed_type: str | None = None) -> Mismatch | None:
    """The first mismatch; None when the value fits, or when the type is unknown here.

    With `claimed_type`, the value is the JSON form of a result of that type.
    """
    claim = None if claimed_type is None else _Claimed(claimed_type)
    return _check(value, _parse(declared), "result", claim)


def mismatch(value: Any, declared: str, claimed_type: str) -> str | None:
    """Why a result that travelled as JSON is not of the declared type, in a line."""
    found = validate_output(value, declared, claimed_type)
    return None if found is None else f"expected {declared}: {found}"


def check_declaration(declared: str) -> None:
    """Raise `RequestError` when the declared type cannot be read."""
    _parse(declared)


def _parse(declared: str) -> ast.expr:
    try:
        return ast.parse(declared.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise RequestError(f"not a type: {declared[:100]!r}") from error


def _check(value: Any, declared: ast.expr, path: str, claim: _Claim) -> Mismatch | None:
    match declared:
        case ast.Constant(None):
            return _scalar(value, "None", path)
        case ast.Constant(str(text)):
            return _check(value, _parse(text), path, claim)
        case ast.BinOp(left, ast.BitOr(), right):
            return _either(value, [left, right], path, claim)
        case ast.Subscript(base, inner):
            arguments = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _generic(value, _name(base), arguments, path, claim)
        case _:
            return _generic(value, _name(declared), [], path, claim)


def _generic(
    value: Any, name: str, arguments: list[ast.expr], path: str, claim: _Claim
) -> Mismatch | None:
    if name in _SCALARS:
        return _scalar(value, name, path)
    if name in _UNIONS:
        options = [*arguments, ast.Constant(None)] if name == "Optional" else arguments
        return _either(value, options, path, claim)
    if name in _MAPPINGS:
        return _mapping(value, arguments, path, claim)
    if name in _ARRAYS:
        return _array(value, name, arguments, path, claim)
    if name == "Literal":
        return _literal(value, arguments, path)
    if name in _WRAPPERS and arguments:
        return _check(value, arguments[0], path, claim)
    if claim is None and name in _WELL_KNOWN:
        return _instance(value, name, path)
    return None  # `Any`, and types that cannot be told apart here


def _scalar(value: Any, name: str, path: str) -> Mismatch | None:
    allowed = _SCALARS[name]
    if isinstance(value, bool) and bool not in allowed:
        return Mismatch(path, f"is bool, not {name}")
    return None if isinstance(value, allowed) else _wrong(value, name, path)


def _wrong(value: Any, name: str, path: str) -> Mismatch:
    return Mismatch(path, f"is {type(value).__name__}, not {name}")


def _instance(value: Any, name: str, path: str) -> Mismatch | None:
    names = {each.__name__ for each in type(value).__mro__}
    return _wrong(value, name, path) if name not in names and type(value) in _PLAIN else None


def _literal(value: Any, options: list[ast.expr], path: str) -> Mismatch | None:
    known = [each.value for each in options if isinstance(each, ast.Constant)]
    if len(known) < len(options):
        return None
    fits = any(type(value) is type(each) and value == each for each in known)
    shown = ", ".join(repr(each) for each in known)
    return None if fits else Mismatch(path, f"is {value!r:.40}, none of {shown:.80}")


def _either(value: Any, options: list[ast.expr], path: str, claim: _Claim) -> Mismatch | None:
    """The alternative that fits; or else the one that came furthest tells why not."""
    failures: list[Mismatch] = []
    for option in options:
        failure = _check(value, option, path, claim)
        if failure is None:
            return None
        failures.append(failure)
    deepest = max(failures, key=lambda each: len(each.path))
    if len(deepest.path) > len(path):
        return deepest
    return Mismatch(path, f"is {type(value).__name__}, none of the alternatives")


def _mapping(value: Any, arguments: list[ast.expr], path: str, claim: _Claim) -> Mismatch | None:
    if not isinstance(value, dict):
        return _wrong(value, "dict", path) if isinstance(value, _PLAIN) else None
    if len(arguments) != 2:
        return None
    for key, item in value.items():
        place = f"{path}[{key!r:.40}]"
        wrong_key = None if claim else _check(key, arguments[0], f"{path} key {key!r:.40}", None)
        found = wrong_key or _check(item, arguments[1], place, _inner(claim))
        if found is not None:
            return found
    return None


def _inner(claim: _Claim) -> _Claim:
    return None if claim is None else _Claimed()


def _array(
    value: Any, name: str, arguments: list[ast.expr], path: str, claim: _Claim
) -> Mismatch | None:
    wrong = _json_array(value, name, path, claim) if claim else _python_array(value, name, path)
    if wrong is not None or not arguments or type(value) not in _WALKED:
        return wrong
    return _items(list(value), name, arguments, path, claim)


def _json_array(value: Any, name: str, path: str, claim: _Claimed) -> Mismatch | None:
    if not isinstance(value, list):
        return _wrong(value, name, path)
    told_apart = claim.type_name in ("list", "tuple") and name in _TUPLES | {"list", "List"}
    if told_apart and (name in _TUPLES) != (claim.type_name == "tuple"):
        return Mismatch(path, f"is {claim.type_name}, not {name.lower()}")
    return None


def _python_array(value: Any, name: str, path: str) -> Mismatch | None:
    if isinstance(value, _ARRAYS[name]):
        return None
    is_foreign = name in _OPEN and not isinstance(value, _PLAIN)
    return None if is_foreign else _wrong(value, name.lower(), path)


def _items(
    values: Sequence[Any], name: str, arguments: list[ast.expr], path: str, claim: _Claim
) -> Mismatch | None:
    fixed = name in _TUPLES and not _is_open(arguments)
    if fixed and len(arguments) != len(values):
        return Mismatch(path, f"has {len(values)} items, not {len(arguments)}")
    for index, item in enumerate(values):
        kind = arguments[index] if fixed else arguments[0]
        found = _check(item, kind, f"{path}[{index}]", _inner(claim))
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
