"""Apply operators to abstract values."""

import ast
import itertools

from reverie.sandbox.safety.interpreter.events import Excess
from reverie.sandbox.safety.interpreter.folding import NotConstant, estimate, fold_binary, lower
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
from reverie.sandbox.safety.interpreter.texts import (
    MAX_COMBINATIONS,
    concatenate,
    join_parts,
    parts_of,
)
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_ITEMS,
    Atom,
    Items,
    Known,
    Symbol,
    Table,
    Text,
    Value,
    join,
    known,
    strings_of,
)

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
