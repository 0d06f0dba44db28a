"""Tests that differ only in data: what is the same becomes a body, what differs a table."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.dreamers.enrich.writing.admission import dotted, is_literal
from reverie.dreamers.enrich.writing.naming import variable

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
    copied = [ast.parse(ast.unparse(statement)).body[0] for statement in body]
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
        called = dotted(call.func) or (
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
                    found.by_name.setdefault(node.name, _names(each)[1:])
                    found.optional.setdefault(node.name, _optional(each))
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = _names(node)
            if names[:1] in (["self"], ["cls"]):
                names = names[1:]
            found.by_name.setdefault(node.name, names)
            found.optional.setdefault(node.name, _optional(node))
    return found


def _fields(node: ast.ClassDef) -> dict[str, list[str]]:
    """What the constructor of a dataclass takes."""
    if not any("dataclass" in ast.unparse(each) for each in node.decorator_list):
        return {}
    fields = [each.target for each in node.body if isinstance(each, ast.AnnAssign)]
    return {node.name: [each.id for each in fields if isinstance(each, ast.Name)]}


def _optional(node: "ast.FunctionDef | ast.AsyncFunctionDef") -> frozenset[str]:
    defaults = len(node.args.defaults)
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return frozenset((*(_names(node)[-defaults:] if defaults else ()),
                      *(each.arg for each, default in named if default is not None)))  # fmt: skip


def _names(node: "ast.FunctionDef | ast.AsyncFunctionDef") -> list[str]:
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
    name = dotted(node.func) if isinstance(node, ast.Call) else ""
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
        if isinstance(node, ast.Call) and dotted(node.func) == "pytest.raises":
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
    names = (dotted(call.func) or "").split(".")
    owners = [name for name in names if name[:1].isupper()]
    return variable((owners or names)[-1]) or "value"
