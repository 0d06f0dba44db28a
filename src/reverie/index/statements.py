"""Which lines of a source can be run, as a tracer would see them."""

import ast
import re
import warnings
from collections.abc import Iterator
from dataclasses import dataclass

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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(source)
            marked = {n for n, line in enumerate(text.splitlines(), 1) if _PRAGMA.search(line)}
            return tuple(sorted(_walk(tree, marked), key=lambda each: each.line))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _walk(node: ast.AST, marked: set[int]) -> Iterator[Statement]:
    for block in _blocks(node):
        for position, child in enumerate(block):
            own = _own_lines(child)
            if own is not None:
                if marked.intersection(range(own.line, own.last_line + 1)):
                    continue
                if not _is_skipped(node, child, position):
                    yield own
            yield from _walk(child, marked)


def _blocks(node: ast.AST) -> Iterator[list[ast.AST]]:
    for name in ("body", "handlers", "orelse", "finalbody", "cases"):
        block = getattr(node, name, None)
        if isinstance(block, list):
            yield block


def _own_lines(node: ast.AST) -> Statement | None:
    """The lines of a statement, an `except` or a `case` that no inner statement has."""
    last: int | None
    if isinstance(node, ast.match_case):
        first, last = node.pattern.lineno, node.pattern.end_lineno
    elif isinstance(node, ast.stmt | ast.ExceptHandler):
        decorators = getattr(node, "decorator_list", [])
        first = min([node.lineno, *(each.lineno for each in decorators)])
        last = node.end_lineno
    else:
        return None
    inner = [getattr(each, "lineno", None) for block in _blocks(node) for each in block[:1]]
    if isinstance(node, ast.Match):
        inner = [node.cases[0].pattern.lineno]
    ends = [line - 1 for line in inner if line is not None]
    return Statement(first, max(first, min(ends, default=last or first)))


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
