"""What the interpreter saw, as events for detectors, and what its parts ask of one another.

The interpreter walks over the source the way Python would run it, on abstract values, and
reports events. It never runs the code under check: it looks only.
"""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Protocol

from reverie.sandbox.safety.interpreter.scope import Scope
from reverie.sandbox.safety.interpreter.values import Function, Parts, Symbol, Value
from reverie.sandbox.safety.rule import Access


class Role(Enum):
    """What an expression is evaluated for."""

    VALUE = auto()  # it goes somewhere as a whole
    ALIAS = auto()  # it gets another name
    CALLEE = auto()  # it is called
    BASE = auto()  # something is looked up on it: that lookup is what counts
    QUIET = auto()  # it is only compared with, or stands for a type


@dataclass(frozen=True, slots=True)
class Arguments:
    """The arguments of a call. `open_ended`: there may be others (`*args`, a callback)."""

    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = field(default_factory=dict)
    open_ended: bool = False

    def get(self, position: int | None, keyword: str | None) -> Value | None:
        """The argument at a position or by its name."""
        if keyword is not None and keyword in self.keywords:
            return self.keywords[keyword]
        if position is not None and position < len(self.positional):
            return self.positional[position]
        return None


@dataclass(frozen=True, slots=True)
class Reference:
    """A symbol is reached."""

    node: ast.AST
    symbol: str
    role: Role


@dataclass(frozen=True, slots=True)
class Invocation:
    """A symbol is called."""

    node: ast.AST
    symbol: Symbol
    arguments: Arguments


@dataclass(frozen=True, slots=True)
class Import:
    """A module, or a member of one, is imported."""

    node: ast.AST
    name: str


@dataclass(frozen=True, slots=True)
class AttributeUse:
    """An attribute is reached on any object. `then` is the attribute reached on that one."""

    node: ast.AST
    name: str
    then: str | None = None


@dataclass(frozen=True, slots=True)
class Assignment:
    """A symbol is replaced or deleted."""

    node: ast.AST
    symbol: str


@dataclass(frozen=True, slots=True)
class Dynamic:
    """A namespace is asked for a name that only the run will know."""

    node: ast.AST
    symbol: str


@dataclass(frozen=True, slots=True)
class FormatUse:
    """A format string reaches attributes, in this order."""

    node: ast.AST
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FileAccess:
    """A file is read, written or deleted."""

    node: ast.AST
    symbol: str
    access: Access
    path: Parts


@dataclass(frozen=True, slots=True)
class Excess:
    """Memory or time without end: `bulk`, `loop`, `recursion`."""

    node: ast.AST
    what: str
    detail: str


Event = (
    Reference
    | Invocation
    | Import
    | AttributeUse
    | Assignment
    | Dynamic
    | FormatUse
    | FileAccess
    | Excess
)


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
