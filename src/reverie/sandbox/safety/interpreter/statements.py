"""Run statements on abstract values; both branches of every condition are looked at.

`try`, `with` and `match` bind names on their way.
"""

import ast
from collections.abc import Callable, Sequence
from typing import Any

from reverie.sandbox.safety.interpreter.attributes import find_member, get_attribute
from reverie.sandbox.safety.interpreter.folding import apply_operator
from reverie.sandbox.safety.interpreter.functions import (
    annotated_value,
    define_class,
    define_function,
)
from reverie.sandbox.safety.interpreter.interpreter import (
    Arguments,
    Excess,
    Flow,
    Import,
    Interpreter,
    Role,
)
from reverie.sandbox.safety.interpreter.knowledge import canonical
from reverie.sandbox.safety.interpreter.loops import (
    bind_target,
    delete_target,
    is_endless,
    run_for,
    run_while,
)
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import (
    ANYTHING,
    Instance,
    Items,
    Symbol,
    Value,
    join,
    members_of,
    symbol,
    truth,
)
from reverie.syntax.nodes import Function


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


Handler = Callable[[Interpreter, Any, Scope], Flow]
"""The node's type is the key under which the handler is listed."""


def execute_block(machine: Interpreter, body: Sequence[ast.stmt], scope: Scope) -> Flow:
    """Run the statements in order; what follows a jump is dead, and looked at all the same."""
    flow = Flow.NEXT
    for index, statement in enumerate(body):
        flow = execute_statement(machine, statement, scope)
        if flow is not Flow.NEXT:
            before = scope.snapshot()
            for dead in body[index + 1 :]:
                execute_statement(machine, dead, scope)
            if machine.unrolled:
                scope.variables = before
            return flow
    return flow


def execute_statement(machine: Interpreter, node: ast.stmt, scope: Scope) -> Flow:
    """Run one statement."""
    handler = _HANDLERS.get(type(node))
    if handler is not None:
        return handler(machine, node, scope)
    for child in ast.iter_child_nodes(node):  # a statement of a newer Python
        if isinstance(child, ast.expr):
            machine.evaluate(child, scope)
    return Flow.NEXT


def _expression(machine: Interpreter, node: ast.Expr, scope: Scope) -> Flow:
    machine.evaluate(node.value, scope)
    return Flow.NEXT


def _assign(machine: Interpreter, node: ast.Assign, scope: Scope) -> Flow:
    plain = all(isinstance(target, ast.Name) for target in node.targets)
    value = machine.evaluate(node.value, scope, Role.ALIAS if plain else Role.VALUE)
    for target in node.targets:
        bind_target(machine, target, value, scope)
    return Flow.NEXT


def _annotated(machine: Interpreter, node: ast.AnnAssign, scope: Scope) -> Flow:
    typed = annotated_value(machine, node.annotation, scope)
    if node.value is not None:
        value = machine.evaluate(node.value, scope, Role.ALIAS)
        bind_target(machine, node.target, value, scope)
    elif typed and isinstance(node.target, ast.Name):
        scope.bind(node.target.id, join([typed, ANYTHING]))
    return Flow.NEXT


def _augmented(machine: Interpreter, node: ast.AugAssign, scope: Scope) -> Flow:
    right = machine.evaluate(node.value, scope)
    left: Value = ANYTHING
    if isinstance(node.target, ast.Name):
        left = scope.lookup(node.target.id)
    elif isinstance(node.target, (ast.Attribute, ast.Subscript)):
        left = machine.evaluate(node.target, scope, Role.QUIET)
    value = apply_operator(machine, type(node.op), left, right, node)
    bind_target(machine, node.target, value, scope)
    return Flow.NEXT


def _delete(machine: Interpreter, node: ast.Delete, scope: Scope) -> Flow:
    for target in node.targets:
        delete_target(machine, target, scope)
    return Flow.NEXT


def _return(machine: Interpreter, node: ast.Return, scope: Scope) -> Flow:
    if node.value is not None:
        machine.give_back(machine.evaluate(node.value, scope))
    return Flow.RETURN


def _raise(machine: Interpreter, node: ast.Raise, scope: Scope) -> Flow:
    for part in (node.exc, node.cause):
        if part is not None:
            machine.evaluate(part, scope)
    return Flow.RETURN


def _assert(machine: Interpreter, node: ast.Assert, scope: Scope) -> Flow:
    machine.evaluate(node.test, scope, Role.QUIET)
    if node.msg is not None:
        machine.evaluate(node.msg, scope)
    return Flow.NEXT


