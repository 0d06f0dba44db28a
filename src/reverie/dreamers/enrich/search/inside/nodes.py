"""Parts of a try: expressions as trees, read from source, changed, evaluated, written out.

A *form* is a piece of source with holes: `Version.parse(·).bump_major()` has one. It is compiled
once and called with the values of its holes, so that a try costs no parsing.
"""

import ast
import math
import re
from typing import Any

CONST, LIST, TUPLE, SET, DICT, FORM, REF = ["const", "list", "tuple", "set", "dict", "form", "ref"]
_FUNCTION_SIZE = 4
"""A function made on the spot reads worse than a value, where either does."""
_NOTHING: "frozenset[int]" = frozenset()
DISPLAYS = (LIST, TUPLE, SET, DICT)


class Node:
    """One expression. Shared between tries, so never changed in place."""

    __slots__ = ("about", "items", "kind", "needs", "size", "value")

    def __init__(
        self,
        kind: str,
        value: Any = None,
        items: "tuple[Node, ...]" = (),
        about: "tuple[str, tuple[str, ...]] | None" = None,
    ) -> None:
        self.kind = kind
        self.value = value
        """Of a constant its value, of a form its pieces of source, of a reference its number."""
        self.items = items
        """A dict's are keys and values in turn."""
        self.about = about
        """Of a call: what is called, and which parameter each hole is for."""
        self.size = _own_size(kind, value)
        """How much there is to read."""
        self.needs: frozenset[int] = _NOTHING if kind != REF else frozenset((value,))
        """The numbers of the lines whose results it needs."""
        for each in items:
            self.size += each.size
            if each.needs:
                self.needs |= each.needs

    def __reduce__(self) -> "tuple[Any, ...]":
        return Node, (self.kind, self.value, self.items, self.about)

    def with_items(self, items: "tuple[Node, ...]") -> "Node":
        """The same with other parts."""
        return Node(self.kind, self.value, items, self.about)


class Line:
    """One step of a try."""

    __slots__ = ("callee", "form", "node", "number")

    def __init__(self, node: Node, form: str, callee: "str | None", number: int) -> None:
        self.node = node
        self.form = form
        self.callee = callee
        self.number = number
        """What references to its result say."""

    def __reduce__(self) -> "tuple[Any, ...]":
        return Line, (self.node, self.form, self.callee, self.number)


def const(value: Any) -> Node:
    """A literal."""
    return Node(CONST, value)


def ref(number: int) -> Node:
    """The result of an earlier line."""
    return Node(REF, number)


def form(text: str, *items: Node, about: "tuple[str, tuple[str, ...]] | None" = None) -> Node:
    """A form; each `·` of the text is a hole."""
    return Node(FORM, tuple(text.split("·")), items, about)


def with_named(node: Node, name: str, made: Node) -> Node:
    """A call with one more argument, by name."""
    *pieces, last = node.value
    head = last.removesuffix(")")
    between = "" if head.endswith("(") else ", "
    about = None if node.about is None else (node.about[0], (*node.about[1], name))
    return Node(FORM, (*pieces, f"{head}{between}{name}=", ")"), (*node.items, made), about)


class Evaluator:
    """Gives the values of expressions within one namespace."""

    def __init__(self, namespace: "dict[str, Any]") -> None:
        self.namespace = namespace
        self._compiled: dict[tuple[tuple[str, ...], bool], Any] = {}

    def value(self, node: Node, results: "dict[int, Any]") -> Any:
        """The value, made anew: what is mutable is not shared with another try."""
        kind = node.kind
        if kind == CONST:
            return node.value
        if kind == REF:
            return results[node.value]
        made = [self.value(each, results) for each in node.items]
        if kind == FORM:
            return self.compiled(node.value, is_statement=False)(*made)
        if kind == LIST:
            return made
        if kind == TUPLE:
            return tuple(made)
        if kind == SET:
            return set(made)
        return dict(zip(made[::2], made[1::2]))  # noqa: B905  in turn

    def perform(self, node: Node, results: "dict[int, Any]") -> None:
        """Run a form that is a statement."""
        made = [self.value(each, results) for each in node.items]
        self.compiled(node.value, is_statement=True)(*made)

    def compiled(self, pieces: "tuple[str, ...]", *, is_statement: bool) -> Any:
        """The function of a form's holes."""
        key = (pieces, is_statement)
        found = self._compiled.get(key)
        if found is None:
            names = [f"_hole{number}" for number in range(len(pieces) - 1)]
            text = "".join(_in_turn(pieces, names))
            if is_statement:
                space: dict[str, Any] = {}
                source = f"def perform({', '.join(names)}):\n    {text}"
                exec(compile(source, "<try>", "exec"), self.namespace, space)  # noqa: S102
                found = space["perform"]
            else:
                found = eval(
                    compile(f"lambda {', '.join(names)}: ({text})", "<try>", "eval"), self.namespace
                )
            self._compiled[key] = found
        return found


def _in_turn(pieces: "tuple[str, ...]", between: "list[str]") -> "list[str]":
    parts = [pieces[0]]
    for name, piece in zip(between, pieces[1:]):  # noqa: B905  one more piece than holes
        parts += [name, piece]
    return parts


def render(node: Node, names: "dict[int, str]") -> str:
    """The source, with more parentheses than needed."""
    kind = node.kind
    if kind == CONST:
        return render_constant(node.value)
    if kind == REF:
        return names[node.value]
    inner = [render(each, names) for each in node.items]
    if kind == FORM:
        return "".join(_in_turn(node.value, [f"({each})" for each in inner]))
    if kind == DICT:
        pairs = zip(inner[::2], inner[1::2])  # noqa: B905  in turn
        return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
    listed = ", ".join(inner)
    if kind == LIST:
        return f"[{listed}]"
    if kind == TUPLE:
        return f"({listed},)" if inner else "()"
    return f"{{{listed}}}" if inner else "set()"


def tidy(source: str) -> str:
    """Source without needless parentheses; a ValueError when it is none."""
    try:
        return ast.unparse(ast.parse(source))
    except (SyntaxError, RecursionError, MemoryError) as error:
        raise ValueError(f"not a line of Python: {source[:80]!r}") from error


def render_constant(value: Any) -> str:
    """A literal's source; floats that have none are made by name."""
    if type(value) is float and not math.isfinite(value):
        return f"float({str(value)!r})"
    return repr(value)


def needs_of(lines: "list[Line]") -> "set[int]":
    """The numbers of all lines that some line needs."""
    found: set[int] = set()
    for line in lines:
        found |= line.node.needs
    return found


def _own_size(kind: str, value: Any) -> int:
    if kind == CONST:
        return 1 + (len(value) // 8 if isinstance(value, (str, bytes)) else 0)
    if kind != FORM:
        return 1
    return 1 + sum(map(len, value)) // 12 + (_FUNCTION_SIZE if "lambda" in value[0] else 0)


def places(node: Node, path: "tuple[int, ...]" = ()) -> "list[tuple[tuple[int, ...], Node]]":
    """Every part of an expression with the way to it, the whole first."""
    found = [(path, node)]
    for number, each in enumerate(node.items):
        found += places(each, (*path, number))
    return found


def replaced(node: Node, path: "tuple[int, ...]", part: Node) -> Node:
    """The expression with another part at the end of a path."""
    if not path:
        return part
    items = list(node.items)
    items[path[0]] = replaced(items[path[0]], path[1:], part)
    return node.with_items(tuple(items))


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
    is_closed = isinstance(expression, _CLOSED)
    lifted = expression if is_closed else _Lifting(numbers, holes).generic_visit(expression)
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
