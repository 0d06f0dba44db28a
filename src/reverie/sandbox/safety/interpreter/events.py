"""What the interpreter saw: the facts that detectors compare with rules."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto

from reverie.sandbox.safety.interpreter.texts import Parts
from reverie.sandbox.safety.interpreter.values import Symbol, Value
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
