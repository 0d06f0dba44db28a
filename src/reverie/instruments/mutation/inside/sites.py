"""Sites: where a file can be changed, in an order that depends on nothing but its text.

A change as text says which bytes of the file go, and what comes in their place. One mutant is
planted: it cannot be overlooked.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from . import operators


def read_source(path: str) -> bytes:
    """A file's text as UTF-8 with plain line ends, however it was saved."""
    with open(path, "rb") as file:
        data = file.read()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
    return data.decode(encoding).replace("\r\n", "\n").replace("\r", "\n").encode()


_SILENT_NAMES = frozenset({"__all__", "__slots__", "__version__", "__author__", "__license__"})
_EXCUSE = re.compile(rb"#\s*pragma:\s*no\s*(mutate|cover)")
_IDENTITY = "lambda decorated: decorated"
_NO_BODY = (ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.Pass)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


CHANGES_NOTHING, RAISES = -2, -1
"""Numbers of mutants that are planted: one has to survive, one has to be killed."""


@dataclass(frozen=True)
class Unit:
    """An outermost function: what is compiled anew when something in its body is changed."""

    qualname: str
    line: int
    node: "ast.FunctionDef | ast.AsyncFunctionDef"
    classes: "tuple[str, ...]"


@dataclass
class Site:
    """One change: a node of the tree and what to put in its place."""

    operator: str
    node: ast.AST
    replacement: ast.AST
    parent: ast.AST
    slot: str
    place: "int | None"
    scope: str
    unit: "Unit | None"
    top: int
    """Which statement of the module it is in."""
    lines: "tuple[int, int]"
    """The lines of its own statement; of a compound one, of its head."""

    def apply(self) -> None:
        """Put the replacement into the tree."""
        self.locate()
        self._put(self.replacement)

    @contextmanager
    def applied(self) -> "Iterator[None]":
        """The replacement is in the tree for as long as this lasts."""
        self.apply()
        try:
            yield
        finally:
            self._put(self.node)

    def _put(self, node: ast.AST) -> None:
        if self.place is None:
            setattr(self.parent, self.slot, node)
        else:
            getattr(self.parent, self.slot)[self.place] = node

    def locate(self) -> None:
        """Give what is new the place of what was there."""
        if not hasattr(self.replacement, "lineno"):
            ast.fix_missing_locations(ast.copy_location(self.replacement, self.node))


@dataclass(frozen=True)
class _Around:
    """What encloses a node."""

    scope: str = "<module>"
    unit: "Unit | None" = None
    classes: "tuple[str, ...]" = ()
    top: int = 0
    lines: "tuple[int, int]" = (0, 0)
    in_function: bool = False


