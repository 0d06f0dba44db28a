"""Tests that differ only in data: one body, and a table with named and typed columns."""

import ast
import keyword
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.dreamers.enrich.writing.admission import is_literal
from reverie.dreamers.enrich.writing.wording.naming import variable
from reverie.syntax.nodes import dotted_name
from reverie.syntax.parsing import fresh_module
from reverie.syntax.unparsing import unparse

_USED_UP = ("io.", "iter", "map", "filter", "zip", "open", "reversed", "enumerate", "next")


@dataclass(frozen=True, slots=True)
class Hole:
    """A place of a body where a value stands, and what that value is for."""

    node: ast.expr
    role: str
    """The parameter it is given for, or `expected`."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A body with its values taken out. Bodies of one key fit into one table."""

    key: str
    holes: tuple[Hole, ...]


def shape_of(body: Sequence[ast.stmt], parameters: "Parameters", callee: str = "") -> Shape:
    """Take the values out of a body; of calls of `callee`, every argument whole."""
    taker = _Taker(parameters, callee)
    copied = [fresh_module(unparse(statement)).body[0] for statement in body]
    emptied = [taker.visit(statement) for statement in copied]
    key = "\n".join(ast.dump(statement) for statement in emptied)
    return Shape(key, tuple(taker.holes))


@dataclass
class Parameters:
    """Names of parameters of the module's callables, by the last part of their name."""

    by_name: dict[str, list[str]] = field(default_factory=dict)
    optional: dict[str, frozenset[str]] = field(default_factory=dict)
    """Those that have a default."""

    def name_of(self, call: ast.Call, place: int) -> str | None:
        """What a positional argument is called."""
        called = dotted_name(call.func) or (
            call.func.attr if isinstance(call.func, ast.Attribute) else ""
        )
        names = self.by_name.get(called.rpartition(".")[2], [])
        return names[place] if place < len(names) else None


def parameters_of(tree: ast.Module) -> Parameters:
    """The parameters of every function and constructor of a module."""
    found = Parameters()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            found.by_name.update(_fields(node))
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    found.by_name.setdefault(node.name, _parameter_names(each)[1:])
                    found.optional.setdefault(node.name, _optional(each))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = _parameter_names(node)
            if names[:1] in (["self"], ["cls"]):
                names = names[1:]
            found.by_name.setdefault(node.name, names)
            found.optional.setdefault(node.name, _optional(node))
    return found


def _fields(node: ast.ClassDef) -> dict[str, list[str]]:
    """What the constructor of a dataclass takes."""
    if not any("dataclass" in unparse(each) for each in node.decorator_list):
        return {}
    fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
    return {node.name: [each.id for each in fields if isinstance(each, ast.Name)]}


def _optional(node: "ast.FunctionDef | ast.AsyncFunctionDef") -> frozenset[str]:
    defaults = len(node.args.defaults)
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return frozenset((*(_parameter_names(node)[-defaults:] if defaults else ()),
                      *(each.arg for each, default in named if default is not None)))  # fmt: skip


def _parameter_names(node: "ast.FunctionDef | ast.AsyncFunctionDef") -> list[str]:
    return [each.arg for each in (*node.args.posonlyargs, *node.args.args)]


class Whole:
    """Which nodes of a body are values: literals; of one callee also arguments and results.

    What is used up by reading it stays in the body: a row may be run again.
    """

    def __init__(self, callee: str) -> None:
        self.callee = callee
        self._arguments: set[int] = set()

    def is_value(self, node: ast.expr) -> bool:
        """Whether a node is taken as one value; asked of outer nodes first."""
        if is_literal(node) or id(node) in self._arguments:
            return True
        if self.callee and isinstance(node, ast.Call) and called(node) == self.callee:
            given = [*node.args, *(each.value for each in node.keywords)]
            held = node.func.value if isinstance(node.func, ast.Attribute) else None
            given += [held] if isinstance(held, ast.Call) else []
            self._arguments.update(id(each) for each in given if not _is_used_up(each))
        elif self.callee and isinstance(node, ast.Compare):
            self._arguments.add(id(node.comparators[-1]))
        return False


