"""Call methods of strings, lists, dictionaries and namespaces."""

import ast
import string
from collections.abc import Sequence

from reverie.sandbox.safety.interpreter.events import Arguments, FormatUse
from reverie.sandbox.safety.interpreter.folding import NotConstant, fold_method, is_decoded
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
from reverie.sandbox.safety.interpreter.operators import apply_operator
from reverie.sandbox.safety.interpreter.texts import concatenate, parts_of, separate
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Atom,
    Items,
    Known,
    Namespace,
    Table,
    Text,
    Value,
    items_of,
    join,
    known,
    members_of,
    strings_of,
    symbol,
)

_OPERATORS: dict[str, type[ast.operator]] = {
    "__add__": ast.Add,
    "__mod__": ast.Mod,
    "__mul__": ast.Mult,
    "__or__": ast.BitOr,
    "__pow__": ast.Pow,
}


def call_method(
    machine: Interpreter, receiver: Atom, name: str, arguments: Arguments, node: ast.AST
) -> Value | None:
    """What the method may return; None when nothing is known about it."""
    positional = arguments.positional
    if name in _OPERATORS and positional:
        return apply_operator(machine, _OPERATORS[name], (receiver,), positional[0], node)
    if isinstance(receiver, Namespace):
        return _namespace_method(receiver, name, arguments)
    if name in {"format", "format_map"} and isinstance(receiver, (Known, Text)):
        return format_text(machine, (receiver,), name, arguments, node)
    if name == "join" and isinstance(receiver, (Known, Text)) and positional:
        return _join(receiver, positional[0])
    try:
        return fold_method((receiver,), name, positional)
    except NotConstant:
        return _container_method(receiver, name, positional)


def _join(receiver: Atom, argument: Value) -> Value:
    try:
        return fold_method((receiver,), "join", [argument])
    except NotConstant:
        items = items_of(argument)
        if items is None:
            return ANYTHING
        return separate((receiver,), items)


def _container_method(receiver: Atom, name: str, positional: Sequence[Value]) -> Value | None:
    if isinstance(receiver, Table):
        return _table_method(receiver, name, positional)
    if isinstance(receiver, Items) and name == "pop":
        return members_of((receiver,))
    if isinstance(receiver, (Items, Table)) and name == "copy":
        return (receiver,)
    return None


def _table_method(receiver: Table, name: str, positional: Sequence[Value]) -> Value | None:
    if name in {"get", "pop", "setdefault", "__getitem__"} and positional:
        wanted = [atom.value for atom in positional[0] if isinstance(atom, Known)]
        exact = len(wanted) == len(positional[0])
        found = [v for key, v in receiver.entries if key in wanted or not exact]
        fallback = positional[1] if len(positional) > 1 else known(None)
        return join(found) if found and exact else join([*found, fallback])
    if name == "values":
        return (Items("list", tuple(value for _, value in receiver.entries)),)
    if name == "items":
        pairs = [(Items("tuple", (known(key), value)),) for key, value in receiver.entries]
        return (Items("list", tuple(pairs)),)
    return None


def _namespace_method(receiver: Namespace, name: str, arguments: Arguments) -> Value | None:
    scope, positional = receiver.scope, arguments.positional
    if name in {"get", "pop", "setdefault", "__getitem__"} and positional:
        return join([scope.lookup(text) for text in strings_of(positional[0])])
    if name == "__setitem__" and len(positional) > 1:
        for text in strings_of(positional[0]):
            scope.bind(text, positional[1])
        return known(None)
    if name == "update":
        tables = [atom for value in positional for atom in value if isinstance(atom, Table)]
        pairs = [(key, value) for table in tables for key, value in table.entries]
        for key, value in [*pairs, *arguments.keywords.items()]:
            scope.bind(str(key), value)
        return known(None)
    if name in {"values", "items"}:
        return symbol("<namespace>")
    return None


def format_text(
    machine: Interpreter, template: Value, name: str, arguments: Arguments, node: ast.AST
) -> Value:
    """`template.format(...)`: the attributes it reaches, and the text as far as it is known."""
    results: list[Value] = []
    for atom in template:
        text = "".join(part or "" for part in parts_of(atom))
        try:
            fields = list(string.Formatter().parse(text))
        except ValueError:
            continue
        _report_fields(machine, fields, node)
        if isinstance(atom, Known) and name == "format":
            results.append(_fill(fields, arguments, decoded=is_decoded((atom,))))
    return join(results)


_Field = tuple[str, str | None, str | None, str | None]


def _report_fields(machine: Interpreter, fields: list[_Field], node: ast.AST) -> None:
    for _, field, spec, _ in fields:
        names = attribute_names(field or "")
        if names:
            machine.emit(FormatUse(node, names))
        if spec and "{" in spec:
            try:
                _report_fields(machine, list(string.Formatter().parse(spec)), node)
            except (ValueError, RecursionError):
                continue


def attribute_names(field: str) -> tuple[str, ...]:
    """`0.a[b].c` reaches `a` and `c`."""
    pieces = field.replace("[", ".[").split(".")[1:]
    return tuple(piece for piece in pieces if piece and not piece.startswith("["))


def _fill(fields: list[_Field], arguments: Arguments, *, decoded: bool) -> Value:
    """Put the arguments where plain fields are; anything fancier is an unknown stretch."""
    spread: list[Value] = []
    counter = 0
    for literal, field, spec, conversion in fields:
        spread.append(known(literal, decoded=decoded))
        if field is None:
            continue
        value: Value | None = None
        if not field:
            value = arguments.get(counter, None)
            counter += 1
        elif field.isdigit() and len(field) < 4:
            value = arguments.get(int(field), None)
        elif field.isidentifier():
            value = arguments.get(None, field)
        spread.append(value if value and not spec and conversion in (None, "s") else ANYTHING)
    return concatenate(spread)
