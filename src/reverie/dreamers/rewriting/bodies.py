"""What a function does apart from its words, and whether its answers can be remembered."""

import ast

from reverie.dreamers.rewriting.kinds import from_annotation
from reverie.dreamers.rewriting.scene import Function


def working_body(function: Function) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    return [each for each in function.body if not _is_words(each)]


def _is_words(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def has_keys(function: Function) -> bool:
    """Whether every parameter is annotated with something hashable."""
    given = function.args
    return are_keys([*given.posonlyargs, *given.args, *given.kwonlyargs])


def are_keys(parameters: list[ast.arg]) -> bool:
    """Whether there are any, and all are annotated with something hashable."""
    kinds = [from_annotation(each.annotation) for each in parameters]
    return bool(kinds) and all(kind is not None and kind.is_hashable for kind in kinds)


def returns_plain(function: Function) -> bool:
    """Whether what it returns can be handed out twice: it cannot be changed."""
    kind = from_annotation(function.returns)
    return kind is not None and kind.is_hashable
