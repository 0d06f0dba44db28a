"""Python source with the positions of its nodes, and edits that leave all else as it is.

An edit names a span and its new text, so comments, blank lines and habits of the author outside
the span stay byte for byte.
"""

import ast
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_module

_STANDARD = sys.stdlib_module_names


@dataclass(frozen=True, slots=True)
class Edit:
    """New text for a span of bytes; an empty span inserts."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Edits:
    """One coherent change of a source: spans that do not overlap, and names to import."""

    edits: tuple[Edit, ...]
    imports: frozenset[tuple[str, str]] = field(default_factory=frozenset)
    """Module and name: `("collections", "deque")`."""


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node stands: lines from 1, columns in bytes."""

    line: int
    column: int
    end_line: int
    end_column: int

    @classmethod
    def of(cls, node: ast.AST) -> "_Place":
        match node:
            case ast.stmt() | ast.expr() | ast.arg() | ast.keyword():
                end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
                return cls(node.lineno, node.col_offset, *end)
        raise TypeError(f"{type(node).__name__} has no place in the text")


class Source:
    """A module's text and tree."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tree = parse_module(text)
        self._bytes = text.encode()
        self._starts = [0]
        for line in self._bytes.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def span(self, node: ast.AST) -> tuple[int, int]:
        """First byte of a node, and the byte after its last."""
        place = _Place.of(node)
        return self._starts[place.line - 1] + place.column, (
            self._starts[place.end_line - 1] + place.end_column
        )

    def of(self, node: ast.AST) -> str:
        """The text of a node, as it was written."""
        start, end = self.span(node)
        return self._bytes[start:end].decode()

    def lines(self, first: int, last: int) -> list[str]:
        """Whole lines from 1, the last one too, as they were written."""
        start, end = self._starts[first - 1], self._starts[min(last, len(self._starts) - 1)]
        return [line.decode() for line in self._bytes[start:end].splitlines(keepends=True)]

    def relined(self, first: int, last: int, lines: Iterable[str]) -> Edit:
        """Whole lines, the last one too, written otherwise."""
        end = self._starts[min(last, len(self._starts) - 1)]
        return Edit(self._starts[first - 1], end, "".join(lines))

    def line_of(self, node: ast.AST) -> int:
        """Where the line of a node begins."""
        return self._starts[_Place.of(node).line - 1]

    def indent_of(self, node: ast.AST) -> str:
        """The white space in front of a statement."""
        line = self._bytes[self.line_of(node) : self.span(node)[0]]
        return line[: len(line) - len(line.lstrip())].decode()

    def remarks_above(self, node: ast.AST) -> list[str]:
        """Lines of comment right above a statement, the first without its indentation."""
        line = first = _Place.of(node).line
        while first > 1 and self.lines(first - 1, first - 1)[0].lstrip().startswith("#"):
            first -= 1
        found = [each.rstrip("\n") for each in self.lines(first, line - 1)] if first < line else []
        return [found[0].lstrip(), *found[1:]] if found else []

    def replaced(self, node: ast.AST, text: str) -> Edit:
        """A node, written otherwise."""
        return Edit(*self.span(node), text)

    def before(self, statement: ast.stmt, *lines: str) -> Edit:
        """Lines in front of a statement, indented like it."""
        indent, start = self.indent_of(statement), self.line_of(_outermost(statement))
        text = "".join(f"{indent}{line}\n" if line else "\n" for line in lines)
        return Edit(start, start, text)

    def after(self, statement: ast.stmt, *lines: str) -> Edit:
        """Lines behind a statement and a remark on its last line, indented like it."""
        indent, end = self.indent_of(statement), self.span(statement)[1]
        stop = self._bytes.find(b"\n", end)
        if stop >= 0 and self._bytes[end:stop].lstrip().startswith(b"#"):
            end = stop
        return Edit(end, end, "".join(f"\n{indent}{line}" for line in lines))

    def removed(self, statement: ast.stmt) -> Edit:
        """A statement gone, with its line when nothing else stands on it."""
        start, end = self.span(statement)
        line, stop = self.line_of(statement), self._bytes.find(b"\n", end)
        stop = len(self._bytes) if stop < 0 else stop + 1
        alone = not self._bytes[line:start].strip() and not self._bytes[end:stop].strip()
        return Edit(line, stop, "") if alone else Edit(start, end, "pass")

    def without_head(self, head: ast.stmt, body: list[ast.stmt]) -> str | None:
        """A body as it stands where its head did; None where a text of several lines would move."""
        start, end = self.span(body[0])[0], self.span(body[-1])[1]
        first, *others = self._bytes[start:end].decode().split("\n")
        if others and any(map(self.is_long_text, body)):
            return None
        by = len(self.indent_of(body[0])) - len(self.indent_of(head))
        return "\n".join([first, *(line[by:] for line in others)])

    def is_long_text(self, node: ast.AST) -> bool:
        """Whether a text of several lines is in it: it cannot be moved to another indentation."""
        return any(
            isinstance(each, ast.Constant | ast.JoinedStr) and each.lineno != each.end_lineno
            for each in ast.walk(node)
        )

    def applied(self, change: Edits) -> str | None:
        """The whole text with the change made; None when its spans overlap or it is no Python."""
        text, last = self._bytes, len(self._bytes) + 1
        for edit in sorted(change.edits, key=lambda edit: (edit.start, edit.end), reverse=True):
            if edit.end > last:
                return None
            text = text[: edit.start] + edit.text.encode() + text[edit.end :]
            last = edit.start
        try:
            return _with_imports(text.decode(), change.imports)
        except (SyntaxError, ValueError, RecursionError):
            return None


def _outermost(statement: ast.stmt) -> ast.AST:
    decorators = getattr(statement, "decorator_list", None)
    return decorators[0] if decorators else statement


def _with_imports(text: str, wanted: Iterable[tuple[str, str]]) -> str:
    """The imports that are not there yet, each where a reader would look for it."""
    tree = parse_module(text)
    had = {
        (node.module, alias.name)
        for node in tree.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname is None
    }
    for module, name in sorted(set(wanted) - had):
        parts = text.splitlines(keepends=True)
        position = _sorted_line(tree, module)
        blank: list[str] = []
        if position is None:
            position = _import_line(tree)
            blank = ["\n"] if position and not _is_import(tree, position) else []
        line = f"from {module} import {name}\n"
        text = "".join((*parts[:position], *blank, line, *parts[position:]))
        tree = parse_module(text)
    return text


def _sorted_line(tree: ast.Module, module: str) -> int | None:
    """Among the imports of the standard library at the top; None when there are none."""
    position = None
    for node in tree.body:
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        if not isinstance(node, ast.Import | ast.ImportFrom):
            break
        named = node.module or "" if isinstance(node, ast.ImportFrom) else node.names[0].name
        is_near = isinstance(node, ast.ImportFrom) and node.level > 0
        if is_near or named == "__future__" or named.partition(".")[0] not in _STANDARD:
            continue
        if isinstance(node, ast.ImportFrom) and named > module:
            return node.lineno - 1
        position = node.end_lineno
    return position


def _import_line(tree: ast.Module) -> int:
    """After the last import at the top; after the docstring when there is none."""
    line = 0
    for index, node in enumerate(tree.body):
        is_docstring = index == 0 and isinstance(node, ast.Expr)
        if isinstance(node, ast.Import | ast.ImportFrom) or (
            is_docstring and isinstance(getattr(node, "value", None), ast.Constant)
        ):
            line = node.end_lineno or line
        else:
            break
    return line


def _is_import(tree: ast.Module, line: int) -> bool:
    return any(
        isinstance(node, ast.Import | ast.ImportFrom) and node.end_lineno == line
        for node in tree.body
    )


def statements_of(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Statements in order with those inside them; functions and classes are not looked into."""
    for statement in body:
        yield statement
        if isinstance(statement, Function | ast.ClassDef):
            continue
        for field_name in ("body", "orelse", "finalbody"):
            yield from statements_of(getattr(statement, field_name, None) or [])
        for handler in getattr(statement, "handlers", ()):
            yield from statements_of(handler.body)
