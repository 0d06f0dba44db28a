"""Which lines of a source can be run, as a tracer would see them."""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.syntax.parsing import NOT_PYTHON, fresh_quietly

_PRAGMA = re.compile(r"#\s*pragma:?\s*no\s*cover", re.IGNORECASE)
_NEVER_RUN = (ast.Global, ast.Nonlocal)


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement without the statements inside it: a trace of any of its lines is one of it."""

    line: int
    last_line: int


def statements_of(source: bytes | str) -> tuple[Statement, ...] | None:
    """Every statement that can be run; None when the source does not parse.

    Docstrings and declarations cannot be run; what `# pragma: no cover` marks is left out.
    """
    text = source if isinstance(source, str) else source.decode("utf-8", "replace")
    try:
        tree = fresh_quietly(source)
        marked = {n for n, line in enumerate(text.splitlines(), 1) if _PRAGMA.search(line)}
        return tuple(sorted(_walk(tree, marked), key=lambda each: each.line))
    except NOT_PYTHON:
        return None


def _walk(node: ast.AST, marked: set[int]) -> Iterator[Statement]:
    for block in _blocks(node):
        for position, child in enumerate(block):
            own = _own_lines(child)
            if any(marked.intersection(range(each.line, each.last_line + 1)) for each in own):
                continue
            if not _is_skipped(node, child, position):
                yield from own
            yield from _walk(child, marked)


def _blocks(node: ast.AST) -> Iterator[list[ast.AST]]:
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _own_lines(node: ast.AST) -> tuple[Statement, ...]:
    """The lines of a statement, an `except` or a `case` that no inner statement has.

    Every decorator is run by itself, before what it decorates.
    """
    if isinstance(node, ast.match_case):
        first = node.pattern.lineno
        return (Statement(first, max(first, _end(node, node.pattern.end_lineno))),)
    if not isinstance(node, ast.stmt | ast.ExceptHandler):
        return ()
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    above = (Statement(each.lineno, each.end_lineno or each.lineno) for each in decorators)
    return (*above, Statement(node.lineno, max(node.lineno, _end(node, node.end_lineno))))


def _end(node: ast.AST, last: int | None) -> int:
    """Where a statement's own lines end: before the first of the statements in it."""
    inner = [each for block in _blocks(node) for each in block[:1]]
    starts = [
        each.pattern.lineno if isinstance(each, ast.match_case) else getattr(each, "lineno", 0)
        for each in inner
    ]
    return min((start - 1 for start in starts), default=last or 0)


def _is_skipped(parent: ast.AST, child: ast.AST, position: int) -> bool:
    if isinstance(child, _NEVER_RUN):
        return True
    opens = isinstance(parent, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
    is_text = (
        isinstance(child, ast.Expr)
        and isinstance(child.value, ast.Constant)
        and isinstance(child.value.value, str)
    )
    return opens and position == 0 and is_text
