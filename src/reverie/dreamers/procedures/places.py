"""Places in a function where something can be changed, found again in a fresh copy of it."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_NESTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


@dataclass(frozen=True, slots=True)
class Place:
    """A statement: the number of its block, and its number in there."""

    block: int
    index: int


def blocks(node: _Function) -> list[list[ast.stmt]]:
    """Every list of statements of a function, nested functions apart; its own body first."""
    return list(_blocks(node))


def _blocks(node: ast.AST) -> Iterator[list[ast.stmt]]:
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        if isinstance(block, list) and block and isinstance(block[0], ast.stmt):
            yield block
            for statement in block:
                if not isinstance(statement, _NESTED):
                    yield from _blocks(statement)
    for handler in getattr(node, "handlers", ()):
        yield from _blocks(handler)
    for case in getattr(node, "cases", ()):
        yield from _blocks(case)


def statements(node: _Function) -> Iterator[tuple[Place, ast.stmt]]:
    """Every statement with its place, docstrings apart."""
    for number, block in enumerate(blocks(node)):
        for index, statement in enumerate(block):
            if not is_text(statement):
                yield Place(number, index), statement


def is_text(statement: ast.stmt) -> bool:
    """Whether it is a docstring, or any constant on its own."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Everything in a function's own body, not in functions and classes inside it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, _NESTED):
            continue
        yield child
        yield from own_nodes(child)


def is_generator(node: _Function) -> bool:
    """Whether calling it gives an iterator."""
    return any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own_nodes(node))


def parameters(node: _Function) -> list[ast.arg]:
    """What it takes by name."""
    return [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]


def after_docstring(node: _Function) -> int:
    """Where the first statement that does something stands."""
    return int(is_text(node.body[0]))