def _is_used_up(node: ast.expr) -> bool:
    name = dotted_name(node.func) if isinstance(node, ast.Call) else ""
    return isinstance(node, ast.Starred | ast.GeneratorExp) or (name or "").startswith(_USED_UP)


def called(node: ast.Call) -> str:
    """The last part of the name of what is called."""
    if isinstance(node.func, ast.Attribute):
        return node.func.attr
    return node.func.id if isinstance(node.func, ast.Name) else ""


class _Taker(ast.NodeTransformer):
    """Replaces values by holes, outermost first."""

    def __init__(self, parameters: Parameters, callee: str) -> None:
        self.parameters = parameters
        self.whole = Whole(callee)
        self.holes: list[Hole] = []
        self.roles: dict[int, str] = {}

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and self.whole.is_value(node):
            role = self.roles.get(id(node), "value")
            self.holes.append(Hole(node, role))
            return ast.Name("_hole", ast.Load())
        self._note_roles(node)
        if isinstance(node, ast.Call) and dotted_name(node.func) == "pytest.raises":
            for keyword in node.keywords:
                self.roles[id(keyword.value)] = "message"
        return super().visit(node)

    def _expect(self, node: ast.expr) -> None:
        """What stands on the right of a comparison, and the arguments of a call there."""
        self.roles[id(node)] = "expected"
        if isinstance(node, ast.Call):
            for place, argument in enumerate(node.args):
                name = self.parameters.name_of(node, place) or "value"
                self.roles[id(argument)] = f"expected_{name}"
            for keyword in node.keywords:
                self.roles[id(keyword.value)] = f"expected_{keyword.arg}"

    def _note_roles(self, node: ast.AST) -> None:
        if isinstance(node, ast.Call):
            for place, argument in enumerate(node.args):
                name = self.parameters.name_of(node, place)
                if name is not None:
                    self.roles.setdefault(id(argument), name)
            for keyword in node.keywords:
                self.roles.setdefault(id(keyword.value), keyword.arg or "value")
            if isinstance(node.func, ast.Attribute) and isinstance(node.func.value, ast.Call):
                self.roles.setdefault(id(node.func.value), _made(node.func.value))
        elif isinstance(node, ast.Compare):
            self._expect(node.comparators[-1])
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.roles[id(node.value)] = node.targets[0].id
        elif isinstance(node, ast.Subscript):
            self.roles[id(node.slice)] = "key"


def _made(call: ast.Call) -> str:
    """What an object is called that a call makes: `Version.parse("1.0")`, `version`."""
    names = (dotted_name(call.func) or "").split(".")
    owners = [name for name in names if name[:1].isupper()]
    return variable((owners or names)[-1]) or "value"


_MOST_COLUMNS = 5
_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_KEPT_KINDS = 2
_MESSAGE = "message"
"""What is expected comes after what is given."""


@dataclass(frozen=True, slots=True)
class Table:
    """Names of columns with their types, rows of values, and the body that uses the names."""

    names: tuple[str, ...]
    types: tuple[str, ...]
    rows: tuple[tuple[ast.expr, ...], ...]
    body: tuple[ast.stmt, ...]
    order: tuple[int, ...]
    """For each row, its place among the bodies it was made of."""


def table_of(
    bodies: Sequence[Sequence[ast.stmt]], shapes: Sequence[Shape], callee: str = ""
) -> Table | None:
    """The table of bodies of one shape; None when it would have too many columns.

    `callee` is what the shapes were made with.
    """
    width = len(shapes[0].holes)
    texts = [[unparse(shape.holes[place].node) for shape in shapes] for place in range(width)]
    varying = [place for place in range(width) if len(set(texts[place])) > 1]
    columns: list[int] = []
    for place in varying:
        if all(texts[place] != texts[other] for other in columns):
            columns.append(place)
    if not columns or len(columns) > _MOST_COLUMNS:
        return None
    columns.sort(key=lambda place: shapes[0].holes[place].role == _MESSAGE)
    names = _column_names([_role(shapes, place) for place in columns], bodies[0])
    same = {
        place: names[next(at for at, other in enumerate(columns) if texts[other] == texts[place])]
        for place in varying
    }
    filler = _Filler(same, callee)
    body = tuple(filler.visit(fresh_module(unparse(each)).body[0]) for each in bodies[0])
    rows = [tuple(shape.holes[place].node for place in columns) for shape in shapes]
    order = sorted(range(len(rows)), key=lambda place: [_rank(node) for node in rows[place]])
    types = tuple(annotation([row[at] for row in rows]) for at in range(len(columns)))
    return Table(names, types, tuple(rows[place] for place in order), body, tuple(order))


