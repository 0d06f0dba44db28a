"""Evaluate expressions on abstract values."""

import ast
from collections.abc import Callable
from typing import Any

from reverie.sandbox.safety.interpreter.attributes import get_attribute, get_item
from reverie.sandbox.safety.interpreter.calls import evaluate_call
from reverie.sandbox.safety.interpreter.folding import (
    NotConstant,
    apply_operator,
    fold_compare,
    fold_item,
    fold_unary,
    lower,
)
from reverie.sandbox.safety.interpreter.functions import make_lambda
from reverie.sandbox.safety.interpreter.interpreter import (
    LITERAL_NODES,
    Interpreter,
    Reference,
    Role,
)
from reverie.sandbox.safety.interpreter.loops import (
    Comprehension,
    bind_target,
    evaluate_comprehension,
)
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
    concatenate,
    items_of,
    join,
    known,
    symbol,
    symbols_of,
)

Handler = Callable[[Interpreter, Any, Scope, Role], Value]
"""The node's type is the key under which the handler is listed."""


def evaluate_expression(machine: Interpreter, node: ast.expr, scope: Scope, role: Role) -> Value:
    """What the expression may evaluate to; symbols it reaches are reported."""
    handler = _HANDLERS.get(type(node))
    if handler is None:
        return _evaluate_children(machine, node, scope)
    value = handler(machine, node, scope, role)
    if role is not Role.QUIET and role is not Role.BASE and type(node) in _REACHING:
        for atom in value:
            if isinstance(atom, Symbol) and not atom.name.endswith("()"):
                machine.emit(Reference(node, atom.name, role))
    return value


_REACHING = frozenset({ast.Name, ast.Attribute, ast.Subscript, ast.Call})


def _evaluate_children(machine: Interpreter, node: ast.AST, scope: Scope) -> Value:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            machine.evaluate(child, scope)
    return ANYTHING


def _constant(_: Interpreter, node: ast.Constant, __: Scope, ___: Role) -> Value:
    return known(node.value)


def _name(_: Interpreter, node: ast.Name, scope: Scope, __: Role) -> Value:
    return scope.lookup(node.id)


def _attribute(machine: Interpreter, node: ast.Attribute, scope: Scope, role: Role) -> Value:
    return chain_attribute(machine, node, scope, None)


def chain_attribute(
    machine: Interpreter, node: ast.Attribute, scope: Scope, then: str | None
) -> Value:
    """`a.b.c` from the left; each step knows what is reached next."""
    if node.attr == "__class__" and isinstance(node.value, LITERAL_NODES):
        return symbol("<literal>")
    if isinstance(node.value, ast.Attribute):
        base = chain_attribute(machine, node.value, scope, node.attr)
    else:
        base = machine.evaluate(node.value, scope, Role.BASE)
    return get_attribute(machine, base, node.attr, node, then)


def _subscript(machine: Interpreter, node: ast.Subscript, scope: Scope, role: Role) -> Value:
    base = machine.evaluate(node.value, scope, Role.BASE)
    if isinstance(node.slice, ast.Slice):
        return _slice(machine, base, node.slice, scope)
    quiet = role if role is Role.QUIET else Role.VALUE
    key = machine.evaluate(node.slice, scope, quiet)
    return get_item(machine, base, key, node, scope)


def _slice(machine: Interpreter, base: Value, node: ast.Slice, scope: Scope) -> Value:
    bounds = [
        machine.evaluate(bound, scope) if bound is not None else known(None)
        for bound in (node.lower, node.upper, node.step)
    ]
    results: list[Value] = []
    for atom in base:
        if isinstance(atom, Symbol):
            results.append((atom,))
            continue
        try:
            window = slice(*(lower(bound) for bound in bounds))
            if isinstance(atom, Items):
                results.append((Items(atom.kind, atom.values[window]),))
            else:
                results.append(fold_item((atom,), window))
        except (NotConstant, TypeError, ValueError):
            results.append(ANYTHING)
    return join(results)


def _fstring(machine: Interpreter, node: ast.JoinedStr, scope: Scope, _: Role) -> Value:
    pieces: list[Value] = []
    for piece in node.values:
        if isinstance(piece, ast.FormattedValue):
            value = machine.evaluate(piece.value, scope, Role.VALUE)
            if piece.format_spec is not None:
                machine.evaluate(piece.format_spec, scope)
            plain = piece.format_spec is None and piece.conversion in (-1, ord("s"))
            pieces.append(value if plain else ANYTHING)
        else:
            pieces.append(machine.evaluate(piece, scope))
    return concatenate(pieces)


def _binary(machine: Interpreter, node: ast.BinOp, scope: Scope, role: Role) -> Value:
    """Long chains lean to the left: they are walked, not recursed into."""
    chain: list[ast.BinOp] = []
    inner: ast.expr = node
    while isinstance(inner, ast.BinOp):
        chain.append(inner)
        inner = inner.left
    quiet = role if role is Role.QUIET else Role.VALUE
    value = machine.evaluate(inner, scope, quiet)
    for operation in reversed(chain):
        right = machine.evaluate(operation.right, scope, quiet)
        value = apply_operator(machine, type(operation.op), value, right, operation)
    return value