@dataclass
class Survey:
    """All sites of one file."""

    source: bytes
    exhaustive: bool = False
    shortcuts: bool = False
    """Whether there are also those changes that only a telling input notices."""
    tree: ast.Module = field(init=False)
    sites: "list[Site]" = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.tree = ast.parse(self.source)
        self._excused = {
            number
            for number, line in enumerate(self.source.split(b"\n"), 1)
            if _EXCUSE.search(line)
        }
        for top, statement in enumerate(self.tree.body):
            self._statement(statement, self.tree, "body", top, _Around(top=top))

    def _statement(
        self, node: ast.stmt, parent: ast.AST, slot: str, place: int, around: _Around
    ) -> None:
        if _is_passed_over(node):
            return
        around = _with_lines(around, node)
        if isinstance(node, _FUNCTIONS):
            self._function(node, around)
            return
        if isinstance(node, ast.ClassDef):
            self._class(node, around)
            return
        self._offer(
            operators.replacements(node, self.exhaustive), node, parent, slot, place, around
        )
        self._children(node, around)

    def _function(self, node: "ast.FunctionDef | ast.AsyncFunctionDef", around: _Around) -> None:
        scope = _inner(around.scope, node.name)
        outside = _changed(around, scope=scope)
        self._decorators(node, outside)
        for slot in ("defaults", "kw_defaults"):
            for place, default in enumerate(getattr(node.args, slot)):
                if default is not None:
                    self._expression(default, node.args, slot, place, outside)
        unit = around.unit
        if not around.in_function and not getattr(node, "type_params", ()):
            line = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            unit = Unit(".".join((*around.classes, node.name)), line, node, around.classes)
        inside = _changed(around, scope=scope, unit=unit, in_function=True)
        for place, statement in enumerate(node.body):
            self._statement(statement, node, "body", place, inside)

    def _class(self, node: ast.ClassDef, around: _Around) -> None:
        inside = _changed(
            around, scope=_inner(around.scope, node.name), classes=(*around.classes, node.name)
        )
        self._decorators(node, inside)
        for place, statement in enumerate(node.body):
            self._statement(statement, node, "body", place, inside)

    def _decorators(self, node: Any, around: _Around) -> None:
        for place, decorator in enumerate(node.decorator_list):
            identity = ast.parse(_IDENTITY, mode="eval").body
            near = _changed(around, lines=_span(decorator))
            given = iter([("drop_decorator", identity)])
            self._offer(given, decorator, node, "decorator_list", place, near)
            self._expression(decorator, node, "decorator_list", place, near)

    def _children(self, node: ast.AST, around: _Around) -> None:
        """What a statement is made of, in the order of the text."""
        for slot, value in ast.iter_fields(node):
            if slot == "annotation" or slot == "pattern":
                continue
            several = value if isinstance(value, list) else [value]
            for index, child in enumerate(several):
                place = index if isinstance(value, list) else None
                if isinstance(child, ast.stmt):
                    self._statement(child, node, slot, index, around)
                elif isinstance(child, ast.expr):
                    self._expression(child, node, slot, place, around)
                elif isinstance(child, (ast.ExceptHandler, ast.match_case)):
                    self._children(child, _with_lines(around, child))
                elif isinstance(child, ast.AST):
                    self._children(child, around)

    def _expression(
        self, node: ast.expr, parent: ast.AST, slot: str, place: "int | None", around: _Around
    ) -> None:
        if _is_target(node):
            if not isinstance(node, ast.Name):
                self._children(node, around)
            return
        if isinstance(node, ast.Call) and operators.is_left_alone(node):
            for index, argument in enumerate(node.args):
                self._expression(argument, node, "args", index, around)
            return
        self._offer(_by_role(node, parent, slot), node, parent, slot, place, around)
        self._offer(
            operators.replacements(node, self.exhaustive), node, parent, slot, place, around
        )
        if self.shortcuts:
            self._offer(operators.shortcuts(node, slot), node, parent, slot, place, around)
        if not isinstance(node, ast.JoinedStr):
            self._children(node, around)

    def _offer(
        self,
        given: "Iterator[tuple[str, ast.AST]]",
        node: ast.AST,
        parent: ast.AST,
        slot: str,
        place: "int | None",
        around: _Around,
    ) -> None:
        if cast(Any, node).lineno in self._excused:
            return
        for name, replacement in given:
            if name == "break_return" and not around.in_function:
                continue
            self.sites.append(
                Site(
                    name,
                    node,
                    replacement,
                    parent,
                    slot,
                    place,
                    around.scope,
                    around.unit,
                    around.top,
                    around.lines,
                )
            )


def _by_role(node: ast.expr, parent: ast.AST, slot: str) -> "Iterator[tuple[str, ast.AST]]":
    """What can be put in a node's place because of where it stands."""
    if (slot == "test" and isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.Assert))) or (
        slot in ("ifs", "guard")
    ):
        yield from operators.negated(node)
    elif slot == "iter" and isinstance(parent, ast.For):
        yield from operators.nothing_to_iterate(node)
    elif slot == "type" and isinstance(parent, ast.ExceptHandler):
        yield from operators.nothing_caught(node)
    elif _is_argument(parent, slot):
        yield from operators.none_instead(node)


def _is_argument(parent: ast.AST, slot: str) -> bool:
    if isinstance(parent, ast.Call):
        return slot == "args" and not operators.is_left_alone(parent)
    return isinstance(parent, ast.keyword)


