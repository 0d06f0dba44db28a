"""Expressions that code has doubts about: what it may ask of them can fail, so it is not moved.

    doubted = asked_of(function)     # texts of expressions, to hold others against

Reading an attribute early does not matter, except where somebody asks first whether there is one.
"""

import ast
from collections.abc import Iterator

_QUESTIONS = frozenset({"isinstance", "issubclass", "hasattr", "getattr", "callable", "type", "id"})


def asked_of(node: ast.AST) -> frozenset[str]:
    """What is asked for its truth, its type or whether it is None; parts of it, too."""
    return frozenset(ast.dump(each) for each in _asked(node))


def _asked(node: ast.AST) -> Iterator[ast.expr]:
    for each in ast.walk(node):
        match each:
            case (
                ast.If(test=test)
                | ast.IfExp(test=test)
                | ast.While(test=test)
                | ast.Assert(test=test)
                | ast.UnaryOp(op=ast.Not(), operand=test)
            ):
                yield test
            case ast.BoolOp(values=tests) | ast.comprehension(ifs=tests):
                yield from tests
            case ast.Compare(left=left, comparators=others) if any(
                isinstance(side, ast.Constant) and side.value is None for side in (left, *others)
            ):
                yield from (left, *others)
            case ast.Call(func=ast.Name(id=name), args=[first, *_]) if name in _QUESTIONS:
                yield first
            case ast.Match(subject=subject) | ast.NamedExpr(target=subject):
                yield subject
