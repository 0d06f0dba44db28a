"""Bind values to the targets of assignments, loops and `with`."""

import ast

from reverie.sandbox.safety.interpreter.events import (
    Arguments,
    Assignment,
    AttributeUse,
    Invocation,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.interpreter import Interpreter
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    MAX_ITEMS,
    Class,
    Function,
    Instance,
    Items,
    Known,
    Namespace,
    Symbol,
    Table,
    Value,
    items_of,
    join,
    members_of,
    strings_of,
)


def bind_target(machine: Interpreter, target: ast.expr, value: Value, scope: Scope) -> None:
    """Assign a value to whatever stands left of the equals sign."""
    if isinstance(target, ast.Name):
        scope.bind(target.id, value)
    elif isinstance(target, ast.Attribute):
        base = machine.evaluate(target.value, scope, Role.BASE)
        store_attribute(machine, base, target.attr, value, target)
    elif isinstance(target, ast.Subscript):
        _store_item(machine, target, value, scope)
    elif isinstance(target, ast.Starred):
        bind_target(machine, target.value, (Items("list", (members_of(value),)),), scope)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(machine, target.elts, value, scope)


def _unpack(machine: Interpreter, targets: list[ast.expr], value: Value, scope: Scope) -> None:
    items = items_of(value)
    starred = [i for i, target in enumerate(targets) if isinstance(target, ast.Starred)]
    if items is None or (not starred and len(items) != len(targets)) or len(starred) > 1:
        for target in targets:
            bind_target(machine, target, members_of(value), scope)
        return
    if starred:
        first, after = starred[0], len(targets) - starred[0] - 1
        middle = items[first : len(items) - after]
        rest: Value = (Items("list", tuple(middle)),)
        items = [*items[:first], rest, *items[len(items) - after :]]
    for target, item in zip(targets, items, strict=False):
        if isinstance(target, ast.Starred):
            target = target.value
        bind_target(machine, target, item, scope)


def store_attribute(
    machine: Interpreter, base: Value, name: str, value: Value, node: ast.AST
) -> None:
    """`base.name = value`; on a symbol it replaces what others use."""
    machine.emit(AttributeUse(node, name))
    for atom in base:
        if isinstance(atom, Symbol):
            machine.emit(Assignment(node, canonical(f"{atom.name}.{name}")))
        elif isinstance(atom, (Class, Function, Instance)):
            owner = atom.of if isinstance(atom, Instance) else atom
            owner.attributes[name] = join([owner.attributes.get(name, ()), value])


def _store_item(machine: Interpreter, target: ast.Subscript, value: Value, scope: Scope) -> None:
    base = machine.evaluate(target.value, scope, Role.BASE)
    key = machine.evaluate(target.slice, scope)
    for atom in base:
        if isinstance(atom, Symbol):
            report_item_change(machine, atom, "__setitem__", Arguments((key, value)), target)
        elif isinstance(atom, Namespace):
            for name in strings_of(key):
                atom.scope.bind(name, value)
    if isinstance(target.value, ast.Name) and any(isinstance(a, (Items, Table)) for a in base):
        scope.bind(target.value.id, join([_with_item((atom,), key, value) for atom in base]))


def report_item_change(
    machine: Interpreter, atom: Symbol, method: str, arguments: Arguments, node: ast.AST
) -> None:
    """An item of something outside the file is set or deleted."""
    setter = Symbol(canonical(f"{atom.name}.{method}"))
    machine.emit(Reference(node, setter.name, Role.CALLEE))
    machine.emit(Invocation(node, setter, arguments))
    if atom.name == "builtins" or atom.name.endswith(".__dict__"):
        owner = atom.name.removesuffix(".__dict__")
        for name in strings_of(arguments.positional[0]) or ["*"]:
            machine.emit(Assignment(node, canonical(f"{owner}.{name}")))


def _with_item(base: Value, key: Value, value: Value) -> Value:
    atom = base[0]
    constant = key[0].value if len(key) == 1 and isinstance(key[0], Known) else None
    if isinstance(atom, Table) and len(atom.entries) < MAX_ITEMS:
        if constant is None:
            return (Table(atom.entries, complete=False),)
        return (Table(tuple({**dict(atom.entries), constant: value}.items()), atom.complete),)
    if isinstance(atom, Items):
        if isinstance(constant, int) and -len(atom.values) <= constant < len(atom.values):
            values = list(atom.values)
            values[constant] = value
            return (Items(atom.kind, tuple(values)),)
        return join([base, ANYTHING])
    return base


def delete_target(machine: Interpreter, target: ast.expr, scope: Scope) -> None:
    """`del target`."""
    if isinstance(target, ast.Name):
        scope.unbind(target.id)
    elif isinstance(target, ast.Attribute):
        base = machine.evaluate(target.value, scope, Role.BASE)
        store_attribute(machine, base, target.attr, ANYTHING, target)
    elif isinstance(target, ast.Subscript):
        key = machine.evaluate(target.slice, scope)
        for atom in machine.evaluate(target.value, scope, Role.BASE):
            if isinstance(atom, Symbol):
                report_item_change(machine, atom, "__delitem__", Arguments((key,)), target)
    elif isinstance(target, (ast.Tuple, ast.List)):
        for element in target.elts:
            delete_target(machine, element, scope)