def _unary(machine: Interpreter, node: ast.UnaryOp, scope: Scope, _: Role) -> Value:
    operand = machine.evaluate(node.operand, scope, Role.QUIET)
    try:
        return fold_unary(type(node.op), operand)
    except NotConstant:
        return ANYTHING


def _compare(machine: Interpreter, node: ast.Compare, scope: Scope, _: Role) -> Value:
    left = machine.evaluate(node.left, scope, Role.QUIET)
    rights = [machine.evaluate(right, scope, Role.QUIET) for right in node.comparators]
    if len(rights) != 1:
        return ANYTHING
    try:
        return fold_compare(type(node.ops[0]), left, rights[0])
    except NotConstant:
        return ANYTHING


def _boolean(machine: Interpreter, node: ast.BoolOp, scope: Scope, role: Role) -> Value:
    return join([machine.evaluate(value, scope, role) for value in node.values])


def _conditional(machine: Interpreter, node: ast.IfExp, scope: Scope, role: Role) -> Value:
    machine.evaluate(node.test, scope, Role.QUIET)
    branches = (node.body, node.orelse)
    return join([machine.evaluate(branch, scope, role) for branch in branches])


def _sequence(
    machine: Interpreter, node: ast.List | ast.Tuple | ast.Set, scope: Scope, role: Role
) -> Value:
    quiet = role if role is Role.QUIET else Role.VALUE
    members: list[Value] = []
    exact = True
    for element in node.elts:
        if isinstance(element, ast.Constant):
            members.append(known(element.value))
        elif isinstance(element, ast.Starred):
            inner = items_of(machine.evaluate(element.value, scope, quiet))
            exact = exact and inner is not None
            members += inner or []
        else:
            members.append(machine.evaluate(element, scope, quiet))
    if not exact or len(members) > MAX_ITEMS:
        return join([(Items("list", tuple(members[:MAX_ITEMS])),), ANYTHING])
    if isinstance(node, ast.Tuple):
        return (Items("tuple", tuple(members)),)
    return (Items("list" if isinstance(node, ast.List) else "set", tuple(members)),)


def _plain(node: ast.expr) -> Value:
    """Long tables are mostly constants: those need no walk."""
    return known(node.value) if isinstance(node, ast.Constant) else ()


def _dictionary(machine: Interpreter, node: ast.Dict, scope: Scope, role: Role) -> Value:
    entries: dict[Constant, Value] = {}
    copied: list[Symbol] = []
    complete = len(node.keys) <= MAX_ITEMS
    for key_node, value_node in zip(node.keys, node.values, strict=True):
        value = _plain(value_node) or machine.evaluate(value_node, scope, Role.VALUE)
        if key_node is None:
            tables = [atom for atom in value if isinstance(atom, Table)]
            complete = complete and len(tables) == len(value) and all(t.complete for t in tables)
            for table in tables:
                entries.update(dict(table.entries))
            copied += symbols_of(value)
            continue
        key = _plain(key_node) or machine.evaluate(key_node, scope, Role.VALUE)
        if len(key) == 1 and isinstance(key[0], Known) and len(entries) < MAX_ITEMS:
            entries[key[0].value] = value
        else:
            complete = False
    return join([(Table(tuple(entries.items()), complete),), tuple(copied)])


def _walrus(machine: Interpreter, node: ast.NamedExpr, scope: Scope, _: Role) -> Value:
    value = machine.evaluate(node.value, scope, Role.ALIAS)
    outer = scope
    while outer.kind == "comprehension" and outer.parent is not None:
        outer = outer.parent
    bind_target(machine, node.target, value, outer)
    return value


def _lambda(machine: Interpreter, node: ast.Lambda, scope: Scope, _: Role) -> Value:
    return make_lambda(machine, node, scope)


def _transparent(
    machine: Interpreter, node: ast.Await | ast.Starred, scope: Scope, role: Role
) -> Value:
    return machine.evaluate(node.value, scope, role)


def _yield(machine: Interpreter, node: ast.Yield | ast.YieldFrom, scope: Scope, _: Role) -> Value:
    if node.value is not None:
        value = machine.evaluate(node.value, scope, Role.VALUE)
        members = items_of(value) if isinstance(node, ast.YieldFrom) else [value]
        for member in members or [ANYTHING]:
            machine.give_back(member, yielded=True)
    return ANYTHING


def _call(machine: Interpreter, node: ast.Call, scope: Scope, _: Role) -> Value:
    return evaluate_call(machine, node, scope)


def _comprehension(machine: Interpreter, node: Comprehension, scope: Scope, _: Role) -> Value:
    return evaluate_comprehension(machine, node, scope)


_HANDLERS: dict[type[ast.expr], Handler] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.Subscript: _subscript,
    ast.JoinedStr: _fstring,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.IfExp: _conditional,
    ast.List: _sequence,
    ast.Tuple: _sequence,
    ast.Set: _sequence,
    ast.Dict: _dictionary,
    ast.NamedExpr: _walrus,
    ast.Lambda: _lambda,
    ast.Await: _transparent,
    ast.Starred: _transparent,
    ast.Yield: _yield,
    ast.YieldFrom: _yield,
    ast.Call: _call,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.GeneratorExp: _comprehension,
    ast.DictComp: _comprehension,
}
