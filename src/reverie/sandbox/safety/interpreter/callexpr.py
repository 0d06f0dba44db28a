"""Evaluate call expressions: who is called, with what, and what that changes."""

import ast

from reverie.sandbox.safety.interpreter.calls import COMPARING
from reverie.sandbox.safety.interpreter.events import Arguments, Role
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_ITEMS,
    Constant,
    Items,
    Known,
    Symbol,
    Table,
    Value,
    items_of,
    join,
)


def evaluate_call(machine: Interpreter, node: ast.Call, scope: Scope) -> Value:
    """What the call may return."""
    callee = machine.evaluate(node.func, scope, Role.CALLEE)
    quiet = any(isinstance(a, Symbol) and a.name in COMPARING for a in callee)
    arguments = _arguments(machine, node, scope, Role.QUIET if quiet else Role.VALUE)
    _mutate(node.func, arguments, scope)
    return machine.call(callee, arguments, node, scope)


def _arguments(machine: Interpreter, node: ast.Call, scope: Scope, role: Role) -> Arguments:
    positional: list[Value] = []
    keywords: dict[str, Value] = {}
    open_ended = False
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            items = items_of(machine.evaluate(argument.value, scope, role))
            open_ended = open_ended or items is None
            positional += items or []
        else:
            positional.append(machine.evaluate(argument, scope, role))
    for keyword in node.keywords:
        value = machine.evaluate(keyword.value, scope, role)
        if keyword.arg is not None:
            keywords[keyword.arg] = value
            continue
        tables = [atom for atom in value if isinstance(atom, Table)]
        open_ended = open_ended or len(tables) < len(value) or not all(t.complete for t in tables)
        for table in tables:
            keywords.update({str(name): entry for name, entry in table.entries})
    return Arguments(tuple(positional), keywords, open_ended)


def _mutate(func: ast.expr, arguments: Arguments, scope: Scope) -> None:
    """`name.append(x)` and its like change what the variable holds."""
    if not isinstance(func, ast.Attribute) or not isinstance(func.value, ast.Name):
        return
    name = func.value.id
    held = scope.variables.get(name)
    if held is None or len(held) != 1:
        return
    changed = _changed(held, func.attr, arguments)
    if changed is not None:
        scope.bind(name, changed)


def _changed(held: Value, method: str, arguments: Arguments) -> Value | None:
    atom = held[0]
    if isinstance(atom, Items) and len(atom.values) < MAX_ITEMS:
        return _changed_items(atom, method, arguments.positional)
    if isinstance(atom, Table) and method == "setdefault" and len(arguments.positional) == 2:
        key, value = arguments.positional
        known_keys = [a.value for a in key if isinstance(a, Known)]
        return (Table((*atom.entries, *((name, value) for name in known_keys)), atom.complete),)
    if isinstance(atom, Table) and method == "update":
        entries: dict[Constant, Value] = dict(atom.entries)
        complete = atom.complete
        for value in arguments.positional:
            tables = [a for a in value if isinstance(a, Table)]
            complete = complete and len(tables) == len(value)
            for table in tables:
                entries.update(dict(table.entries))
        entries.update(arguments.keywords)
        return (Table(tuple(entries.items()), complete),)
    return None


def _changed_items(atom: Items, method: str, positional: tuple[Value, ...]) -> Value | None:
    values = list(atom.values)
    if method in {"append", "add", "appendleft"} and positional:
        values = [positional[0], *values] if method == "appendleft" else [*values, positional[0]]
    elif method == "extend" and positional:
        items = items_of(positional[0])
        values += items if items is not None else [ANYTHING]
    elif method == "insert" and len(positional) == 2:
        index = positional[0][0]
        place = index.value if isinstance(index, Known) and isinstance(index.value, int) else 0
        values.insert(place, positional[1])
    elif method == "reverse":
        values.reverse()
    elif method in {"pop", "remove", "clear", "sort"}:
        return join([(atom,), ANYTHING]) if method != "clear" else (Items(atom.kind, ()),)
    else:
        return None
    return (Items(atom.kind, tuple(values[:MAX_ITEMS])),)
