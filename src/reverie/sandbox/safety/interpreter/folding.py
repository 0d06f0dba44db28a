"""Compute what is constant, within bounds, the way Python would; apply operators.

Only functions listed here are ever called, only with constants of the source, and never
with arguments that could make the result large.
"""

import ast
import itertools
import operator
import re
from collections.abc import Callable, ItemsView, KeysView, Mapping, Sequence, ValuesView
from typing import Any

from reverie.sandbox.safety.interpreter.interpreter import Excess, Interpreter
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_COMBINATIONS,
    MAX_ITEMS,
    Atom,
    Items,
    Known,
    Symbol,
    Table,
    Text,
    Value,
    concatenate,
    join,
    join_parts,
    known,
    parts_of,
    strings_of,
)

MAX_SIZE = 1 << 16
MAX_BITS = 1 << 14
MAX_COUNT = 1 << 16
MAX_PRODUCT = 1 << 22
_WIDE = re.compile(r"\d{5}")

FAILURES = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    RecursionError,
    TypeError,
    ValueError,
)
"""What a constant operation may raise; the code under check would raise it too."""


class NotConstant(Exception):
    """The value is not fixed by the source, or is too large to compute with."""


def lower(value: Value) -> Any:
    """The Python object that the value must be; `NotConstant` when it may be another."""
    if len(value) != 1:
        raise NotConstant
    match value[0]:
        case Known(constant):
            return constant
        case Items("list", values):
            return [lower(item) for item in values]
        case Items("tuple", values):
            return tuple(lower(item) for item in values)
        case Items("set", values):
            return {_hashable(lower(item)) for item in values}
        case Table(entries, True):
            return {key: lower(item) for key, item in entries}
        case _:
            raise NotConstant


def _hashable(value: Any) -> Any:
    if isinstance(value, (list, set, dict)):
        raise NotConstant
    return value


def lift(result: Any, *, decoded: bool = False) -> Value:
    """A value for the Python object; `ANYTHING` when it is too large or of another type."""
    if isinstance(result, (str, bytes)):
        return known(result, decoded=decoded) if len(result) <= MAX_SIZE else ANYTHING
    if result is None or result is ... or isinstance(result, (int, float, complex)):
        return known(result, decoded=decoded)
    if isinstance(result, bytearray):
        return lift(bytes(result), decoded=decoded)
    if isinstance(result, (list, tuple, set, frozenset)) and len(result) <= MAX_ITEMS:
        kind = "list" if isinstance(result, list) else "tuple"
        return (Items(kind, tuple(lift(item, decoded=decoded) for item in result)),)  # type: ignore[arg-type]
    if isinstance(result, dict) and len(result) <= MAX_ITEMS:
        entries = [(k, lift(v, decoded=decoded)) for k, v in result.items() if _is_key(k)]
        return (Table(tuple(entries), complete=len(entries) == len(result)),)
    return ANYTHING


def _is_key(key: object) -> bool:
    return key is None or isinstance(key, (str, bytes, int, float))


def is_decoded(value: Value) -> bool:
    """Whether one of the possibilities came out of a decoder."""
    for atom in value:
        if isinstance(atom, Known) and atom.decoded:
            return True
        if isinstance(atom, Items) and any(is_decoded(item) for item in atom.values):
            return True
    return False


_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.BitAnd: operator.and_,
}
_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}


def fold_binary(kind: type[ast.operator], left: Value, right: Value) -> Value:
    """An arithmetic or string operation on constants."""
    a, b = lower(left), lower(right)
    function = _BINARY.get(kind)
    if function is None or estimate(kind, a, b) > MAX_SIZE:
        raise NotConstant
    if kind is ast.Mod and isinstance(a, (str, bytes)) and _is_wide(a, b):
        raise NotConstant
    try:
        return lift(function(a, b), decoded=is_decoded(left) or is_decoded(right))
    except FAILURES:
        raise NotConstant from None


def fold_compare(kind: type[ast.cmpop], left: Value, right: Value) -> Value:
    """A comparison of constants."""
    function = _COMPARE.get(kind)
    if function is None:
        raise NotConstant
    try:
        return known(bool(function(lower(left), lower(right))))
    except FAILURES:
        raise NotConstant from None


