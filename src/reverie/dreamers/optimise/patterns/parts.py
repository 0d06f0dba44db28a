"""Questions to the part of a list before a place, or behind it, asked at every place."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.repeats import kind_inside, repeats_around, steady_repeats
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_BISECT = frozenset({("bisect", "bisect_left")})


@dataclass(frozen=True, slots=True)
class _Part:
    """`xs[:i]` or `xs[i + 1:]`, and what is asked of it."""

    node: ast.expr
    things: ast.Name
    place: ast.expr
    wanted: ast.expr
    is_front: bool


def member_of_part(scene: Scene) -> Iterator[Edits]:
    """`x in xs[:i]`: whether it stands anywhere earlier, by its first place."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(
                left=wanted,
                ops=[ast.In() | ast.NotIn() as how],
                comparators=[ast.Subscript() as cut],
            ):
                part = _part(node, cut, wanted)
                loop = _steady(scene, part) if part is not None else None
                if part is None or loop is None:
                    continue
                things, source = part.things.id, scene.source
                table = scene.fresh(f"{things}_{'firsts' if part.is_front else 'lasts'}")
                x, at = source.of(wanted), source.of(part.place)
                inner, item = scene.fresh("place"), scene.fresh("item")
                walk = f"enumerate({things})"
                if part.is_front:
                    made = f"{{{item}: {inner} for {inner}, {item} in reversed(list({walk}))}}"
                    sign = "<" if isinstance(how, ast.In) else ">="
                    text = f"{table}.get({x}, {at}) {sign} {at}"
                else:
                    made = f"{{{item}: {inner} for {inner}, {item} in {walk}}}"
                    sign = ">=" if isinstance(how, ast.In) else "<"
                    text = f"{table}.get({x}, -1) {sign} {at}"
                before = source.before(loop, f"{table} = {made}")
                yield Edits((before, source.replaced(node, text)))


def count_of_part(scene: Scene) -> Iterator[Edits]:
    """`xs[:i].count(x)`: how many of its places are earlier, by bisection."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Subscript() as cut, attr="count"), args=[wanted]
            ):
                part = _part(node, cut, wanted)
                loop = _steady(scene, part) if part is not None else None
                if part is None or loop is None:
                    continue
                things, source = part.things.id, scene.source
                table, inner = scene.fresh(f"{things}_places"), scene.fresh("place")
                item = scene.fresh("item")
                x, at = source.of(wanted), source.of(part.place)
                found = f"bisect_left({table}.get({x}, ()), {at})"
                text = found if part.is_front else f"(len({table}.get({x}, ())) - {found})"
                before = source.before(
                    loop,
                    f"{table} = {{}}",
                    f"for {inner}, {item} in enumerate({things}):",
                    f"    {table}.setdefault({item}, []).append({inner})",
                )
                yield Edits((before, source.replaced(node, text)), _BISECT)


def _part(node: ast.expr, cut: ast.Subscript, wanted: ast.expr) -> _Part | None:
    match cut:
        case ast.Subscript(
            value=ast.Name() as things, slice=ast.Slice(lower=None, upper=ast.Name() as upper)
        ) if cut.slice.step is None:  # type: ignore[attr-defined]
            return _Part(node, things, upper, wanted, is_front=True)
        case ast.Subscript(
            value=ast.Name() as things, slice=ast.Slice(lower=ast.expr() as lower, upper=None)
        ) if cut.slice.step is None:  # type: ignore[attr-defined]
            return _Part(node, things, lower, wanted, is_front=False)
    return None


def _steady(scene: Scene, part: _Part) -> ast.stmt | None:
    """The statement in front of which a table can be made: the list stays as it is behind it."""
    kind, asked = kind_inside(scene, part.things), kind_inside(scene, part.wanted)
    if kind is None or not kind.is_list or kind.item is None or not kind.item.is_exact:
        return None
    if asked is None or not asked.is_exact or not _is_place(scene, part):
        return None
    repeats = steady_repeats(scene, part.node, part.things.id)
    return scene.statement_of(repeats[-1]) if repeats else None


def _is_place(scene: Scene, part: _Part) -> bool:
    """Whether the bound is the number of a walk, or the one behind it: never below nought."""
    match part.place:
        case ast.Name(id=name):
            pass
        case ast.BinOp(left=ast.Name(id=name), op=ast.Add(), right=ast.Constant(value=1)):
            pass
        case _:
            return False
    for repeat in repeats_around(scene, part.node):
        walks = (
            [(repeat.target, repeat.iter)]
            if isinstance(repeat, ast.For)
            else [(each.target, each.iter) for each in getattr(repeat, "generators", ())]
        )
        for target, walk in walks:
            if _counts(target, walk) == name:
                return len(scene.bindings(name)) == 1
    return False


def _counts(target: ast.expr, walk: ast.expr) -> str | None:
    """The name that counts up from nought, or from a number above it."""
    match target, walk:
        case (
            ast.Tuple(elts=[ast.Name(id=name), _]),
            ast.Call(func=ast.Name(id="enumerate"), args=[_], keywords=[]),
        ):
            return name
        case ast.Name(id=name), ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
            starts = args[:1] if len(args) == 2 else []
            if len(args) < 3 and all(_is_number(each) for each in starts):
                return name
    return None


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int) and node.value >= 0
