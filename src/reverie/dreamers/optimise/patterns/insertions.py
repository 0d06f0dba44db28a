"""Places and extremes that are found by hand."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.equalities import looked_for
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def insertion(scene: Scene) -> Iterator[Edits]:
    """`place = 0`, a walk to the first larger one, then `insert`: bisection finds the place."""
    for made in scene.statements():
        block = scene.block_of(made)
        at = block.index(made)
        if len(block) < at + 3:
            continue
        texts = [ast.unparse(each) for each in block[at : at + 3]]
        place = texts[0].removesuffix(" = 0")
        if not place.isidentifier() or not isinstance(block[at + 1], ast.While):
            continue
        things, _, value = texts[2].removesuffix(")").partition(f".insert({place}, ")
        before, after = (
            f"while {place} < len({things}) and {things}[{place}] ",
            f" {value}:\n    {place} += 1",
        )
        sign = texts[1].removeprefix(before).removesuffix(after)
        how = {"<=": "insort", "<": "insort_left"}.get(sign)
        if how is None or not value.isidentifier() or not _is_filled_here(scene, things, place):
            continue
        start, end = scene.source.span(made)[0], scene.source.span(block[at + 2])[1]
        text = f"{how}({things}, {value})"
        yield Edits((Edit(start, end, text),), frozenset({("bisect", how)}))


def _is_filled_here(scene: Scene, things: str, place: str) -> bool:
    """Whether the list begins empty and is changed by the one `insert` alone, of plain values."""
    kind, bindings = scene.kinds.get(things), scene.bindings(things)
    if kind is None or kind.item is None or not kind.item.is_ordered or len(bindings) != 1:
        return False
    made = scene.statement_of(bindings[0])
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    empty = isinstance(value, ast.List) and not value.elts
    changes = [
        each
        for each in scene.names(things)
        if isinstance(each.ctx, ast.Load)
        and isinstance(scene.parents[each], ast.Attribute | ast.Subscript)
        and scene.is_change(each)
    ]
    return empty and len(changes) == 1 and len(scene.names(place)) == 5


def extreme_loop(scene: Scene) -> Iterator[Edits]:
    """`least = xs[0]`, then a walk that keeps the smaller: `min`."""
    for made in scene.statements():
        block = scene.block_of(made)
        at = block.index(made) + 1
        walk = block[at] if at < len(block) else None
        match made, walk:
            case (
                ast.Assign(
                    targets=[ast.Name(id=best)],
                    value=ast.Subscript(value=ast.Name(id=xs), slice=ast.Constant(value=0)),
                ),
                ast.For(target=ast.Name(id=x), iter=things, body=[ast.If() as test], orelse=[]),
            ) if ast.unparse(things) in (xs, f"{xs}[1:]"):
                shown = ast.unparse(test)
                kept = {f"if {x} {sign} {best}:\n    {best} = {x}": how
                        for sign, how in (("<", "min"), (">", "max"))}  # fmt: skip
                kind = scene.kinds.get(xs)
                exact = kind is not None and kind.item is not None and kind.item.is_ordered
                if shown not in kept or not exact or _is_used_after(scene, x, walk):
                    continue
                start, end = scene.source.span(made)[0], scene.source.span(walk)[1]
                yield Edits((Edit(start, end, f"{best} = {kept[shown]}({xs})"),))


def _is_used_after(scene: Scene, name: str, walk: ast.stmt) -> bool:
    return len(scene.names(name)) != len(scene.names(name, walk))


def returned_membership(scene: Scene) -> Iterator[Edits]:
    """`for y in xs: if y == x: return True`, then `return False`."""
    for walk in scene.statements():
        block = scene.block_of(walk)
        at = block.index(walk) + 1
        after = block[at] if at < len(block) else None
        match walk, after:
            case (
                ast.For(
                    target=target,
                    iter=ast.Name(id=xs) as things,
                    body=[ast.If(test=test, body=[ast.Return() as found], orelse=[])],
                    orelse=[],
                ),
                ast.Return(),
            ) if (ast.unparse(found), ast.unparse(after)) == ("return True", "return False"):
                wanted = looked_for(scene, test, target, things)
                if wanted is None:
                    continue
                start, end = scene.source.span(walk)[0], scene.source.span(after)[1]
                yield Edits((Edit(start, end, f"return {wanted} in {xs}"),))
