"""What a module says about its own public names: `__all__`, as far as it can be read."""

import ast
from collections.abc import Iterator

from reverie.index.reading.expressions import dotted_name

_GROWS = frozenset({"append", "extend"})


class DeclaredNames:
    """`__all__` while the statements of a module go by."""

    def __init__(self) -> None:
        self.names: list[str] | None = None
        self.taken_from: list[str] = []

    def see(self, statement: ast.stmt) -> None:
        """Take in a statement at the level of the module."""
        if isinstance(statement, ast.Assign):
            if any(_is_all(target) for target in statement.targets):
                self.names, self.taken_from = [], []
                self._add(statement.value)
        elif isinstance(statement, ast.AnnAssign):
            if _is_all(statement.target) and statement.value is not None:
                self.names, self.taken_from = [], []
                self._add(statement.value)
        elif isinstance(statement, ast.AugAssign):
            if _is_all(statement.target):
                self._add(statement.value)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            self._see_call(statement.value)

    def _see_call(self, call: ast.Call) -> None:
        function = call.func
        if not isinstance(function, ast.Attribute) or function.attr not in _GROWS:
            return
        if _is_all(function.value) and len(call.args) == 1:
            self._add(call.args[0])

    def _add(self, value: ast.expr) -> None:
        if self.names is None:
            self.names = []
        pending: list[ast.expr] = [value]
        while pending:
            node = pending.pop()
            if isinstance(node, ast.Constant):
                if isinstance(node.value, str):
                    self.names.append(node.value)
            elif isinstance(node, ast.List | ast.Tuple | ast.Set):
                pending += node.elts
            elif isinstance(node, ast.BinOp):
                pending += [node.left, node.right]
            elif isinstance(node, ast.Starred):
                pending.append(node.value)
            elif isinstance(node, ast.Call) and len(node.args) == 1:
                pending += node.args  # list(...), sorted(...)
            else:
                self._take_from(node)

    def _take_from(self, node: ast.expr) -> None:
        name = dotted_name(node)
        if name is not None and name.endswith(".__all__"):
            self.taken_from.append(name.removesuffix(".__all__"))


def names_in(target: ast.expr) -> Iterator[str]:
    """The names that an assignment to a target binds."""
    pending = [target]
    while pending:
        each = pending.pop()
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Tuple | ast.List):
            pending += each.elts
        elif isinstance(each, ast.Starred):
            pending.append(each.value)


def _is_all(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id == "__all__"
