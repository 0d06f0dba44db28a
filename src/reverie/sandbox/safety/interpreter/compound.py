"""Run `try`, `with` and `match`: the statements that bind names on their way."""

import ast

from reverie.sandbox.safety.interpreter.attributes import find_member, get_attribute
from reverie.sandbox.safety.interpreter.events import Arguments, Role
from reverie.sandbox.safety.interpreter.interpreter import Flow, Interpreter
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.targets import bind_target
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Instance,
    Items,
    Symbol,
    Value,
    members_of,
    symbol,
)


def run_try(machine: Interpreter, node: ast.Try | ast.TryStar, scope: Scope) -> Flow:
    """Handlers start from wherever the body may have stopped."""
    before = scope.snapshot()
    machine.execute(node.body, scope)
    after = scope.snapshot()
    scope.merge([before, after])
    entry = scope.variables
    scope.variables = dict(after)
    machine.execute(node.orelse, scope)
    branches = [scope.variables]
    for handler in node.handlers:
        scope.variables = dict(entry)
        if handler.type is not None:
            machine.evaluate(handler.type, scope, Role.QUIET)
        if handler.name is not None:
            scope.bind(handler.name, symbol("<exception>"))
        machine.execute(handler.body, scope)
        branches.append(scope.variables)
    scope.merge(branches)
    machine.execute(node.finalbody, scope)
    return Flow.NEXT


def run_with(machine: Interpreter, node: ast.With | ast.AsyncWith, scope: Scope) -> Flow:
    """Bind what the context managers give, then run the body."""
    for item in node.items:
        value = machine.evaluate(item.context_expr, scope)
        if item.optional_vars is not None:
            bind_target(machine, item.optional_vars, _entered(machine, item, value, scope), scope)
    return machine.execute(node.body, scope)


def _entered(machine: Interpreter, item: ast.withitem, value: Value, scope: Scope) -> Value:
    """What `__enter__` gives: the folder of a temporary directory, what a generator yields."""
    atom = value[0] if len(value) == 1 else None
    if isinstance(atom, Symbol) and atom.name == "tempfile.TemporaryDirectory()" and atom.text:
        return (Symbol("pathlib.Path()", atom.text),)
    if isinstance(atom, Instance) and find_member(atom.of, "__enter__") is not None:
        method = get_attribute(machine, value, "__enter__", item.context_expr)
        return machine.call(method, Arguments(), item.context_expr, scope)
    return members_of(value) if isinstance(atom, Items) else value


def run_match(machine: Interpreter, node: ast.Match, scope: Scope) -> Flow:
    """Every case is looked at, each from the same start."""
    subject = machine.evaluate(node.subject, scope)
    before = scope.snapshot()
    branches = [before]
    for case in node.cases:
        scope.variables = dict(before)
        for inner in ast.walk(case.pattern):
            if isinstance(inner, ast.expr):
                machine.evaluate(inner, scope, Role.QUIET)
            name = getattr(inner, "name", None) or getattr(inner, "rest", None)
            if isinstance(name, str):
                scope.bind(name, subject if inner is case.pattern else ANYTHING)
        if case.guard is not None:
            machine.evaluate(case.guard, scope, Role.QUIET)
        machine.execute(case.body, scope)
        branches.append(scope.variables)
    scope.merge(branches)
    return Flow.NEXT
