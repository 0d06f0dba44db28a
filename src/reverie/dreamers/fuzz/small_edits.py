"""Sources with one small edit in a function: what a person would try first when it is wrong.

A slip is most often one operator, bound, constant or option away from what was meant, so every
planted fault of mutation testing is also a candidate for a repair; a few slips have none.
"""

import ast
from collections.abc import Iterator

from reverie.instruments.mutation.mutant_texts import mutants_of
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_module

MOST = 150


def small_edits(source: str, qualname: str) -> tuple[str, ...]:
    """The whole source once for each edit, the smallest first."""
    function = _function(source, qualname)
    if function is None:
        return ()
    lines = source.splitlines(keepends=True)
    start = sum(map(len, lines[: function.body[0].lineno - 1]))
    end = sum(map(len, lines[: function.end_lineno]))
    found = [*_slips(source, function), *mutants_of(source)]
    inside = [each for each in dict.fromkeys(found) if _is_inside(source, each, start, end)]
    return tuple(sorted(inside, key=lambda each: _size(source, each))[:MOST])


def _function(source: str, qualname: str) -> Function | None:
    """The function of a name, methods by the name of their class."""
    body: list[ast.stmt] = parse_module(source).body
    *classes, name = qualname.split(".")
    for each in classes:
        body = next((n.body for n in body if isinstance(n, ast.ClassDef) and n.name == each), [])
    return next((n for n in body if isinstance(n, Function) and n.name == name), None)


def _slips(source: str, function: Function) -> Iterator[str]:
    """Orders that are the wrong way round, and divisions that cut off instead of rounding."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and _called(node) in ("sorted", "sort"):
            given = {each.arg for each in node.keywords}
            if "reverse" not in given:
                comma = ", " if node.args or node.keywords else ""
                yield _replaced(source, node, f"{_text(source, node)[:-1]}{comma}reverse=True)")
        elif isinstance(node, ast.Call) and _called(node) == "int" and len(node.args) == 1:
            yield _replaced(source, node, f"round({_text(source, node.args[0])})")
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv):
            parts = _text(source, node.left), _text(source, node.right)
            yield _replaced(source, node, f"round({parts[0]} / {parts[1]})")
            yield _replaced(source, node, f"-(-{parts[0]} // {parts[1]})")


def _called(node: ast.Call) -> str:
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _text(source: str, node: ast.expr) -> str:
    return ast.get_source_segment(source, node) or ""


def _replaced(source: str, node: ast.expr, text: str) -> str:
    lines = source.encode().splitlines(keepends=True)
    first = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    last = sum(map(len, lines[: (node.end_lineno or 0) - 1])) + (node.end_col_offset or 0)
    return (source.encode()[:first] + text.encode() + source.encode()[last:]).decode()


def _edges(before: str, after: str) -> tuple[int, int]:
    """How much both begin with, and how much both end with."""
    most = min(len(before), len(after))
    head = next((i for i in range(most) if before[i] != after[i]), most)
    tail = next((i for i in range(most - head) if before[-1 - i] != after[-1 - i]), most - head)
    return head, tail


def _is_inside(before: str, after: str, start: int, end: int) -> bool:
    head, tail = _edges(before, after)
    return head >= start and len(before) - tail <= end


def _size(before: str, after: str) -> tuple[int, str]:
    head, tail = _edges(before, after)
    return max(len(before), len(after)) - head - tail, after
