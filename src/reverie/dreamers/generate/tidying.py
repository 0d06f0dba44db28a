"""An expression as a person would write it: comparisons read forward, no list made to be eaten."""

import ast

from reverie.syntax.parsing import fresh_module

_EATERS = frozenset(("sum", "any", "all", "max", "min", "sorted", "set", "list", "join", "Counter"))
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Eq: ast.Eq,
    ast.NotEq: ast.NotEq,
}  # fmt: skip


def tidied(source: str) -> str:
    """A source that does the same, in the usual way to write it."""
    tree = _Tidying().visit(fresh_module(source))
    return unparsed(ast.fix_missing_locations(tree))


def unparsed(node: ast.AST) -> str:
    """The source of a node, with one pair of brackets around a generator that is handed over."""
    text = ast.unparse(node)
    for each in ast.walk(node):
        match each:
            case ast.Call(args=[ast.GeneratorExp() as handed], keywords=[]):
                inner = ast.unparse(handed)
                text = text.replace(f"({inner})", inner)
    return text


class _Tidying(ast.NodeTransformer):
    def __init__(self) -> None:
        self._loops: list[set[str]] = []
        """The names that each loop around binds."""

    def _inside(self, node: ast.expr, targets: list[ast.expr]) -> ast.expr:
        self._loops.append(
            {each.id for one in targets for each in ast.walk(one) if isinstance(each, ast.Name)}
        )
        self.generic_visit(node)
        self._loops.pop()
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.expr:
        """Of `[each for each in items]` only the list is left."""
        self._inside(node, [each.target for each in node.generators])
        first = node.generators[0]
        is_bare = len(node.generators) == 1 and not first.ifs
        if is_bare and ast.unparse(node.elt) == ast.unparse(first.target):
            return ast.Call(ast.Name("list", ast.Load()), [first.iter], [])
        return node

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.expr:
        """As within every loop."""
        return self._inside(node, [each.target for each in node.generators])

    def visit_DictComp(self, node: ast.DictComp) -> ast.expr:
        """As within every loop."""
        return self._inside(node, [each.target for each in node.generators])

    def visit_SetComp(self, node: ast.SetComp) -> ast.expr:
        """As within every loop."""
        return self._inside(node, [each.target for each in node.generators])

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """`sum([…])` is `sum(…)`."""
        self.generic_visit(node)
        name = ast.unparse(node.func).rpartition(".")[2]
        match node.args:
            case [ast.ListComp() as made] if name in _EATERS:
                inner = ast.GeneratorExp(made.elt, made.generators)
                return ast.Call(node.func, [inner], node.keywords)
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        """What is looked at stands on the left, what it is held against on the right."""
        self.generic_visit(node)
        if len(node.ops) != 1 or type(node.ops[0]) not in _TURNED:
            return node
        left, right = node.left, node.comparators[0]
        if self._weight(left) < self._weight(right):
            return ast.Compare(right, [_TURNED[type(node.ops[0])]()], [left])
        return node

    def _weight(self, node: ast.expr) -> int:
        """0 for a value, 1 for what comes from outside of the loop, 2 for what the loop binds."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        if not names:
            return 0
        return 2 if self._loops and names & self._loops[-1] else 1
