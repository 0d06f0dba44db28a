"""Extremes of a part of a list, found by walking along it."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.linear import linear
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def ranged_extreme(scene: Scene) -> Iterator[Edits]:
    """`best = xs[a]`, then `for j in range(a + 1, b)` that keeps the larger: `max` of a slice."""
    for made in scene.statements():
        block = scene.block_of(made)
        at = block.index(made) + 1
        walk = block[at] if at < len(block) else None
        match made, walk:
            case (
                ast.Assign(
                    targets=[ast.Name(id=best)],
                    value=ast.Subscript(value=ast.Name(id=xs), slice=first),
                ),
                ast.For(
                    target=ast.Name(id=j),
                    iter=ast.Call(func=ast.Name(id="range"), args=[low, high]),
                    body=[kept],
                    orelse=[],
                ),
            ):
                which = _kept(kept, best, f"{xs}[{j}]")
                start, stop = scene.source.of(first), scene.source.of(high)
                test = f"0 <= {start} < {stop} <= len({xs})"
                is_guarded = test in ast.unparse(scene.parents[made])
                bounds = _bounds(scene, (first, low, high), (best, xs, j))
                if (
                    which is None
                    or is_guarded
                    or not bounds
                    or len(scene.names(j)) != len(scene.names(j, walk))
                ):
                    continue
                kind = scene.kinds.get(xs)
                if kind is not None and kind.is_list and kind.item and kind.item.is_ordered:
                    fast = f"{best} = {which}({xs}[{start}:{stop}])"
                    yield _if_within(scene, (made, walk), test, fast)


def _kept(node: ast.stmt, best: str, value: str) -> str | None:
    """Whether the larger or the smaller is kept, the first of equal ones."""
    for which, sign, turned in (("max", ">", "<"), ("min", "<", ">")):
        kept = f":\n    {best} = {value}"
        shapes = (
            f"if {value} {sign} {best}{kept}",
            f"if {best} {turned} {value}{kept}",
            f"{best} = {which}({best}, {value})",
        )
        if ast.unparse(node) in shapes:
            return which
    return None


def _bounds(scene: Scene, places: tuple[ast.expr, ...], names: tuple[str, ...]) -> bool:
    """Whether the walk begins at the first place or behind it, and both are whole numbers."""
    start, after, stop = (linear(each) for each in places)
    if start is None or after is None or stop is None or not start.names:
        return False
    skipped = after.plus(start, -1)
    used = start.names | stop.names
    kinds = [scene.kinds.get(each) for each in used if each.isidentifier()]
    are_whole = all(kind is not None and kind.name == "int" for kind in kinds)
    return are_whole and not skipped.names and skipped.number in (0, 1) and not used & set(names)


def _if_within(scene: Scene, slow: tuple[ast.stmt, ast.stmt], test: str, fast: str) -> Edits:
    """The fast way where all places are there; what was there before for any others."""
    source, (first, last) = scene.source, slow
    indent, (start, end) = source.indent_of(first), (source.span(first)[0], source.span(last)[1])
    old = source.text.encode()[start:end].decode().replace("\n", "\n    ")
    text = f"if {test}:\n{indent}    {fast}\n{indent}else:\n{indent}    {old}"
    return Edits((Edit(start, end, text),))
