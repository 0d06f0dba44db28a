"""Tests without their assertions: what they still notice, they notice by crashing.

Everything that a test evaluates is still evaluated; nothing that it finds can fail it.
"""

import ast

from reverie.instruments.mutation.program import PLANTED

_FAILING = ("fail",)
_EXPECTING = ("raises", "warns", "assertRaises", "assertRaisesRegex", "assertWarns",
              "assertWarnsRegex", "deprecated_call", "assertLogs")  # fmt: skip
_PRELUDE = f"""
import contextlib as _contextlib
from unittest import mock as _mock

@_contextlib.contextmanager
def _quiet():
    try:
        yield
    except BaseException as error:
        if type(error) is RuntimeError and error.args == ({PLANTED!r},):
            raise
"""
"""Whatever was expected may happen or not; only what proves the instrument is let through."""


def strip_assertions(source: str) -> str:
    """The source of a test file in which nothing is asserted any more."""
    tree = _Stripper().visit(ast.parse(source))
    place = _after_future(tree)
    tree.body[place:place] = ast.parse(_PRELUDE).body
    return ast.unparse(ast.fix_missing_locations(tree))


def _after_future(tree: ast.Module) -> int:
    place = 0
    for number, node in enumerate(tree.body, start=1):
        is_words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if (number == 1 and is_words) or (
            isinstance(node, ast.ImportFrom) and node.module == "__future__"
        ):
            place = number
    return place


class _Stripper(ast.NodeTransformer):
    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        return ast.Expr(node.test)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        is_failure = node.exc is not None and "AssertionError" in ast.unparse(node.exc)
        return ast.Pass() if is_failure else node

    def visit_Expr(self, node: ast.Expr) -> ast.AST:
        call = node.value
        if not isinstance(call, ast.Call):
            return node
        name = _last(call.func)
        if name in _FAILING:
            return ast.Pass()
        values = [*call.args, *(each.value for each in call.keywords)]
        if name in _EXPECTING and len(call.args) > 1:
            return _suppressed([ast.Expr(ast.Call(call.args[1], call.args[2:], call.keywords))])
        if name.startswith("assert"):
            owner = [call.func.value] if isinstance(call.func, ast.Attribute) else []
            plain = [each.value if isinstance(each, ast.Starred) else each for each in values]
            return ast.Expr(ast.Tuple([*owner, *plain], ast.Load()))
        return node

    def visit_With(self, node: ast.With) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        kept = [each for each in node.items if not _expects(each)]
        if len(kept) == len(node.items):
            return node
        caught = [each.optional_vars for each in node.items if _expects(each)]
        names = [each for each in caught if each is not None]
        inner = _suppressed(node.body)
        return [*map(_anything, names), ast.With(kept, [inner]) if kept else inner]


def _anything(name: ast.expr) -> ast.stmt:
    """What was caught is looked at later: a stand-in that answers everything."""
    return ast.parse(f"{ast.unparse(name)} = _mock.MagicMock()").body[0]


def _suppressed(body: list[ast.stmt]) -> ast.With:
    call = ast.parse("_quiet()", mode="eval").body
    return ast.With([ast.withitem(call)], body)


def _expects(item: ast.withitem) -> bool:
    call = item.context_expr
    return isinstance(call, ast.Call) and _last(call.func) in _EXPECTING


def _last(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
