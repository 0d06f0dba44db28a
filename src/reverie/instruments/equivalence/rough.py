"""Calls whose floats do not add up exactly: the order and the way of summation then show."""

import ast
import copy
import itertools
from collections.abc import Iterator

from reverie.instruments.equivalence.changes import ascii_source
from reverie.model.call import Call, Expression

_SUMS = (
    (0.1, 0.2, 0.3, 0.7, 1.1, 0.6),
    (1e16, 1.0, -1e16, 0.1, 3.3, 1.0),
    (-0.1, 1 / 3, 0.7, 1000.0, 2.675, 1.1),
)
_LENGTHS = (3, 6, 6)


def rough_calls(call: Call) -> Iterator[Call]:
    """The call with rough floats, its lists of one length of three and more."""
    trees = [_parsed(each) for each in call.args]
    if not any(tree is not None and _has_float(tree) for tree in trees):
        return
    for values, length in zip(_SUMS, _LENGTHS, strict=True):
        args = tuple(
            given if tree is None else given.replaced(_roughened(given, values, length))
            for given, tree in zip(call.args, trees, strict=True)
        )
        yield Call(args, call.kwargs, call.receiver)


def _roughened(given: Expression, values: tuple[float, ...], length: int) -> str:
    tree = ast.parse(given.source, mode="eval")
    return ascii_source(_Roughen(values, length).visit(tree))


def _parsed(expression: Expression) -> ast.expr | None:
    """The syntax of a plain literal."""
    try:
        tree = ast.parse(expression.source, mode="eval").body
        ast.literal_eval(tree)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    return tree


def _has_float(tree: ast.AST) -> bool:
    return any(
        isinstance(each, ast.Constant) and type(each.value) is float for each in ast.walk(tree)
    )


class _Roughen(ast.NodeTransformer):
    """Lists and dicts with floats in them get the length, every float the next rough value."""

    def __init__(self, values: tuple[float, ...], length: int) -> None:
        self.values = itertools.cycle(values)
        self.length = length

    def visit_List(self, node: ast.List) -> ast.AST:
        """As many items, copied in turn."""
        if node.elts and not all(isinstance(each, ast.List) for each in node.elts):
            items = itertools.islice(itertools.cycle(map(ast.unparse, node.elts)), self.length)
            node = ast.List([ast.parse(each, mode="eval").body for each in items], ast.Load())
        return self.generic_visit(node)

    def visit_Dict(self, node: ast.Dict) -> ast.AST:
        """As many entries where the keys are texts, the further ones under new names."""
        missing = range(len(node.keys), self.length)
        if node.keys and all(_is_text(each) for each in node.keys) and _has_float(node.values[0]):
            node.keys += [ast.Constant(f"k{number}") for number in missing]
            node.values += [copy.deepcopy(node.values[0]) for _ in missing]
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """A negative float is one value."""
        return self.visit(node.operand) if _has_float(node) else node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """The next value."""
        return ast.Constant(next(self.values)) if type(node.value) is float else node


def _is_text(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
