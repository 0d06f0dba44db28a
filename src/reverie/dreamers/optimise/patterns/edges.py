"""Pairs that are looked through for a value that may stand on either side of them."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.optimise.patterns.filters import is_used_after
from reverie.dreamers.rewriting.equalities import names_in, place_in
from reverie.dreamers.rewriting.repeats import kind_inside, steady_repeats
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edits


@dataclass(frozen=True, slots=True)
class _Walk:
    """`for a, b in rows`, where only rows with `a == wanted` or `b == wanted` do anything."""

    node: ast.AST
    rows: ast.Name
    wanted: str
    places: tuple[int, int]


def either_side(scene: Scene) -> Iterator[Edits]:
    """The walk goes along the rows of its value alone, which are gathered once."""
    for walk in _walks(scene):
        steady = steady_repeats(scene, walk.node, walk.rows.id)
        if steady and not _is_left(scene, walk):
            table, lines = _table(scene, walk, walk.rows.id)
            made = scene.source.before(scene.statement_of(steady[-1]), *lines)
            asked = f"{table}.get({walk.wanted}, ())"
            yield Edits((made, scene.source.replaced(walk.rows, asked)))


def handed_either_side(scene: Scene) -> Iterator[Edits]:
    """A helper that walks so is handed those rows alone."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=[]):
                helper = scene.functions.get(name)
                walk = None if helper is None else _only_walk(scene, helper)
                names = [each.arg for each in helper.args.args] if helper else []
                if walk is None or helper is scene.function or len(names) != len(args):
                    continue
                rows, wanted = (args[names.index(each)] for each in (walk.rows.id, walk.wanted))
                if not isinstance(rows, ast.Name) or not isinstance(wanted, ast.Name):
                    continue
                steady = steady_repeats(scene, node, rows.id)
                if steady:
                    table, lines = _table(scene, walk, rows.id)
                    made = scene.source.before(scene.statement_of(steady[-1]), *lines)
                    asked = f"{table}.get({wanted.id}, [])"
                    yield Edits((made, scene.source.replaced(rows, asked)))


def _only_walk(scene: Scene, helper: Function) -> _Walk | None:
    """The one use that a helper makes of its rows, for a value that it is given."""
    inside = Scene(scene.source, helper)
    for walk in _walks(inside):
        given = inside.parameters.keys() >= {walk.rows.id, walk.wanted}
        once = len(inside.names(walk.rows.id)) == 1 and not inside.bindings(walk.wanted)
        if given and once and not helper.decorator_list and not _is_left(inside, walk):
            return walk
    return None


def _is_left(scene: Scene, walk: _Walk) -> bool:
    """Whether the names of the walk are read after it, or its value is another one meanwhile."""
    if isinstance(walk.node, ast.For) and is_used_after(scene, walk.node.target, walk.node):
        return True
    return bool(scene.bindings(walk.wanted, walk.node))


def _walks(scene: Scene) -> Iterator[_Walk]:
    for node in ast.walk(scene.function):
        match node:
            case ast.For(target=target, iter=ast.Name() as rows, body=[ast.If() as first]):
                sides = _chain(first)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() if node.generators[0].ifs:
                part = node.generators[0]
                target, sides = part.target, _sides(part.ifs[0])
                if not isinstance(part.iter, ast.Name):
                    continue
                rows = part.iter
            case _:
                continue
        found = _both(scene, node, target, rows, sides)
        if found is not None:
            yield found


def _chain(first: ast.If) -> list[tuple[ast.expr, ast.expr]]:
    """The sides of each equality that a chain asks for; none where it ends with something else."""
    found = _sides(first.test)
    match first.orelse:
        case []:
            return found
        case [ast.If() as second]:
            more = _chain(second)
            return [*found, *more] if found and more else []
    return []


def _sides(test: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return [(left, right)]
        case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple(elts=elts)]):
            return [(left, each) for each in elts]
        case ast.BoolOp(op=ast.And(), values=[first, *_]):
            return _sides(first)
        case ast.BoolOp(op=ast.Or(), values=values):
            every = [_sides(each) for each in values]
            return [pair for each in every for pair in each] if all(every) else []
    return []


def _both(
    scene: Scene,
    node: ast.AST,
    target: ast.expr,
    rows: ast.Name,
    sides: list[tuple[ast.expr, ast.expr]],
) -> _Walk | None:
    kind = scene.kinds.get(rows.id)
    item = kind.item if kind is not None and kind.name == "list" else None
    size = len(target.elts) if isinstance(target, ast.Tuple) else 0
    if item is None or item.name != "tuple" or not item.is_exact:
        return None
    if (size and size != len(item.items)) or len(sides) < 2:
        return None
    places, wanted = set[int](), set[str]()
    for left, right in sides:
        for part, other in ((left, right), (right, left)):
            place = place_in(part, target)
            if place is not None and not names_in(other) & names_in(target):
                places.add(place)
                wanted.add(ast.unparse(other))
                asked = kind_inside(scene, other)
                if not isinstance(other, ast.Name) or asked is None or not asked.is_exact:
                    return None
                break
        else:
            return None
    if len(places) != 2 or len(wanted) != 1 or max(places) >= len(item.items):
        return None
    one, two = sorted(places)
    return _Walk(node, rows, wanted.pop(), (one, two))


def _table(scene: Scene, walk: _Walk, rows: str) -> tuple[str, tuple[str, ...]]:
    """The name of a table of rows by the values on both sides, and the lines that make it."""
    table, each = scene.fresh(f"{rows}_by_side"), scene.fresh("each")
    one, two = (f"{each}[{place}]" for place in walk.places)
    return table, (
        f"{table} = {{}}",
        f"for {each} in {rows}:",
        f"    {table}.setdefault({one}, []).append({each})",
        f"    if {two} != {one}:",
        f"        {table}.setdefault({two}, []).append({each})",
    )
