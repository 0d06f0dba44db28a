"""Dates that are written out in a call, and the same on another day."""

import ast
import copy
import datetime

from reverie.syntax.unparsing import unparse

_DATE_PARTS = 3


def dates_in(tree: ast.AST) -> list[tuple[ast.expr, int]]:
    """Dates that are written out, each with its number of days."""
    calls = [each for each in ast.walk(tree) if isinstance(each, ast.Call)]
    return [(each, day) for each in calls if (day := day_of(each)) is not None]


def day_of(node: ast.AST) -> int | None:
    """The day of `date(2024, 2, 29)`, or of a `datetime` of plain numbers."""
    if not isinstance(node, ast.Call) or len(node.args) < _DATE_PARTS:
        return None
    name = node.func.attr if isinstance(node.func, ast.Attribute) else unparse(node.func)
    parts = [each.value for each in node.args[:_DATE_PARTS] if isinstance(each, ast.Constant)]
    if name not in ("date", "datetime") or [type(each) for each in parts] != [int] * _DATE_PARTS:
        return None
    try:
        return datetime.date(*parts).toordinal()  # type: ignore[arg-type]
    except (ValueError, OverflowError):
        return None


def on_day(node: ast.AST, day: int) -> ast.expr:
    """The same date on another day."""
    moved = copy.deepcopy(node)
    if isinstance(moved, ast.Call):
        last = datetime.date.max.toordinal()
        on = datetime.date.fromordinal(min(max(day, 1), last))
        moved.args[:_DATE_PARTS] = [ast.Constant(each) for each in (on.year, on.month, on.day)]
    return moved  # type: ignore[return-value]
