"""The interpreter: one check's state, its bounds, and the way between its parts."""

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from reverie.sandbox.safety.interpreter.calls import call_value
from reverie.sandbox.safety.interpreter.expressions import evaluate_expression
from reverie.sandbox.safety.interpreter.functions import analyse_function
from reverie.sandbox.safety.interpreter.interpreter import Arguments, Event, Flow, Role
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.statements import execute_block
from reverie.sandbox.safety.interpreter.values import MAX_ITEMS, Function, Items, Value, join
from reverie.sandbox.safety.source import parse

MAX_STEPS = 40_000
"""Past this many expressions and statements no loop is unrolled and no call followed."""
MAX_DEPTH = 12
MAX_NESTING = 60
"""Deeper than this calls are not followed: Python's own stack has to last."""
MAX_FOLLOWED = 24
MAX_PAYLOAD_DEPTH = 3


class _Frame:
    """What one followed call has given back so far."""

    __slots__ = ("returned", "yielded")

    def __init__(self) -> None:
        self.returned: list[Value] = []
        self.yielded: list[Value] = []


class Machine:
    """Walks over one module and reports what it sees. See `Interpreter` for the contract."""

    def __init__(self, report: Callable[[Event], None]) -> None:
        self._report = report
        self._steps = 0
        self._nesting = 0
        self._frames: list[_Frame] = []
        self._followed: dict[ast.AST, int] = {}
        self._functions: list[Function] = []
        self._payloads: list[ast.AST] = []
        self._texts: set[tuple[str, int]] = set()
        self.unrolled = 0

    def run(self, tree: ast.Module) -> None:
        """Look at a whole module: what it runs, then every function as if anybody called it."""
        self.execute(tree.body, Scope("module"))
        analysed = 0
        while analysed < len(self._functions):
            function = self._functions[analysed]
            analysed += 1
            self.unrolled = 0
            analyse_function(self, function)

    def evaluate(self, node: ast.expr, scope: Scope, role: Role = Role.VALUE) -> Value:
        """What an expression may evaluate to."""
        self._steps += 1
        self._nesting += 1
        value = evaluate_expression(self, node, scope, role)
        self._nesting -= 1
        return value

    def execute(self, body: Sequence[ast.stmt], scope: Scope) -> Flow:
        """Run a block, dead code included."""
        self._steps += 1 + len(body)
        self._nesting += 1
        flow = execute_block(self, body, scope)
        self._nesting -= 1
        return flow

    def call(self, callee: Value, arguments: Arguments, node: ast.AST, scope: Scope) -> Value:
        """What calling the value may return."""
        return call_value(self, callee, arguments, node, scope)

    def emit(self, event: Event) -> None:
        """Report a fact; inside a payload, at the place that runs the payload."""
        self._report(replace(event, node=self._payloads[0]) if self._payloads else event)

    def has_budget(self) -> bool:
        """Whether loops may still be unrolled and functions followed."""
        return self._steps < MAX_STEPS

    def define(self, function: Function) -> None:
        """Note a function, so that its body is looked at even when nobody calls it."""
        if self._payloads:
            analyse_function(self, function)
        elif self._followed.setdefault(function.node, 0) <= MAX_FOLLOWED:
            self._functions.append(function)

    def enter(self, function: Function) -> bool:
        """Begin to follow a call; False when that would go too deep or on for too long."""
        count = self._followed.get(function.node, 0)
        if count and (not self.has_budget() or count > MAX_FOLLOWED):
            return False
        if len(self._frames) >= MAX_DEPTH or self._nesting > MAX_NESTING:
            return False
        self._followed[function.node] = count + 1
        self._frames.append(_Frame())
        return True

    def leave(self) -> Value:
        """End a followed call: all that it may have returned or yielded."""
        frame = self._frames.pop()
        if frame.yielded:
            return (Items("list", tuple(frame.yielded[:MAX_ITEMS])),)
        return join(frame.returned)

    def give_back(self, value: Value, *, yielded: bool = False) -> None:
        """Note what the function being followed returns or yields."""
        if self._frames:
            frame = self._frames[-1]
            (frame.yielded if yielded else frame.returned).append(value)

    def run_payload(self, text: str, scope: Scope, node: ast.AST) -> None:
        """Look at source that is inside a string; what is found is reported at `node`."""
        key = (text, id(node))
        if len(self._payloads) >= MAX_PAYLOAD_DEPTH or key in self._texts:
            return
        tree = parse(text.strip())
        if tree is None:
            return
        self._texts.add(key)
        self._payloads.append(node)
        self.execute(tree.body, scope if scope.kind == "module" else Scope("function", scope))
        self._payloads.pop()
