"""Pairs of one list that are found by trying all of them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_BISECT = frozenset({("bisect", "bisect_right")})


@dataclass(frozen=True, slots=True)
class _Pairs:
    """`for i in range(len(xs)): … for j in range(i + 1, len(xs)): if test: …`."""

    outer: ast.For
    inner: ast.For
    test: ast.expr
    things: str
    i: str
    j: str


def _all_pairs(scene: Scene) -> Iterator[_Pairs]:
    for outer in ast.walk(scene.function):
        match outer:
            case ast.For(target=ast.Name(id=i), iter=walk):
                things = ast.unparse(walk).removeprefix("range(len(").removesuffix("))")
                if ast.unparse(walk) != f"range(len({things}))" or not things.isidentifier():
                    continue
                for inner in ast.walk(outer):
                    match inner:
                        case ast.For(
                            target=ast.Name(id=j),
                            iter=rest,
                            body=[ast.If(test=test, orelse=[])],
                            orelse=[],
                        ) if ast.unparse(rest) == f"range({i} + 1, len({things}))":
                            yield _Pairs(outer, inner, test, things, i, j)


def matching_pairs(scene: Scene) -> Iterator[Edits]:
    """Places by value, once: the partners of a value are asked for."""
    for pairs in _all_pairs(scene):
        things = pairs.things
        kind = scene.kinds.get(things)
        if kind is None or not kind.is_list or kind.item is None:
            continue
        if scene.changes(things, pairs.outer) or scene.bindings(things, pairs.outer):
            continue
        if len(scene.bindings(pairs.i, pairs.outer)) + len(scene.bindings(pairs.j)) != 2:
            continue
        found = _partner(scene, pairs, kind.item)
        if found is not None:
            yield _by_places(scene, pairs, *found)


def _partner(scene: Scene, pairs: _Pairs, item: Kind) -> tuple[str, str] | None:
    """What `xs[j]`, or the part of it that is compared, has to be, without `j`; and the part."""
    one, other = f"{pairs.things}[{pairs.i}]", f"{pairs.things}[{pairs.j}]"
    match pairs.test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            texts = {ast.unparse(left), ast.unparse(right)}
            if texts == {one, other}:
                return (one, "") if item.is_exact else None
            if ast.unparse(left).replace(f"[{pairs.i}]", f"[{pairs.j}]") == ast.unparse(right):
                kind = scene.kind_of(left)
                part = ast.unparse(left).removeprefix(one)
                if kind is not None and kind.is_exact and part.startswith(("[", ".")):
                    return f"{one}{part}", part
            for both, goal in ((left, right), (right, left)):
                sums = {f"{one} + {other}", f"{other} + {one}"}
                whole = item.is_whole_number and ast.unparse(both) in sums
                if whole and _is_steady(scene, pairs, goal):
                    return f"{scene.source.of(goal)} - {one}", ""
    return None


def _is_steady(scene: Scene, pairs: _Pairs, goal: ast.expr) -> bool:
    kind = scene.kind_of(goal)
    if isinstance(goal, ast.Name) and scene.bindings(goal.id, pairs.outer):
        return False
    is_plain = isinstance(goal, ast.Name | ast.Constant)
    return is_plain and kind is not None and kind.is_whole_number


def _by_places(scene: Scene, pairs: _Pairs, wanted: str, part: str) -> Edits:
    source = scene.source
    places, thing = scene.fresh(f"{pairs.things}_places"), scene.fresh("thing")
    place, later = scene.fresh("place"), scene.fresh("later")
    made = source.before(
        pairs.outer,
        f"{places} = {{}}",
        f"for {place}, {thing} in enumerate({pairs.things}):",
        f"    {places}.setdefault({thing}{part}, []).append({place})",
    )
    inner = pairs.inner
    asked = source.before(inner, f"{later} = {places}.get({wanted}, ())")
    walk = source.replaced(inner.iter, f"{later}[bisect_right({later}, {pairs.i}):]")
    test = inner.body[0]
    body = source.without_head(test, test.body)  # type: ignore[attr-defined]
    edits = (made, asked, walk, *([] if body is None else [source.replaced(test, body)]))
    return Edits(edits, _BISECT)