def _is_passed_over(node: ast.stmt) -> bool:
    """Docstrings, imports, and what is not there when tests run."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Constant)
    if isinstance(node, ast.Assign):
        return any(isinstance(t, ast.Name) and t.id in _SILENT_NAMES for t in node.targets)
    if isinstance(node, ast.If):
        return _is_never_run(node.test)
    return isinstance(node, _NO_BODY)


def _is_never_run(test: ast.expr) -> bool:
    if isinstance(test, ast.Compare):
        return isinstance(test.left, ast.Name) and test.left.id == "__name__"
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", None)
    return name == "TYPE_CHECKING"


def _is_target(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del))


def _inner(scope: str, name: str) -> str:
    return name if scope == "<module>" else f"{scope}.{name}"


def _changed(around: _Around, **changes: Any) -> _Around:
    return _Around(**{**around.__dict__, **changes})


def _with_lines(around: _Around, node: ast.AST) -> _Around:
    """The lines of a statement; a compound one ends where its first block begins."""
    first, last = _span(node)
    block = getattr(node, "body", None) or getattr(node, "cases", None)
    if isinstance(block, list) and block:
        head = getattr(block[0], "lineno", None) or block[0].pattern.lineno
        last = max(first, head - 1)
    return _changed(around, lines=(first, last))


def _span(node: ast.AST) -> "tuple[int, int]":
    located = cast(Any, node)
    if not hasattr(located, "lineno"):  # a case: its pattern knows
        located = located.pattern
    return located.lineno, located.end_lineno or located.lineno


_BINDING = (
    ast.BinOp,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Compare,
    ast.Attribute,
    ast.Await,
    ast.IfExp,
    ast.Starred,
    ast.comprehension,
)
_ATOMS = (
    ast.Constant,
    ast.Name,
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.JoinedStr,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_SYMBOLS = {
    "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=", "Is": "is",
    "IsNot": "is not", "In": "in", "NotIn": "not in", "And": "and", "Or": "or", "Add": "+",
    "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "BitAnd": "&",
    "BitOr": "|", "BitXor": "^", "LShift": "<<", "RShift": ">>", "MatMult": "@",
}  # fmt: skip


class Text:
    """The bytes of one file, by line and column as the parser counts them."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]
        for line in source.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def span(self, node: ast.AST) -> "tuple[int, int]":
        """First byte of a node, and the one after its last."""
        at = cast(Any, node)
        start: int = self.starts[at.lineno - 1] + at.col_offset
        return start, self.starts[at.end_lineno - 1] + at.end_col_offset

    def of(self, node: ast.AST) -> str:
        """A node as it is written."""
        start, end = self.span(node)
        return self.source[start:end].decode()

    def replacing(self, site: Site) -> "str | None":
        """What is written instead; None when Python cannot write it."""
        site.locate()
        try:
            written = self._infix(site.node, site.replacement) or self._written(site)
        except ValueError:  # an f-string that this version can read but not write
            return None
        needs = isinstance(site.parent, _BINDING) or site.slot in ("func", "value")
        if needs and isinstance(site.node, ast.expr) and not self._is_atom(site.replacement):
            return f"({written})" if not isinstance(site.parent, ast.stmt) else written
        return written

    def _written(self, site: Site) -> str:
        node, new = site.node, site.replacement
        if isinstance(new, ast.UnaryOp) and new.operand is node:
            return f"not ({self.of(node)})"
        if isinstance(node, ast.UnaryOp) and new is node.operand:
            inner = self.of(new)
            return inner if self._is_atom(new) else f"({inner})"
        text = ast.unparse(new)
        indent = "\n" + " " * cast(Any, node).col_offset
        return text.replace("\n", indent)

    def _is_atom(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex)):
            return isinstance(node.value, bool)
        return isinstance(node, _ATOMS)

    def _infix(self, old: ast.AST, new: ast.AST) -> "str | None":
        """Only the operator exchanged, everything else as its author wrote it."""
        if type(old) is not type(new):
            return None
        parts, before, after = _operands(old), _operators(old), _operators(new)
        if not parts or len(before) != len(after):
            return None
        written = self.of(old)
        begin = self.span(old)[0]
        encoded = bytearray(written.encode())
        for index in range(len(before) - 1, -1, -1):
            start, end = self.span(parts[index])[1] - begin, self.span(parts[index + 1])[0] - begin
            between = bytes(encoded[start:end]).decode()
            was, becomes = _SYMBOLS[before[index]], _SYMBOLS[after[index]]
            if between.strip(" ()\t\n\\") != was:
                return None  # a comment, or an operator written over several lines
            encoded[start:end] = between.replace(was, becomes).encode()
        return encoded.decode()


def _operands(node: ast.AST) -> "list[ast.expr]":
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.BoolOp):
        return node.values
    return []


def _operators(node: ast.AST) -> "list[str]":
    if isinstance(node, ast.Compare):
        return [type(op).__name__ for op in node.ops]
    if isinstance(node, ast.BoolOp):
        return [type(node.op).__name__] * (len(node.values) - 1)
    if isinstance(node, ast.BinOp):
        return [type(node.op).__name__]
    return []


PLANTED = "planted"
"""What it says; the host puts a word in its place that no test can know."""


def planted(survey: Survey, qualname: "str | None") -> Site:
    """A function, or the module itself, that only raises."""
    error = ast.Call(ast.Name("RuntimeError", ast.Load()), [ast.Constant(PLANTED)], [])
    unit = next((s.unit for s in survey.sites if s.unit and s.unit.qualname == qualname), None)
    if unit is not None:
        first = unit.node.body[0]
        return Site("planted", first, ast.Raise(error), unit.node, "body", 0, "", unit, 0, (0, 0))
    place = next(
        number
        for number, node in enumerate(survey.tree.body)
        if not isinstance(node, ast.ImportFrom) or node.module != "__future__"
    )
    node, tree = survey.tree.body[place], survey.tree
    return Site("planted", node, ast.Raise(error), tree, "body", place, "", None, place, (0, 0))
