"""One pass over expressions: calls, strings that may name modules, what breaks the flow.

A loop with a table of the fields worth following, because a visitor class costs more than the
parser itself.
"""

import ast
import re
from collections.abc import Callable, Collection
from typing import Any

from reverie.index.reading.facts import constant_source
from reverie.syntax.nodes import dotted_name


class Frame:
    """The function being read, or the module itself. Counts grow as its body is walked."""

    __slots__ = (
        "cognitive",
        "cyclomatic",
        "hidden",
        "is_generator",
        "is_recursive",
        "name",
        "nesting",
        "prefix",
        "qualname",
        "sensitive",
    )

    def __init__(self, name: str, qualname: str, prefix: str, hidden: Collection[str] = ()) -> None:
        self.name = name
        self.qualname = qualname
        self.prefix = prefix
        """What the `qualname` of a definition inside starts with."""
        self.hidden = hidden
        """Parameters: inside, these names are not the module's."""
        self.cyclomatic = 1
        self.cognitive = 0
        self.sensitive = 0
        """Those of the cognitive points that would count more one level deeper."""
        self.nesting = 0
        self.is_generator = False
        self.is_recursive = False

    def break_flow(self) -> None:
        """A break in the flow that weighs more the deeper it is."""
        self.cognitive += 1 + self.nesting
        self.sensitive += 1

    def take_in(self, inner: "Frame") -> None:
        """Add a function that is defined inside this one."""
        self.cyclomatic += inner.cyclomatic
        self.cognitive += inner.cognitive + inner.sensitive * (self.nesting + 1)
        self.sensitive += inner.sensitive


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


def is_type_checking(test: ast.expr) -> bool:
    """Whether a block below it is for type checkers only."""
    name = dotted_name(test)
    return name is not None and name.rpartition(".")[2] == "TYPE_CHECKING"


def is_main_test(test: ast.expr) -> bool:
    """Whether it asks `__name__ == "__main__"`."""
    if not isinstance(test, ast.Compare) or len(test.comparators) != 1:
        return False
    sides = (test.left, test.comparators[0])
    return any(isinstance(side, ast.Name) and side.id == "__name__" for side in sides) and any(
        isinstance(side, ast.Constant) and side.value == "__main__" for side in sides
    )


def matches_anything(case: ast.match_case) -> bool:
    """Whether a case takes whatever comes: `case _` or `case name`."""
    pattern = case.pattern
    return case.guard is None and isinstance(pattern, ast.MatchAs) and pattern.pattern is None
