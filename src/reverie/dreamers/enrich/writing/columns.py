"""A table of data for one body: columns with names and types, rows in a sensible order."""

import ast
import keyword
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from reverie.dreamers.enrich.writing.shapes import Shape, Whole

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
    texts = [[ast.unparse(shape.holes[place].node) for shape in shapes] for place in range(width)]
    varying = [place for place in range(width) if len(set(texts[place])) > 1]
    columns: list[int] = []
    for place in varying:
        if all(texts[place] != texts[other] for other in columns):
            columns.append(place)
    if not columns or len(columns) > _MOST_COLUMNS:
        return None
    columns.sort(key=lambda place: shapes[0].holes[place].role == _MESSAGE)
    names = _names([_role(shapes, place) for place in columns], bodies[0])
    same = {
        place: names[next(at for at, other in enumerate(columns) if texts[other] == texts[place])]
        for place in varying
    }
    filler = _Filler(same, callee)
    body = tuple(filler.visit(ast.parse(ast.unparse(each)).body[0]) for each in bodies[0])
    rows = [tuple(shape.holes[place].node for place in columns) for shape in shapes]
    order = sorted(range(len(rows)), key=lambda place: [_rank(node) for node in rows[place]])
    types = tuple(annotation([row[at] for row in rows]) for at in range(len(columns)))
    return Table(names, types, tuple(rows[place] for place in order), body, tuple(order))


def _role(shapes: Sequence[Shape], place: int) -> str:
    """What most of the bodies call a value."""
    roles = [shape.holes[place].role for shape in shapes]
    return max(dict.fromkeys(roles), key=roles.count)


def _names(told: Sequence[str], body: Sequence[ast.stmt]) -> tuple[str, ...]:
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
    text = ast.unparse(node)
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
        name = ast.unparse(node.func)
        if name in ("float", "complex", "bytearray"):
            return name
        if "." not in name and name[:1].isupper():
            return name
        if name.count(".") == 1 and name.rpartition(".")[2][:1].isupper():
            return name
        if name in ("datetime.date", "datetime.datetime", "datetime.time", "datetime.timedelta"):
            return name
    return "Any"