def _role(shapes: Sequence[Shape], place: int) -> str:
    """What most of the bodies call a value."""
    roles = [shape.holes[place].role for shape in shapes]
    return max(dict.fromkeys(roles), key=roles.count)


def _column_names(told: Sequence[str], body: Sequence[ast.stmt]) -> tuple[str, ...]:
    roles = [role if role.isidentifier() else "value" for role in told]
    used = {node.id for each in body for node in ast.walk(each) if isinstance(node, ast.Name)} | {
        "pytest"
    }
    found: list[str] = []
    for role in roles:
        name = role.strip("_") or "value"
        if roles.count(role) > 1:
            name = f"{_ORDINALS[sum(each.endswith(f'_{name}') for each in found)]}_{name}"
        while name in used or name in found or keyword.iskeyword(name):
            name = f"given_{name}"
        found.append(name)
    return tuple(found)


class _Filler(ast.NodeTransformer):
    """Puts the names of columns where values stood, in the order in which they were taken."""

    def __init__(self, names: dict[int, str], callee: str) -> None:
        self.names = names
        self.whole = Whole(callee)
        self.place = -1

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and self.whole.is_value(node):
            self.place += 1
            name = self.names.get(self.place)
            return node if name is None else ast.Name(name, ast.Load())
        return super().visit(node)


def _rank(node: ast.expr) -> tuple[int, float, int, str]:
    """Numbers by size, then texts and the rest by length."""
    text = unparse(node)
    try:
        value = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError):
        return 3, 0.0, len(text), text
    if isinstance(value, (bool, int, float)) and value == value:
        return 1, float(max(-1e300, min(1e300, value))), len(text), text
    return (0 if value is None else 2), 0.0, len(text), text


def annotation(nodes: Sequence[ast.expr]) -> str:
    """The type of a column."""
    kinds = {_kind(node) for node in nodes}
    if {"int", "float"} <= kinds:
        kinds.discard("int")
    kinds = _widened(kinds)
    has_none = "None" in kinds
    kinds.discard("None")
    if len(kinds) > _KEPT_KINDS or "Any" in kinds or not kinds:
        return "Any"
    return " | ".join([*sorted(kinds), *(["None"] if has_none else [])])


def _widened(kinds: set[str]) -> set[str]:
    """One `list[Any]` instead of several kinds of lists."""
    heads = [kind.partition("[")[0] for kind in kinds]
    widths = {"list": "list[Any]", "set": "set[Any]", "dict": "dict[Any, Any]"}
    return {
        widths.get(head, kind) if heads.count(head) > 1 else kind
        for kind, head in ((kind, kind.partition("[")[0]) for kind in kinds)
    }


def _kind(node: ast.expr) -> str:
    try:
        value = ast.literal_eval(node)
    except (ValueError, SyntaxError, TypeError):
        return _constructed(node)
    return _kind_of(value)


def _kind_of(value: object) -> str:
    if value is None:
        return "None"
    if isinstance(value, (list, set)):
        inner = {_kind_of(each) for each in value}
        return f"{type(value).__name__}[{inner.pop() if len(inner) == 1 else 'Any'}]"
    if isinstance(value, tuple):
        return "tuple[Any, ...]"
    if isinstance(value, dict):
        keys, values = (
            {_kind_of(each) for each in value},
            {_kind_of(each) for each in value.values()},
        )
        return (
            f"dict[{keys.pop() if len(keys) == 1 else 'Any'}, "
            f"{values.pop() if len(values) == 1 else 'Any'}]"
        )
    return type(value).__name__


def _constructed(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        name = unparse(node.func)
        if name in ("float", "complex", "bytearray"):
            return name
        if "." not in name and name[:1].isupper():
            return name
        if name.count(".") == 1 and name.rpartition(".")[2][:1].isupper():
            return name
        if name in ("datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta"):
            return name
    return "Any"
