"""Walks along rows or pairs for each key, answered by a table that is made once."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.optimise.patterns.filters import is_used_after
from reverie.dreamers.rewriting.purity import working_body
from reverie.dreamers.rewriting.repeats import kind_inside, place_in, steady_repeats
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.unparsing import unparse


@dataclass(frozen=True, slots=True)
class _KeyWalk:
    """`for row in rows: if key == x: return answer`, and what is answered otherwise."""

    key: str
    answer: str
    rows_at: int
    otherwise: str | None


def join_by_key(scene: Scene) -> Iterator[Edits]:
    """A helper walks along rows to the first with a key; the key's rows are indexed instead."""
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        found = _first_match(scene, node.func.id)
        if found is None or len(node.args) != 2 or node.keywords:
            continue
        rows, wanted = node.args[found.rows_at], node.args[1 - found.rows_at]
        steady = scene.steady_loops(node, rows.id) if isinstance(rows, ast.Name) else []
        kind = scene.kind_of(wanted)
        if not steady or (kind is not None and not kind.is_hashable):
            continue
        yield _indexed(scene, node, found, (unparse(rows), scene.source.of(wanted)), steady[-1])


def _indexed(
    scene: Scene, call: ast.Call, found: _KeyWalk, parts: tuple[str, str], loop: Loop
) -> Edits:
    """A nested function that walks on where the last walk ended, and no further than it has to."""
    rows, wanted = parts
    known, left = scene.fresh(f"known_{rows}"), scene.fresh(f"left_{rows}")
    find, row, key = scene.fresh(f"first_of_{rows}"), scene.fresh("row"), scene.fresh("wanted")
    otherwise = found.otherwise or f"{unparse(call.func)}({_given(found, rows, key)})"
    lines = (
        f"{known}, {left} = {{}}, iter({rows})",
        "",
        f"def {find}({key}):",
        f"    if {key} in {known}:",
        f"        return {found.answer.format(f'{known}[{key}]')}",
        f"    for {row} in {left}:",
        f"        {known}.setdefault({found.key.format(row)}, {row})",
        f"        if {found.key.format(row)} == {key}:",
        f"            return {found.answer.format(row)}",
        f"    return {otherwise}",
        "",
    )
    made = scene.source.before(scene.statement_of(loop), *lines)
    return Edits((made, scene.source.replaced(call, f"{find}({wanted})")))


def _given(found: _KeyWalk, rows: str, key: str) -> str:
    return f"{rows}, {key}" if found.rows_at == 0 else f"{key}, {rows}"


def _first_match(scene: Scene, name: str) -> _KeyWalk | None:
    """The walk of a helper to the first row with a key, when it does nothing else."""
    function = scene.functions.get(name)
    if function is None or len(function.args.args) != 2 or function.decorator_list:
        return None
    body = working_body(function)
    match body:
        case [
            ast.For(
                target=ast.Name(id=row),
                iter=ast.Name(id=rows),
                body=[ast.If(test=test, body=[ast.Return(value=ast.expr() as found)], orelse=[])],
                orelse=[],
            ),
            *rest,
        ] if len(rest) < 2:
            names = [each.arg for each in function.args.args]
            wanted = names[1 - names.index(rows)] if rows in names else None
            key, answer = _key_of(test, row, wanted), _part_of(found, row)
            if key is None or answer is None:
                return None
            return _KeyWalk(key, answer, names.index(rows), _otherwise(rest))
    return None


def _otherwise(rest: list[ast.stmt]) -> str | None:
    """What a walk answers that finds nothing; None where only the helper can say."""
    match rest:
        case []:
            return "None"
        case [ast.Return(value=None)]:
            return "None"
        case [ast.Return(value=ast.Constant() as constant)]:
            return unparse(constant)
    return None


def _part_of(node: ast.expr, row: str) -> str | None:
    """A row, its field or its item, with `{}` in its place."""
    match node:
        case ast.Name(id=name) if name == row:
            return "{}"
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant() as key) if name == row:
            return f"{{}}[{key.value!r}]"
        case ast.Attribute(value=ast.Name(id=name), attr=attr) if name == row:
            return f"{{}}.{attr}"
    return None


def _key_of(test: ast.expr, row: str, wanted: str | None) -> str | None:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            for one, two in ((left, right), (right, left)):
                if isinstance(two, ast.Name) and two.id == wanted:
                    return _part_of(one, row)
    return None


@dataclass(frozen=True, slots=True)
class _PairWalk:
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


def _only_walk(scene: Scene, helper: Function) -> _PairWalk | None:
    """The one use that a helper makes of its rows, for a value that it is given."""
    inside = Scene(scene.source, helper)
    for walk in _walks(inside):
        given = inside.parameters.keys() >= {walk.rows.id, walk.wanted}
        once = len(inside.names(walk.rows.id)) == 1 and not inside.bindings(walk.wanted)
        if given and once and not helper.decorator_list and not _is_left(inside, walk):
            return walk
    return None


def _is_left(scene: Scene, walk: _PairWalk) -> bool:
    """Whether the names of the walk are read after it, or its value is another one meanwhile."""
    if isinstance(walk.node, ast.For) and is_used_after(scene, walk.node.target, walk.node):
        return True
    return bool(scene.bindings(walk.wanted, walk.node))


def _walks(scene: Scene) -> Iterator[_PairWalk]:
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
) -> _PairWalk | None:
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
                wanted.add(unparse(other))
                asked = kind_inside(scene, other)
                if not isinstance(other, ast.Name) or asked is None or not asked.is_exact:
                    return None
                break
        else:
            return None
    if len(places) != 2 or len(wanted) != 1 or max(places) >= len(item.items):
        return None
    one, two = sorted(places)
    return _PairWalk(node, rows, wanted.pop(), (one, two))


def _table(scene: Scene, walk: _PairWalk, rows: str) -> tuple[str, tuple[str, ...]]:
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
