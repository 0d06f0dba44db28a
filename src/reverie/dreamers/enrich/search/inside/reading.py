"""Lines of source as trees: literals and results of earlier lines become holes of a form."""

import ast
import re

from .nodes import CONST, DICT, FORM, LIST, REF, SET, TUPLE, Line, Node

_HOLE = "_reverie_hole_"
_NUMBERED = re.compile(rf"{_HOLE}(\d+)_")
_CLOSED = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.JoinedStr)
"""What has names of its own inside: kept as it is written."""
_DISPLAYS = {ast.List: LIST, ast.Tuple: TUPLE, ast.Set: SET}
_OPERATIONS = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.Subscript)


class Reader:
    """Reads lines one after the other; knows the names that they bind."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.lines: list[Line] = []

    def read(self, source: str) -> bool:
        """Take in one line; False when it is of no use."""
        try:
            statement = ast.parse(source).body[0]
        except (SyntaxError, IndexError, ValueError, RecursionError):
            return False
        if isinstance(statement, ast.Expr):
            self._add(statement.value, None)
            return True
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name):
                self._add(statement.value, target.id)
                return True
            if isinstance(target, (ast.Subscript, ast.Attribute)):
                self._add_statement(statement)
                return True
        if isinstance(statement, (ast.Delete, ast.AugAssign)):
            self._add_statement(statement)
            return not isinstance(getattr(statement, "target", None), ast.Name)
        return False

    def _add(self, expression: ast.expr, name: "str | None") -> None:
        number = len(self.lines)
        node = read_expression(expression, self.numbers)
        shape = "operate" if isinstance(expression, _OPERATIONS) else "call"
        if isinstance(expression, ast.Attribute):
            shape = "read"
        self.lines.append(Line(node, shape, None, number))
        if name is not None:
            self.numbers[name] = number

    def _add_statement(self, statement: ast.stmt) -> None:
        holes: list[Node] = []
        text = ast.unparse(_Lifting(self.numbers, holes).visit(statement))
        node = _form(text, holes)
        self.lines.append(Line(node, "change", None, len(self.lines)))


def read_expression(expression: ast.expr, numbers: "dict[str, int]") -> Node:
    """The tree of an expression; `numbers` are of the names that earlier lines bound."""
    if isinstance(expression, ast.Constant):
        return Node(CONST, expression.value)
    if isinstance(expression, ast.UnaryOp) and isinstance(expression.op, ast.USub):
        inner = expression.operand
        if isinstance(inner, ast.Constant) and type(inner.value) in (int, float):
            return Node(CONST, -inner.value)  # type: ignore[operator]
    if isinstance(expression, ast.Name) and expression.id in numbers:
        return Node(REF, numbers[expression.id])
    if isinstance(expression, ast.Dict) and None not in expression.keys:
        pairs = zip(expression.keys, expression.values)  # noqa: B905  as long
        parts = [read_expression(each, numbers) for pair in pairs for each in pair]  # type: ignore[arg-type]
        return Node(DICT, None, tuple(parts))
    if type(expression) in _DISPLAYS and not _has_star(expression):
        items = tuple(read_expression(each, numbers) for each in expression.elts)  # type: ignore[attr-defined]
        return Node(_DISPLAYS[type(expression)], None, items)
    holes: list[Node] = []
    lifted = _Lifting(numbers, holes).generic_visit(expression)
    return _form(ast.unparse(lifted), holes)


class _Lifting(ast.NodeTransformer):
    """Takes literals and bound names out of a tree, leaving holes."""

    def __init__(self, numbers: "dict[str, int]", holes: "list[Node]") -> None:
        self.numbers = numbers
        self.holes = holes

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, _CLOSED) or isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            if isinstance(node, (ast.Subscript, ast.Attribute)):
                return self.generic_visit(node)
            return node
        if isinstance(node, ast.expr) and self._is_hole(node):
            self.holes.append(read_expression(node, self.numbers))
            return ast.Name(f"{_HOLE}{len(self.holes) - 1}_", ast.Load())
        return self.generic_visit(node)

    def _is_hole(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Name):
            return node.id in self.numbers
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            return not _has_star(node)
        if isinstance(node, ast.Dict):
            return None not in node.keys
        return isinstance(node, (ast.Constant, ast.Call)) and not isinstance(
            getattr(node, "value", None), type(Ellipsis)
        )


def _has_star(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Starred) for each in getattr(node, "elts", ()))


def _form(text: str, holes: "list[Node]") -> Node:
    """The form of a text with numbered holes, which need not stand in the order of numbers."""
    parts = _NUMBERED.split(text)
    return Node(FORM, tuple(parts[::2]), tuple(holes[int(each)] for each in parts[1::2]))
