"""What the parts of the interpreter ask of one another.

The interpreter walks over the source the way Python would run it, on abstract values, and
reports events. It never runs the code under check: it looks only.
"""

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Protocol

from reverie.sandbox.safety.interpreter.events import Arguments, Event, Role
from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import Function, Symbol, Value

LITERAL_NODES = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr)
"""Nobody needs to ask a literal for its class, except to walk on from there."""


class Flow(Enum):
    """How a block ends when the source leaves no doubt."""

    NEXT = auto()
    BREAK = auto()
    CONTINUE = auto()
    RETURN = auto()


class Interpreter(Protocol):
    """The state of one check and the ways to go on."""

    unrolled: int
    """How many unrolled loops we are in: there, a constant condition chooses its branch."""

    def evaluate(self, node: ast.expr, scope: Scope, role: Role = Role.VALUE) -> Value:
        """What an expression may evaluate to."""
        ...

    def execute(self, body: Sequence[ast.stmt], scope: Scope) -> Flow:
        """Run a block, dead code included."""
        ...

    def call(self, callee: Value, arguments: Arguments, node: ast.AST, scope: Scope) -> Value:
        """What calling the value may return."""
        ...

    def emit(self, event: Event) -> None:
        """Report a fact to the detectors."""
        ...

    def has_budget(self) -> bool:
        """Whether loops may still be unrolled and functions followed."""
        ...

    def define(self, function: Function) -> None:
        """Note a function, so that its body is looked at even when nobody calls it."""
        ...

    def enter(self, function: Function) -> bool:
        """Begin to follow a call; False when that would go too deep."""
        ...

    def leave(self) -> Value:
        """End a followed call: all that it may have returned or yielded."""
        ...

    def give_back(self, value: Value, *, yielded: bool = False) -> None:
        """Note what the function being followed returns or yields."""
        ...

    def run_payload(self, text: str, scope: Scope, node: ast.AST) -> None:
        """Look at source that is inside a string; what is found is reported at `node`."""
        ...


@dataclass(frozen=True, slots=True)
class CallSite:
    """One call of a symbol, for whoever models that symbol."""

    machine: Interpreter
    symbol: Symbol
    arguments: Arguments
    node: ast.AST
    scope: Scope

    def argument(self, position: int, keyword: str | None = None) -> Value | None:
        """One argument, by position or name."""
        return self.arguments.get(position, keyword)

    @property
    def positional(self) -> tuple[Value, ...]:
        """The arguments given by position."""
        return self.arguments.positional
