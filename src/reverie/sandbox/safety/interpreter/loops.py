"""Run loops: member by member where the source fixes them, otherwise once for all members."""

import ast

from reverie.sandbox.safety.interpreter.events import Role
from reverie.sandbox.safety.interpreter.interpreter import Flow, Interpreter
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.targets import bind_target
from reverie.sandbox.safety.interpreter.values import Value, items_of, members_of, truth

MAX_UNROLLED = 128
_HARMLESS = frozenset({"print", "len", "str", "range", "list"})
_GROWTH = frozenset({"append", "extend", "add", "update", "insert", "write", "start", "put"}) | {
    "Thread",
    "Process",
    "Timer",
}


def run_for(machine: Interpreter, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
    """`for` over what the source fixes, or over anything."""
    source = machine.evaluate(node.iter, scope)
    items = items_of(source)
    if items is not None and 0 < len(items) <= MAX_UNROLLED and machine.has_budget():
        _unroll(machine, node, items, scope)
    else:
        _once(machine, node, members_of(source), scope)
    machine.execute(node.orelse, scope)


def _unroll(
    machine: Interpreter, node: ast.For | ast.AsyncFor, items: list[Value], scope: Scope
) -> None:
    machine.unrolled += 1
    for item in items:
        bind_target(machine, node.target, item, scope)
        if machine.execute(node.body, scope) is Flow.BREAK or not machine.has_budget():
            break
    machine.unrolled -= 1


def _once(machine: Interpreter, node: ast.For | ast.AsyncFor, member: Value, scope: Scope) -> None:
    """A second round lets what the first one left behind reach the top of the body."""
    before = scope.snapshot()
    exact, machine.unrolled = machine.unrolled, 0
    for _ in range(1 if exact else 2):
        bind_target(machine, node.target, member, scope)
        machine.execute(node.body, scope)
        scope.merge([before, scope.variables])
        if not machine.has_budget() or not _carries(before, scope.variables):
            break
    machine.unrolled = exact


def _carries(before: dict[str, Value], after: dict[str, Value]) -> bool:
    return any(after.get(name) is not value for name, value in before.items())


def run_while(machine: Interpreter, node: ast.While, scope: Scope) -> None:
    """`while` as long as the condition is a constant, then once for whatever comes."""
    machine.unrolled += 1
    flow, rounds = Flow.NEXT, 0
    while rounds < MAX_UNROLLED and flow is not Flow.BREAK and machine.has_budget():
        verdict = truth(machine.evaluate(node.test, scope, Role.QUIET))
        if verdict is not True or isinstance(node.test, ast.Constant):
            break
        flow = machine.execute(node.body, scope)
        rounds += 1
    machine.unrolled -= 1
    if rounds == 0:
        before = scope.snapshot()
        exact, machine.unrolled = machine.unrolled, 0
        machine.execute(node.body, scope)
        scope.merge([before, scope.variables])
        machine.unrolled = exact
    machine.execute(node.orelse, scope)


def is_endless(node: ast.While, test: Value) -> bool:
    """Whether the loop plainly never ends: always true, no exit, nothing that could raise."""
    if not isinstance(node.test, ast.Constant) or truth(test) is not True:
        return False
    return all(_stays(inner) for statement in node.body for inner in ast.walk(statement))


def _stays(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return node.func.attr in _GROWTH
        return isinstance(node.func, ast.Name) and node.func.id in _HARMLESS
    exits = (ast.Break, ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Await, ast.Assert)
    return not isinstance(node, (*exits, ast.Subscript, ast.With, ast.Import, ast.ImportFrom))


def calls_itself_first(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether the function plainly calls itself before anything could stop it."""
    for statement in node.body:
        if not isinstance(statement, (ast.Expr, ast.Assign, ast.Return)):
            return False
        if statement.value is not None and _always_calls(statement.value, node.name):
            return True
        if isinstance(statement, ast.Return):
            return False
    return False


def _always_calls(node: ast.AST, name: str) -> bool:
    if isinstance(node, (ast.Lambda, ast.IfExp, ast.BoolOp, ast.Yield, ast.YieldFrom)):
        return False
    if isinstance(node, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
        return False
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name:
        return True
    return any(_always_calls(child, name) for child in ast.iter_child_nodes(node))
