"""What the body of a function does, apart from its words."""

import ast

from reverie.dreamers.rewriting.scene import Function


def working_body(function: Function) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    return [each for each in function.body if not _is_words(each)]


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
