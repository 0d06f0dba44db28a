"""Places of the least or the greatest that are found by walking along."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.counts import TURNED
from reverie.dreamers.rewriting.equalities import is_bound_elsewhere
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def extreme_place(scene: Scene) -> Iterator[Edits]:
    """`best = 0`, then a walk along the places that keeps the better one: `min` of the places."""
    for made in scene.statements():
        block = scene.block_of(made)
        at = block.index(made) + 1
        walk = block[at] if at < len(block) else None
        match made, walk:
            case (
                ast.Assign(targets=[ast.Name(id=best)], value=ast.Constant() as start),
                ast.For(
                    target=ast.Name(id=i) as target,
                    iter=ast.Call(func=ast.Name(id="range")) as along,
                    body=[ast.If(test=ast.Compare() as test, body=[kept], orelse=[])],
                    orelse=[],
                ),
            ) if ast.unparse(start) == "0" and ast.unparse(kept) == f"{best} = {i}":
                xs, which = _compared(test, i, best)
                kind = scene.kinds.get(xs)
                if kind is None or kind.name != "list" or len({xs, i, best}) != 3:
                    continue
                if ast.unparse(along) not in (f"range(1, len({xs}))", f"range(len({xs}))"):
                    continue
                is_last = isinstance(test.ops[0], ast.LtE | ast.GtE)
                ordered = kind.item is not None and kind.item.is_ordered
                if (is_last and not ordered) or is_bound_elsewhere(scene, target, walk):
                    continue
                places = f"reversed(range(len({xs})))" if is_last else f"range(len({xs}))"
                text = f"{best} = {which}({places}, key={xs}.__getitem__, default=0)"
                begin, end = scene.source.span(made)[0], scene.source.span(walk)[1]
                yield Edits((Edit(begin, end, text),))


def _compared(test: ast.Compare, i: str, best: str) -> tuple[str, str]:
    """The list of `xs[i] < xs[best]`, in either order, and what is looked for; else nothing."""
    match test:
        case ast.Compare(
            left=ast.Subscript(value=ast.Name(id=xs), slice=ast.Name(id=one)),
            ops=[sign],
            comparators=[ast.Subscript(value=ast.Name(id=other), slice=ast.Name(id=two))],
        ) if xs == other:
            kind = TURNED.get(type(sign)) if (one, two) == (best, i) else type(sign)
            if {one, two} == {i, best} and kind is not None:
                which = {ast.Lt: "min", ast.LtE: "min", ast.Gt: "max", ast.GtE: "max"}.get(kind)
                return xs, which or ""
    return "", ""