def estimate(kind: type[ast.operator], a: Any, b: Any) -> float:
    """About how many bytes the result of an operation takes."""
    if kind is ast.Mult:
        for one, times in ((a, b), (b, a)):
            if isinstance(one, (str, bytes, list, tuple)) and isinstance(times, int):
                return len(one) * max(float(min(times, 10**30)), 0.0)
    if not (isinstance(a, int) and isinstance(b, int)):
        return 0.0
    bits_a, bits_b = float(a.bit_length()), float(b.bit_length())
    if kind is ast.Pow and b > 0 and abs(a) > 1:
        return bits_a * float(min(b, 10**30)) / 8
    if kind is ast.LShift and b > 0 and a:
        return (bits_a + float(min(b, 10**30))) / 8
    return (bits_a + bits_b) / 8


def _is_wide(template: str | bytes, argument: object) -> bool:
    text = template.decode("latin-1") if isinstance(template, bytes) else template
    numbers = argument if isinstance(argument, tuple) else (argument,)
    too_long = any(isinstance(n, int) and abs(n) > MAX_COUNT and "*" in text for n in numbers)
    return bool(_WIDE.search(text)) or too_long


def is_small(values: Sequence[Any]) -> bool:
    """Whether the arguments cannot make the result of a listed function large."""
    sizes = 1
    for value in values:
        if isinstance(value, (str, bytes)):
            if len(value) > MAX_SIZE:
                return False
            sizes *= max(len(value), 1)
        elif isinstance(value, int) and abs(value) > MAX_COUNT:
            return False
    return sizes <= MAX_PRODUCT


