"""Counts of those in a list that are smaller or larger than a value, and the bisection for each."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.repeats import kind_inside
from reverie.dreamers.rewriting.scene import Scene

TURNED = {ast.Gt: ast.Lt, ast.GtE: ast.LtE, ast.Lt: ast.Gt, ast.LtE: ast.GtE}
"""The sign of a comparison whose sides change places."""


@dataclass(frozen=True, slots=True)
class Count:
    """A count of those in a list that are smaller, or larger, than a value."""

    node: ast.Call
    things: str
    which: str
    """The bisection that knows it."""
    wanted: str
    is_above: bool

    def among(self, ordered: str) -> str:
        """How many, by a list that is in order."""
        count = f"{self.which}({ordered}, {self.wanted})"
        return f"(len({ordered}) - {count})" if self.is_above else count


def counts_of(scene: Scene) -> Iterator[Count]:
    """Every count in a function of values that have one order."""
    for node in ast.walk(scene.function):
        match node:
            case (
                ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp() as walk], keywords=[])
                | ast.Call(func=ast.Name(id="len"), args=[ast.ListComp() as walk])
            ):
                found = _count(scene, node, walk)
                if found is not None:
                    yield found


def _count(scene: Scene, node: ast.Call, walk: ast.GeneratorExp | ast.ListComp) -> Count | None:
    match walk.generators:
        case [ast.comprehension(target=ast.Name(id=x), iter=ast.Name(id=xs), ifs=[test])]:
            pass
        case _:
            return None
    is_one = ast.unparse(walk.elt) == "1" or isinstance(walk, ast.ListComp)
    kind = scene.kinds.get(xs)
    if not is_one or kind is None or not kind.is_list or kind.item is None:
        return None
    asked = _count_of(scene, test, x) if kind.item.is_ordered and x != xs else None
    return None if asked is None else Count(node, xs, *asked)


def _count_of(scene: Scene, test: ast.expr, x: str) -> tuple[str, str, bool] | None:
    """Which bisection counts, what is asked for, and whether those above are wanted."""
    match test:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            kind = type(operator)
            if isinstance(right, ast.Name) and right.id == x:
                left, right, kind = right, left, TURNED.get(kind, kind)
            if not (isinstance(left, ast.Name) and left.id == x) or not _is_plain(right, x):
                return None
            wanted = kind_inside(scene, right)
            if wanted is None or not wanted.is_ordered:
                return None
            below = {ast.Lt: "bisect_left", ast.LtE: "bisect_right"}.get(kind)
            above = {ast.GtE: "bisect_left", ast.Gt: "bisect_right"}.get(kind)
            which = below or above
            shown = scene.source.of(right)
            return None if which is None else (which, shown, above is not None)
    return None


def _is_plain(node: ast.expr, x: str) -> bool:
    """Whether it is the same for each item, and cannot fail where there is none."""
    match node:
        case ast.Name(id=name):
            return name != x
        case ast.Constant():
            return True
        case ast.BinOp(left=left, right=right, op=ast.Add() | ast.Sub()):
            return _is_plain(left, x) and _is_plain(right, x)
    return False
