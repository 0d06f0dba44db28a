"""Tests that differ only in data: what is the same becomes a body, what differs a table."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.dreamers.enrich.writing.admission import dotted, is_literal


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


def shape_of(body: Sequence[ast.stmt], parameters: "Parameters") -> Shape:
    """Take the values out of a body."""
    taker = _Taker(parameters)
    copied = [ast.parse(ast.unparse(statement)).body[0] for statement in body]
    emptied = [taker.visit(statement) for statement in copied]
    key = "\n".join(ast.dump(statement) for statement in emptied)
    return Shape(key, tuple(taker.holes))


@dataclass
class Parameters:
    """Names of parameters of the module's callables, by the last part of their name."""

    by_name: dict[str, list[str]] = field(default_factory=dict)

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
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == "__init__":
                    found.by_name.setdefault(node.name, _names(each)[1:])
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            names = _names(node)
            if names[:1] in (["self"], ["cls"]):
                names = names[1:]
            found.by_name.setdefault(node.name, names)
    return found


def _names(node: "ast.FunctionDef | ast.AsyncFunctionDef") -> list[str]:
    return [each.arg for each in (*node.args.posonlyargs, *node.args.args)]


class _Taker(ast.NodeTransformer):
    """Replaces values by holes, outermost first."""

    def __init__(self, parameters: Parameters) -> None:
        self.parameters = parameters
        self.holes: list[Hole] = []
        self.roles: dict[int, str] = {}

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.expr) and is_literal(node):
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
        elif isinstance(node, ast.Compare):
            self._expect(node.comparators[-1])
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            self.roles[id(node.value)] = node.targets[0].id
        elif isinstance(node, ast.Subscript):
            self.roles[id(node.slice)] = "key"
