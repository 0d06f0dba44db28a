"""Walks a syntax tree and knows at every place what names stand for there."""

import ast
from contextlib import ExitStack

from reverie.index.orphans.bindings import Bindings


class ScopedVisitor(ast.NodeVisitor):
    """Loops bind their variables, functions hide what their parameters are called."""

    def __init__(self) -> None:
        self.bindings = Bindings()

    def visit_For(self, node: ast.For) -> None:
        """Its variables stand for what it goes over."""
        self._looped(node)

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        """As any other loop."""
        self._looped(node)

    def visit_ListComp(self, node: ast.ListComp) -> None:
        """A loop that makes a list."""
        self._comprehended(node.generators, node.elt)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        """A loop that makes a set."""
        self._comprehended(node.generators, node.elt)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """A loop that makes one after the other."""
        self._comprehended(node.generators, node.elt)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """A loop that makes a mapping."""
        self._comprehended(node.generators, node.key, node.value)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Its parameters are not known."""
        with self.bindings.scope(node.args):
            self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        """As any other function."""
        with self.bindings.scope(node.args):
            self.generic_visit(node)

    def _looped(self, node: ast.For | ast.AsyncFor) -> None:
        self.visit(node.iter)
        with self.bindings.looping(node.target, node.iter):
            for statement in (*node.body, *node.orelse):
                self.visit(statement)

    def _comprehended(self, generators: list[ast.comprehension], *made: ast.expr) -> None:
        with ExitStack() as stack:
            for each in generators:
                self.visit(each.iter)
                stack.enter_context(self.bindings.looping(each.target, each.iter))
                for condition in each.ifs:
                    self.visit(condition)
            for part in made:
                self.visit(part)
