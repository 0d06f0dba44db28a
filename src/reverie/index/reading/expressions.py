"""One pass over expressions: calls, strings that may name modules, what breaks the flow.

A loop with a table of the fields worth following, because a visitor class costs more than the
parser itself.
"""

import ast
import re
from collections.abc import Callable
from typing import Any

from reverie.index.reading.frame import Frame
from reverie.index.reading.literals import constant_source

MOST_LITERALS = 1000
_LONGEST_NAME = 120
_MODULE_NAME = re.compile(r"\.*[A-Za-z_]\w*(?:[.:][A-Za-z_]\w*)*")
_IMPORTERS = frozenset({"import_module", "__import__"})

Handler = Callable[["Scanner", Any], None]


class Call:
    """A call on its way: kept only if the file turns out to bind the name it starts with."""

    __slots__ = ("frame", "node", "target")

    def __init__(self, target: str, node: ast.Call, frame: Frame) -> None:
        self.target = target
        self.node = node
        self.frame = frame


class Scanner:
    """Walks expressions and simple statements, and notes what it sees."""

    def __init__(self, frame: Frame, *, keeps_literals: bool) -> None:
        self.frame = frame
        self.calls: list[Call] = []
        self.strings: dict[str, None] = {}
        self.literals: dict[str, None] = {}
        self._keeps_literals = keeps_literals

    def scan(self, root: ast.AST) -> None:
        """Walk one tree below statements. Functions and blocks are not entered."""
        stack: list[Any] = [root]
        pop, push = stack.pop, stack.append
        find = _TABLE.get
        while stack:
            node = pop()
            entry = find(node.__class__)
            if entry is None:
                continue
            single, many, handle = entry
            if handle is not None:
                handle(self, node)
            for name in single:
                child = getattr(node, name)
                if child is not None:
                    push(child)
            for name in many:
                stack += getattr(node, name)

    def _see_call(self, node: ast.Call) -> None:
        target = dotted_name(node.func)
        if target is None:
            return
        frame = self.frame
        self.calls.append(Call(target, node, frame))
        if target == frame.name and not frame.is_recursive:
            frame.is_recursive = True
            frame.cognitive += 1
        if target.rpartition(".")[2] in _IMPORTERS and node.args:
            name = getattr(node.args[0], "value", None)
            if isinstance(name, str):
                self.strings[name[:_LONGEST_NAME]] = None

    def _see_constant(self, node: ast.Constant) -> None:
        value = node.value
        if isinstance(value, str) and "." in value and _names_module(value):
            self.strings[value] = None
        if self._keeps_literals and len(self.literals) < MOST_LITERALS:
            text = constant_source(value)
            if text is not None:
                self.literals[text] = None

    def _see_bool_op(self, _: ast.BoolOp) -> None:
        self.frame.cognitive += 1

    def _see_yield(self, _: ast.expr) -> None:
        self.frame.is_generator = True

    def _see_ternary(self, node: ast.IfExp) -> None:
        self.frame.break_flow()
        self._scan_deeper(node.test, node.body, node.orelse)

    def _see_lambda(self, node: ast.Lambda) -> None:
        was_generator = self.frame.is_generator
        self._scan_deeper(node.body)
        self.frame.is_generator = was_generator

    def _scan_deeper(self, *nodes: ast.expr) -> None:
        self.frame.nesting += 1
        for node in nodes:
            self.scan(node)
        self.frame.nesting -= 1


def dotted_name(node: ast.AST) -> str | None:
    """`a.b.c` when the expression is nothing but that."""
    if isinstance(node, ast.Name):
        return node.id
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def _names_module(text: str) -> bool:
    return len(text) <= _LONGEST_NAME and _MODULE_NAME.fullmatch(text) is not None


_HANDLERS: dict[type[ast.AST], Handler] = {
    ast.Call: Scanner._see_call,
    ast.Constant: Scanner._see_constant,
    ast.BoolOp: Scanner._see_bool_op,
    ast.IfExp: Scanner._see_ternary,
    ast.Lambda: Scanner._see_lambda,
    ast.Yield: Scanner._see_yield,
    ast.YieldFrom: Scanner._see_yield,
}
_SINGLE = {
    ast.Attribute: ("value",),
    ast.Await: ("value",),
    ast.BinOp: ("left", "right"),
    ast.Call: ("func",),
    ast.Compare: ("left",),
    ast.Constant: (),
    ast.DictComp: ("key", "value"),
    ast.FormattedValue: ("value", "format_spec"),
    ast.GeneratorExp: ("elt",),
    ast.ListComp: ("elt",),
    ast.Lambda: ("args",),
    ast.IfExp: (),
    ast.NamedExpr: ("value",),
    ast.SetComp: ("elt",),
    ast.Slice: ("lower", "upper", "step"),
    ast.Starred: ("value",),
    ast.Subscript: ("value", "slice"),
    ast.UnaryOp: ("operand",),
    ast.Yield: ("value",),
    ast.YieldFrom: ("value",),
    ast.comprehension: ("target", "iter"),
    ast.keyword: ("value",),
    ast.AnnAssign: ("target", "annotation", "value"),
    ast.Assert: ("test", "msg"),
    ast.Assign: ("value",),
    ast.AugAssign: ("target", "value"),
    ast.Expr: ("value",),
    ast.Raise: ("exc", "cause"),
    ast.Return: ("value",),
    ast.withitem: ("context_expr", "optional_vars"),
}
_MANY = {
    ast.BoolOp: ("values",),
    ast.Call: ("args", "keywords"),
    ast.Compare: ("comparators",),
    ast.Dict: ("keys", "values"),
    ast.DictComp: ("generators",),
    ast.GeneratorExp: ("generators",),
    ast.JoinedStr: ("values",),
    ast.List: ("elts",),
    ast.ListComp: ("generators",),
    ast.Set: ("elts",),
    ast.SetComp: ("generators",),
    ast.Tuple: ("elts",),
    ast.arguments: ("defaults", "kw_defaults"),
    ast.comprehension: ("ifs",),
    ast.Assign: ("targets",),
    ast.Delete: ("targets",),
}
_TABLE: dict[type[Any], tuple[tuple[str, ...], tuple[str, ...], Handler | None]] = {
    kind: (_SINGLE.get(kind, ()), _MANY.get(kind, ()), _HANDLERS.get(kind))
    for kind in {*_SINGLE, *_MANY, *_HANDLERS}
}
