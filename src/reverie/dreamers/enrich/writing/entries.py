"""The body of one chosen candidate, and what its lines show: calls, flags, what was done before."""

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeGuard, TypeVar, cast

from reverie.dreamers.enrich.writing.admission import dotted
from reverie.dreamers.enrich.writing.naming import snake
from reverie.dreamers.enrich.writing.shapes import Parameters, called

Node = TypeVar("Node", bound=ast.AST)
Statement = TypeVar("Statement", bound=ast.stmt)
_WRAPPED = {"len": "__len__", "repr": "__repr__", "hash": "__hash__"}
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_ROW_CHARACTERS = 150
"""A longer line is better told as a story."""


@dataclass(frozen=True, slots=True)
class Entry:
    """The body of one chosen candidate. `key` finds it again when it has to go."""

    key: int
    callee: str
    body: tuple[ast.stmt, ...]
    arcs: frozenset[tuple[int, int]] = frozenset()
    """Steps through the module."""
    raised_at: int | None = None
    """The line of the module that raised, if one did."""
    is_known: bool = False
    """Whether people wrote it: an example of the documentation, a test, a call."""

    @property
    def is_example(self) -> bool:
        """Whether it is a single line that says all."""
        return len(self.body) == 1 and isinstance(self.body[0], ast.Assert)

    @property
    def is_story(self) -> bool:
        """Whether something is arranged first."""
        return len(self.body) > 1

    @property
    def exception(self) -> str | None:
        """What has to be raised."""
        for statement in self.body:
            for node in ast.walk(statement):
                is_raising = isinstance(node, ast.Call) and dotted(node.func) == "pytest.raises"
                if is_raising and isinstance(node, ast.Call) and node.args:
                    return ast.unparse(node.args[0])
        return None

    @property
    def expected(self) -> ast.expr | None:
        """What the last line compares with."""
        last = self.body[-1]
        if isinstance(last, ast.Assert) and isinstance(last.test, ast.Compare):
            return last.test.comparators[-1]
        return None

    @property
    def part(self) -> str:
        """What is looked at of the result, where it is not the whole: `base_version`, `__len__`."""
        last = self.body[-1]
        test = last.test if isinstance(last, ast.Assert) else None
        left = test.left if isinstance(test, ast.Compare) else test
        is_class = self._name[:1].isupper()
        if is_class and isinstance(test, ast.Compare) and isinstance(test.ops[0], _ORDERS):
            return "order"
        if isinstance(left, ast.Call) and isinstance(left.func, ast.Name):
            wrapped = _WRAPPED.get(left.func.id, "")
            return wrapped if is_class or wrapped == "__len__" else ""
        return _accessor(left, self._name)

    @property
    def _name(self) -> str:
        """What is called: of a constructor, the class."""
        owner, _, name = self.callee.rpartition(".")
        return owner.rpartition(".")[2] if name == "__init__" else name

    @property
    def own_calls(self) -> list[ast.Call]:
        """The calls of what the entry is about."""
        return [
            node
            for statement in self.body
            for node in ast.walk(statement)
            if isinstance(node, ast.Call) and called(node) == self._name
        ]

    @property
    def arguments(self) -> list[ast.expr]:
        """What the callee is given."""
        return [
            value
            for call in self.own_calls
            for value in (*call.args, *(each.value for each in call.keywords))
        ]

    def flags(self, parameters: Parameters) -> dict[str, ast.expr]:
        """What could have been left out and is given by name."""
        optional = parameters.optional.get(self.callee.rpartition(".")[2], frozenset())
        return {
            each.arg: each.value
            for call in self.own_calls
            for each in call.keywords
            if each.arg and (each.arg in optional or not parameters.by_name)
        }

    @property
    def earlier(self) -> list[str]:
        """What was done to the object before, in order."""
        found: list[str] = []
        known = {
            each.id
            for statement in self.body
            if isinstance(statement, ast.Assign)
            for each in statement.targets
            if isinstance(each, ast.Name)
        }
        for statement in self.body[:-1]:
            if isinstance(statement, ast.Assign) and isinstance(
                statement.targets[0], ast.Subscript
            ):
                found.append("setting_an_item")
            elif isinstance(statement, ast.Delete):
                found.append("deleting_an_item")
            else:
                calls = [node for node in ast.walk(statement) if isinstance(node, ast.Call)]
                found += [snake(called(node)) for node in calls if _object(node) in known]
        own = snake(self.callee.rpartition(".")[2])
        return list(dict.fromkeys(each for each in found if each and each != own))


def _accessor(node: ast.expr | None, own: str) -> str:
    """The first thing that is read of a result: of `f(x).named["a"]`, `named`."""
    found = ""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        if isinstance(node, ast.Call):
            if called(node) == own or not isinstance(node.func, ast.Attribute):
                break
            node = node.func
        found = node.attr if isinstance(node, ast.Attribute) else "item"
        node = node.value
    return found


def about_part(entry: Entry) -> Entry:
    """What is looked at of a new object is about that part of its class."""
    owner = entry.callee.removesuffix(".__init__")
    is_class = owner.rpartition(".")[2][:1].isupper()
    is_part = is_class and entry.part not in ("", "order", "item") and entry.exception is None
    return replace(entry, callee=f"{owner}.{entry.part}") if is_part else entry


def _object(call: ast.Call) -> str:
    """The name of the object that a method is called on."""
    held = call.func.value if isinstance(call.func, ast.Attribute) else None
    return held.id if isinstance(held, ast.Name) else ""


def flattened(entry: Entry, most: int = _ROW_CHARACTERS) -> Entry:
    """A story that only makes what its last line uses, as that line alone, if it is that short."""
    values: dict[str, ast.expr] = {}
    for statement in entry.body[:-1]:
        is_made = isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name)
        if not is_made or not isinstance(statement, ast.Assign):
            return entry
        name = ast.unparse(statement.targets[0])
        uses = [node.id for each in entry.body for node in ast.walk(each) if _is_read(node)]
        if uses.count(name) != 1:
            return entry
        values[name] = inlined(_copied(statement).value, values)
    last = inlined(_copied(entry.body[-1]), values)
    is_short = len(ast.unparse(last)) <= most
    return replace(entry, body=(last,)) if values and is_short else entry


def _copied(statement: Statement) -> Statement:
    return cast(Statement, ast.parse(ast.unparse(statement)).body[0])


def _is_read(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def inlined(node: Node, values: Mapping[str, ast.expr]) -> Node:
    """A node with values in the places of names."""
    return cast(Node, _Inlining(values).visit(node))


class _Inlining(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, ast.expr]) -> None:
        self.values = values

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self.values.get(node.id, node)


def merged_body(entries: Sequence[Entry]) -> tuple[ast.stmt, ...]:
    """The lines of several entries, one after the other."""
    return tuple(statement for entry in entries for statement in entry.body)