def _import(machine: Interpreter, node: ast.Import, scope: Scope) -> Flow:
    for alias in node.names:
        machine.emit(Import(node, canonical(alias.name)))
        if alias.asname is not None:
            scope.bind(alias.asname, symbol(canonical(alias.name)))
        else:
            first = alias.name.partition(".")[0]
            scope.bind(first, symbol(canonical(first)))
    return Flow.NEXT


def _import_from(machine: Interpreter, node: ast.ImportFrom, scope: Scope) -> Flow:
    module = "." * node.level + (node.module or "")
    if module == "__future__":
        return Flow.NEXT
    machine.emit(Import(node, canonical(module)))
    for alias in node.names:
        if alias.name == "*":
            scope.stars.append(canonical(module))
            continue
        name = canonical(f"{module}.{alias.name}")
        machine.emit(Import(node, name))
        scope.bind(alias.asname or alias.name, symbol(name))
    return Flow.NEXT


def _if(machine: Interpreter, node: ast.If, scope: Scope) -> Flow:
    """Look at all branches; a chain of `elif` is walked, not recursed into."""
    before = scope.snapshot()
    branches: list[dict[str, Value]] = []
    certain: bool | None = True
    chosen: tuple[dict[str, Value], Flow] | None = None
    for test, body in _branches(node):
        scope.variables = dict(before)
        verdict = True
        if test is not None:
            verdict_of_test = truth(machine.evaluate(test, scope, Role.QUIET))
            certain = certain and verdict_of_test is not None
            verdict = bool(verdict_of_test)
            before = scope.snapshot()
        flow = machine.execute(body, scope)
        branches.append(scope.variables)
        if machine.unrolled and certain and verdict and chosen is None:
            chosen = (scope.variables, flow)
    if chosen is not None:
        scope.variables = chosen[0]
        return chosen[1]
    scope.merge(branches)
    return Flow.NEXT


def _branches(node: ast.If) -> list[tuple[ast.expr | None, list[ast.stmt]]]:
    found: list[tuple[ast.expr | None, list[ast.stmt]]] = [(node.test, node.body)]
    rest = node.orelse
    while len(rest) == 1 and isinstance(rest[0], ast.If):
        found.append((rest[0].test, rest[0].body))
        rest = rest[0].orelse
    return [*found, (None, rest)]


def _for(machine: Interpreter, node: ast.For | ast.AsyncFor, scope: Scope) -> Flow:
    run_for(machine, node, scope)
    return Flow.NEXT


def _while(machine: Interpreter, node: ast.While, scope: Scope) -> Flow:
    if is_endless(node, machine.evaluate(node.test, scope, Role.QUIET)):
        machine.emit(Excess(node, "loop", "nothing in it ends it"))
    run_while(machine, node, scope)
    return Flow.NEXT


def _function(machine: Interpreter, node: Function, scope: Scope) -> Flow:
    define_function(machine, node, scope, scope.owner)
    return Flow.NEXT


def _class(machine: Interpreter, node: ast.ClassDef, scope: Scope) -> Flow:
    define_class(machine, node, scope)
    return Flow.NEXT


def _global(_: Interpreter, node: ast.Global, scope: Scope) -> Flow:
    for name in node.names:
        scope.redirects[name] = scope.module
    return Flow.NEXT


def _nonlocal(_: Interpreter, node: ast.Nonlocal, scope: Scope) -> Flow:
    for name in node.names:
        outer = scope.parent
        while outer is not None and (outer.kind != "function" or name not in outer.variables):
            outer = outer.parent
        if outer is not None:
            scope.redirects[name] = outer
    return Flow.NEXT


def _break(_: Interpreter, __: ast.Break, ___: Scope) -> Flow:
    return Flow.BREAK


def _continue(_: Interpreter, __: ast.Continue, ___: Scope) -> Flow:
    return Flow.CONTINUE


_HANDLERS: dict[type[ast.stmt], Handler] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Delete: _delete,
    ast.Return: _return,
    ast.Raise: _raise,
    ast.Assert: _assert,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Try: run_try,
    ast.TryStar: run_try,
    ast.With: run_with,
    ast.AsyncWith: run_with,
    ast.Match: run_match,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Global: _global,
    ast.Nonlocal: _nonlocal,
    ast.Break: _break,
    ast.Continue: _continue,
}
