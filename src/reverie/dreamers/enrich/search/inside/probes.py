"""The module under test with probes in it, which tell which ways are taken.

Only the bodies of functions are probed, so that importing costs nothing. A way is a number; the
two ways of a condition are an even number (it holds) and the odd one after it (it does not). The
edge of a comparison, where both sides are equal, is the negative number of its way.
"""

import ast
from typing import Any

from .recording import ASKED, ASKING, COMPARED, FOUND, HAS, IS_OF, LOOKED_UP, ORDERED, TRUTH

_OPERATORS: "dict[type[ast.cmpop], str]" = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
    ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}  # fmt: skip


class Way:
    """Where a way lies: the function, the line, and whether it is half of a condition."""

    __slots__ = ("is_condition", "line", "scope")

    def __init__(self, scope: str, line: int, is_condition: bool) -> None:
        self.scope = scope
        self.line = line
        self.is_condition = is_condition


def probed(tree: ast.Module) -> "tuple[ast.Module, dict[int, Way]]":
    """A module's tree with probes, and where each way lies."""
    probing = _Probing()
    changed = ast.fix_missing_locations(probing.visit(tree))
    return changed, probing.ways


class _Probing(ast.NodeTransformer):
    """Puts probes into a module's tree and knows where each way lies."""

    def __init__(self) -> None:
        self.ways: dict[int, Way] = {}
        self._scope: list[str] = []
        self._functions = 0
        self._next = 2

    def _new(self, node: ast.AST, *, is_condition: bool) -> int:
        way = self._next
        self._next += 2
        scope = ".".join(self._scope)
        line = getattr(node, "lineno", 0)
        self.ways[way] = Way(scope, line, is_condition)
        if is_condition:
            self.ways[way + 1] = Way(scope, line, True)
        return way

    def _call(self, node: ast.AST, name: str, *args: ast.expr) -> ast.Call:
        made = ast.Call(ast.Name(name, ast.Load()), list(args), [])
        return ast.copy_location(made, node)

    def _mark(self, node: ast.AST) -> ast.stmt:
        way = self._new(node, is_condition=False)
        return ast.copy_location(ast.Expr(self._call(node, FOUND, ast.Constant(way))), node)

    def _condition(self, test: ast.expr) -> Any:
        """A test, probed; where the probe of its own says the same already, as it is."""
        visited = self.visit(test)
        if self._functions == 0 or _is_probe(visited) or isinstance(test, ast.Constant):
            return visited
        way = self._new(test, is_condition=True)
        return self._call(test, TRUTH, ast.Constant(way), visited)

    # Definitions

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self._scope.append(node.name)
        functions, self._functions = self._functions, 0
        node.body = [self.visit(each) for each in node.body]
        self._functions = functions
        self._scope.pop()
        return node

    def visit_FunctionDef(self, node: Any) -> Any:
        self._scope.append(node.name)
        self._functions += 1
        start = 1 if _is_docstring(node.body[0]) else 0
        node.body = [self.visit(each) for each in node.body]
        node.body.insert(start, self._mark(node))
        self._functions -= 1
        self._scope.pop()
        return node

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> Any:
        return self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._functions += 1
        node.body = self.visit(node.body)
        self._functions -= 1
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is not None:
            node.value = self.visit(node.value)
        return node

    # Statements

    def visit_If(self, node: ast.If) -> ast.AST:
        node.test = self._condition(node.test)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        node.test = self._condition(node.test)
        return node

    def visit_While(self, node: ast.While) -> ast.AST:
        node.test = self._condition(node.test)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        return node

    def visit_For(self, node: Any) -> Any:
        node.iter = self.visit(node.iter)
        node.body = [self.visit(each) for each in node.body]
        node.orelse = [self.visit(each) for each in node.orelse]
        if self._functions:
            node.body.insert(0, self._mark(node))
            node.orelse.insert(0, self._mark(node))
        return node

    def visit_AsyncFor(self, node: ast.AsyncFor) -> Any:
        return self.visit_For(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.body = [self.visit(each) for each in node.body]
        if self._functions:
            node.body.insert(0, self._mark(node))
        return node

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        if node.guard is not None:
            node.guard = self._condition(node.guard)
        node.body = [self.visit(each) for each in node.body]
        if self._functions:
            node.body.insert(0, self._mark(node.body[0]))
        return node

    # Expressions

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._condition(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self.visit(node.iter)
        node.ifs = [self._condition(each) for each in node.ifs]
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        *first, last = node.values
        node.values = [*(self._condition(each) for each in first), self.visit(last)]
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        if self._functions == 0:
            return node
        sides = [node.left, *node.comparators]
        if len(node.ops) > 1 and not all(map(_is_steady, sides[1:-1])):
            return node
        probed = [
            self._compared(node, how, left, right)
            for how, left, right in zip(node.ops, sides, sides[1:])  # noqa: B905  pairs
        ]
        if len(probed) == 1:
            return probed[0]
        return ast.copy_location(ast.BoolOp(ast.And(), probed), node)

    def _compared(
        self, node: ast.Compare, how: ast.cmpop, left: ast.expr, right: ast.expr
    ) -> ast.expr:
        way = self._new(node, is_condition=True)
        name = _OPERATORS[type(how)]
        if name in ORDERED:
            self.ways[-way] = Way(".".join(self._scope), node.lineno, False)
        return self._call(node, COMPARED, ast.Constant(way), ast.Constant(name), left, right)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if self._functions == 0 or any(isinstance(each, ast.Starred) for each in node.args):
            return node
        if isinstance(node.func, ast.Name) and len(node.args) == 2 and not node.keywords:
            probe = {"isinstance": IS_OF, "hasattr": HAS}.get(node.func.id)
            if probe is not None:
                way = self._new(node, is_condition=True)
                return self._call(node, probe, ast.Constant(way), *node.args)
        if isinstance(node.func, ast.Attribute) and node.func.attr in ASKING and node.args:
            way = self._new(node, is_condition=True)
            name = ast.Constant(node.func.attr)
            made = self._call(node, ASKED, ast.Constant(way), node.func.value, name, *node.args)
            made.keywords = node.keywords
            return made
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        is_lookup = isinstance(node.ctx, ast.Load) and not isinstance(
            node.slice, (ast.Constant, ast.Slice, ast.Tuple, ast.UnaryOp)
        )
        if self._functions == 0 or not is_lookup:
            return node
        way = self._new(node, is_condition=False)
        return self._call(node, LOOKED_UP, ast.Constant(way), node.value, node.slice)


def _is_probe(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in (COMPARED, ASKED, IS_OF, HAS)
    )


def _is_steady(node: ast.expr) -> bool:
    """Whether it may be evaluated twice."""
    return isinstance(node, (ast.Name, ast.Constant)) or (
        isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name)
    )


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
