"""What one file says by itself, before any other file is looked at; its lines and literals."""

import ast
from dataclasses import dataclass
from itertools import accumulate

from reverie.model.repository.code import Class, Function, ImportKind
from reverie.syntax.unparsing import unparse

_LONGEST_PIECE = 1000


class SourceLines:
    """The lines of a source in UTF-8, which is what the columns of a syntax tree count."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = source.splitlines()
        self._sums: list[int] | None = None

    @property
    def loc(self) -> int:
        """Lines that are neither blank nor only a comment."""
        return self.loc_between(1, len(self._lines))

    def loc_between(self, first: int, last: int) -> int:
        """The same for a span of lines, both ends included."""
        if self._sums is None:
            counted = (_holds_code(line) for line in self._lines)
            self._sums = list(accumulate(counted, initial=0))
        return self._sums[min(last, len(self._lines))] - self._sums[first - 1]

    def piece(self, node: ast.expr) -> str:
        """An expression as it is written, on one line."""
        if isinstance(node, ast.Name):
            return node.id
        if node.end_lineno == node.lineno:
            line = self._lines[node.lineno - 1]
            text = line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")
        else:
            text = _unparsed(node)
        return text if len(text) <= _LONGEST_PIECE else "..."


def _holds_code(line: bytes) -> bool:
    text = line.strip()
    return bool(text) and text[0] != 35  # "#"


def _unparsed(node: ast.expr) -> str:
    """What is spread over several lines, on one; `...` when it is nested too deeply for that."""
    try:
        return " ".join(unparse(node).split("\n"))
    except RecursionError:
        return "..."


LONGEST = 200
_CONTAINERS = (ast.List, ast.Tuple, ast.Set)
_MOST_NODES = 60


def literal_source(node: ast.expr, lines: SourceLines) -> str | None:
    """The literal as source; None for what is no literal, or too long to be of use."""
    if isinstance(node, ast.Constant):
        return constant_source(node.value)
    if not _is_literal(node):
        return None
    text = lines.piece(node)
    return text if len(text) <= LONGEST and text != "..." else None


def constant_source(value: object) -> str | None:
    """A constant of a syntax tree as source; None for `...` and for what is too long."""
    if value is ...:
        return None
    if isinstance(value, str | bytes) and len(value) > LONGEST:
        return None
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST:
        return None
    text = repr(value)
    return text if len(text) <= LONGEST and text not in ("inf", "infj") else None


def _is_literal(node: ast.expr) -> bool:
    pending: list[ast.expr | None] = [node]
    for _ in range(_MOST_NODES):
        if not pending:
            return True
        current = pending.pop()
        if isinstance(current, ast.Constant):
            continue
        if isinstance(current, _CONTAINERS):
            pending += current.elts
        elif isinstance(current, ast.Dict):
            pending += [*current.keys, *current.values]
        elif isinstance(current, ast.UnaryOp) and isinstance(current.op, ast.USub | ast.UAdd):
            pending.append(current.operand)
        else:
            return False
    return False


@dataclass(frozen=True, slots=True)
class RawImport:
    """One imported name as it is written."""

    level: int
    """Leading dots."""
    module: str
    """What follows the dots; empty in `from . import name`."""
    name: str | None
    """The name taken out of the module; None for a plain import, `*` for a star."""
    bound: str
    """The name it has here afterwards; empty for a star."""
    line: int
    kind: ImportKind


@dataclass(frozen=True, slots=True)
class RawCall:
    """A call whose callee is a dotted name that this file binds, or a method of `self`."""

    target: str
    line: int
    literals: tuple[str, ...]
    caller: str
    in_doctest: bool = False


@dataclass(frozen=True, slots=True)
class FileFacts:
    """Everything the index keeps of one file. With an `error` the rest is empty but for `loc`."""

    loc: int
    docstring: str | None = None
    functions: tuple[Function, ...] = ()
    classes: tuple[Class, ...] = ()
    imports: tuple[RawImport, ...] = ()
    calls: tuple[RawCall, ...] = ()
    literals: tuple[str, ...] = ()
    strings: tuple[str, ...] = ()
    """String literals that could name a module."""
    names: tuple[str, ...] = ()
    """Names bound at the level of the module, imports left out."""
    declared: tuple[str, ...] | None = None
    """The names in `__all__`; None when there is none that can be read."""
    declared_from: tuple[str, ...] = ()
    """Dotted names whose own `__all__` is part of this one."""
    has_main_block: bool = False
    error: str | None = None