def fold_call(
    function: Callable[..., Any], arguments: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call a listed function with constants."""
    positional = [lower(argument) for argument in arguments]
    named = {key: lower(argument) for key, argument in keywords.items()}
    if not is_small([*positional[1:], *named.values()]):
        raise NotConstant
    if positional and isinstance(positional[0], (str, bytes)) and len(positional[0]) > MAX_SIZE:
        raise NotConstant
    decoded = any(is_decoded(argument) for argument in arguments)
    try:
        return lift(function(*positional, **named), decoded=decoded)
    except FAILURES:
        raise NotConstant from None


def fold_unary(kind: type[ast.unaryop], operand: Value) -> Value:
    """A sign, an inversion or a negation of a constant."""
    value = lower(operand)
    try:
        if kind is ast.Not:
            return known(not value)
        if kind is ast.USub:
            return lift(-value)
        return lift(~value) if kind is ast.Invert else lift(+value)
    except FAILURES:
        raise NotConstant from None


def fold_item(container: Value, key: Any) -> Value:
    """`container[key]` on constants, also with a slice."""
    try:
        return lift(lower(container)[key], decoded=is_decoded(container))
    except FAILURES:
        raise NotConstant from None


_METHODS = frozenset(
    """
    as_integer_ratio bit_length capitalize casefold center copy count decode encode endswith
    find get hex index isdigit items join keys ljust lower lstrip partition removeprefix
    removesuffix replace rfind rjust rpartition rsplit rstrip split splitlines startswith strip
    swapcase title to_bytes translate upper values zfill
    """.split()  # noqa: SIM905
)
"""The methods of constants that may be called; the others can make results large."""


def fold_method(receiver: Value, name: str, arguments: Sequence[Value]) -> Value:
    """Call a listed method of a constant."""
    target = lower(receiver)
    if name not in _METHODS or isinstance(target, (set, complex)):
        raise NotConstant
    if name in {"decode", "encode"}:
        return _fold_codec(target, name, arguments, decoded=is_decoded(receiver))
    positional = [lower(argument) for argument in arguments]
    flat = [_longest(p) for p in positional if not isinstance(p, (list, tuple))]
    sizes = [target, *flat] if isinstance(target, (str, bytes)) else flat
    if not is_small(sizes) or (name == "translate" and not isinstance(target, str)):
        raise NotConstant
    decoded = is_decoded(receiver) or any(is_decoded(argument) for argument in arguments)
    try:
        return lift(_materialise(getattr(target, name)(*positional)), decoded=decoded)
    except FAILURES:
        raise NotConstant from None


def _longest(argument: Any) -> Any:
    if not isinstance(argument, dict):
        return argument
    return max((v for v in argument.values() if isinstance(v, str)), key=len, default="")


def _materialise(result: Any) -> Any:
    return list(result) if isinstance(result, (KeysView, ValuesView, ItemsView)) else result


def _fold_codec(target: Any, name: str, arguments: Sequence[Value], *, decoded: bool) -> Value:
    encoding = lower(arguments[0]) if arguments else "utf-8"
    if not isinstance(encoding, str) or not is_text_codec(encoding):
        raise NotConstant
    if not isinstance(target, bytes if name == "decode" else str):
        raise NotConstant
    try:
        return lift(getattr(target, name)(encoding), decoded=decoded)
    except FAILURES:
        raise NotConstant from None


def is_text_codec(encoding: str) -> bool:
    """Whether the codec is one of the standard library's plain ones."""
    plain = encoding.lower().replace("_", "-").replace(" ", "-")
    prefixes = ("utf", "latin", "iso-8859", "iso8859", "cp", "ascii", "us-ascii")
    return plain.startswith(prefixes) or plain in {"unicode-escape", "raw-unicode-escape"}


BULK_BYTES = 10**9
"""From here on a plainly visible allocation is an attack on memory."""
BULK_NUMBER_BYTES = 10**7
"""A number this long takes hours to compute."""
_PATH = "pathlib.Path()"


def apply_operator(
    machine: Interpreter, kind: type[ast.operator], left: Value, right: Value, node: ast.AST
) -> Value:
    """What `left <operator> right` may be."""
    if len(left) * len(right) > MAX_COMBINATIONS:
        return ANYTHING
    pairs = itertools.product(left, right)
    return join([_apply(machine, kind, one, other, node) for one, other in pairs])


def _apply(
    machine: Interpreter, kind: type[ast.operator], one: Atom, other: Atom, node: ast.AST
) -> Value:
    left: Value = (one,)
    right: Value = (other,)
    try:
        return fold_binary(kind, left, right)
    except NotConstant:
        _report_bulk(machine, kind, left, right, node)
    if kind is ast.Add:
        return _add(one, other)
    if kind is ast.Div and _is_path(one, other):
        return (Symbol(_PATH, join_parts([parts_of(one), parts_of(other)])),)
    if kind is ast.Mod and isinstance(one, Known) and isinstance(one.value, str):
        return percent_text(left, right)
    if kind is ast.BitOr:
        return _unite(one, other)
    return ANYTHING


def _add(one: Atom, other: Atom) -> Value:
    if isinstance(one, Items) and isinstance(other, Items):
        values = (*one.values, *other.values)
        return (Items(one.kind, values),) if len(values) <= MAX_ITEMS else ANYTHING
    if any(
        isinstance(a, Text) or (isinstance(a, Known) and isinstance(a.value, str))
        for a in (one, other)
    ):
        return concatenate([(one,), (other,)])
    return ANYTHING


def _is_path(one: Atom, other: Atom) -> bool:
    return any(isinstance(a, Symbol) and a.name == _PATH for a in (one, other))


def _unite(one: Atom, other: Atom) -> Value:
    if isinstance(one, Table) and isinstance(other, Table):
        merged = {**dict(one.entries), **dict(other.entries)}
        return (Table(tuple(merged.items()), one.complete and other.complete),)
    return join([(one,), (other,)])


def _report_bulk(
    machine: Interpreter, kind: type[ast.operator], left: Value, right: Value, node: ast.AST
) -> None:
    try:
        size = estimate(kind, lower(left), lower(right))
    except NotConstant:
        size = _repeated(kind, left, right)
    if size >= (BULK_NUMBER_BYTES if kind in {ast.Pow, ast.LShift} else BULK_BYTES):
        machine.emit(Excess(node, "bulk", f"about {size:.0e} bytes"))


def _repeated(kind: type[ast.operator], left: Value, right: Value) -> float:
    """`[anything] * 10**12`, where the members do not matter."""
    if kind is not ast.Mult:
        return 0.0
    for one, other in ((left[0], right[0]), (right[0], left[0])):
        if isinstance(one, Items) and isinstance(other, Known) and isinstance(other.value, int):
            return len(one.values) * float(min(other.value, 10**30))
    return 0.0


def percent_text(template: Value, argument: Value) -> Value:
    """`template % argument`, as far as plain `%s` fields go."""
    texts = strings_of(template)
    if len(texts) != 1:
        return ANYTHING
    atom = argument[0] if len(argument) == 1 else None
    values = list(atom.values) if isinstance(atom, Items) and atom.kind == "tuple" else [argument]
    pieces = texts[0].split("%s")
    if len(pieces) != len(values) + 1 or any("%" in piece for piece in pieces):
        return join([ANYTHING])
    spread: list[Value] = [known(pieces[0])]
    for value, piece in zip(values, pieces[1:], strict=True):
        spread += [value, known(piece)]
    return concatenate(spread)
