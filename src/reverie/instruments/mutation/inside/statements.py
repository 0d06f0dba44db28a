"""What can be changed in a statement: each operator gives replacements for one node."""

import ast
from collections.abc import Callable, Iterator

from .words import ARITHMETIC, is_none, operation_name


def _assign(node: ast.Assign) -> "Iterator[tuple[str, ast.AST]]":
    if not isinstance(node.targets[0], (ast.Tuple, ast.List)):
        yield "assign", ast.Assign(node.targets, ast.Constant("" if is_none(node.value) else None))


def _annotated(node: ast.AnnAssign) -> "Iterator[tuple[str, ast.AST]]":
    if node.value is not None:
        value = ast.Constant("" if is_none(node.value) else None)
        yield "assign", ast.AnnAssign(node.target, node.annotation, value, node.simple)


def _augmented(node: ast.AugAssign) -> "Iterator[tuple[str, ast.AST]]":
    yield "augmented_assign", ast.Assign([_stored(node.target)], node.value)
    other = ARITHMETIC.get(type(node.op))
    if other is not None:
        name = f"augmented_{operation_name(node.op)}_{operation_name(other())}"
        yield name, ast.AugAssign(node.target, other(), node.value)


def _augmented_all(node: ast.AugAssign) -> "Iterator[tuple[str, ast.AST]]":
    for other in ARITHMETIC:
        if other not in (type(node.op), ARITHMETIC.get(type(node.op))):
            name = f"augmented_{operation_name(node.op)}_{operation_name(other())}"
            yield name, ast.AugAssign(node.target, other(), node.value)


def _stored(target: "ast.Name | ast.Attribute | ast.Subscript") -> ast.expr:
    return target


def _return(node: ast.Return) -> "Iterator[tuple[str, ast.AST]]":
    if node.value is not None and not is_none(node.value):
        yield "return_none", ast.Return(ast.Constant(None))


def _expression(node: ast.Expr) -> "Iterator[tuple[str, ast.AST]]":
    if isinstance(node.value, (ast.Call, ast.Await)):
        yield "drop_call", ast.Pass()


def _raise(node: ast.Raise) -> "Iterator[tuple[str, ast.AST]]":
    yield "drop_raise", ast.Pass()


def _break(node: ast.Break) -> "Iterator[tuple[str, ast.AST]]":
    yield "break_continue", ast.Continue()
    yield "break_return", ast.Return(None)


def _continue(node: ast.Continue) -> "Iterator[tuple[str, ast.AST]]":
    yield "continue_break", ast.Break()


def _match(node: ast.Match) -> "Iterator[tuple[str, ast.AST]]":
    if len(node.cases) > 1:
        for place in range(len(node.cases)):
            rest = node.cases[:place] + node.cases[place + 1 :]
            yield "drop_case", ast.Match(node.subject, rest)


OPERATORS: "dict[type, tuple[Callable[..., Iterator[tuple[str, ast.AST]]], ...]]" = {
    ast.Assign: (_assign,),
    ast.AnnAssign: (_annotated,),
    ast.AugAssign: (_augmented,),
    ast.Return: (_return,),
    ast.Expr: (_expression,),
    ast.Raise: (_raise,),
    ast.Break: (_break,),
    ast.Continue: (_continue,),
    ast.Match: (_match,),
}
EXHAUSTIVE: "dict[type, tuple[Callable[..., Iterator[tuple[str, ast.AST]]], ...]]" = {
    ast.AugAssign: (_augmented_all,),
}
