"""Whole numbers that are added up one by one, where `sum` says it and running totals know it."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.equalities import is_bound_elsewhere
from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.repeats import steady_repeats
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def added_up(scene: Scene) -> Iterator[Edits]:
    """`total = 0`, then `for x in xs[a:b]: total += x`, or by index: `sum`."""
    for made in scene.statements():
        block = scene.block_of(made)
        at = block.index(made) + 1
        walk = block[at] if at < len(block) else None
        match made, walk:
            case (
                ast.Assign(targets=[ast.Name(id=total)], value=ast.Constant() as start),
                ast.For(target=ast.Name(id=x), iter=things, body=[step], orelse=[]),
            ) if ast.unparse(start) == "0" and x != total and not scene.names(total, things):
                added = _added(step, total)
                what = None if added is None else _summed(scene, things, x, added)
                if what is None or is_bound_elsewhere(scene, walk.target, walk):
                    continue
                begin, end = scene.source.span(made)[0], scene.source.span(walk)[1]
                yield Edits((Edit(begin, end, f"{total} = sum({what})"),))


def _added(step: ast.stmt, total: str) -> ast.expr | None:
    """What is added to the total, `total = total + x` too."""
    match step:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=value):
            return value if name == total else None
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.BinOp(left=ast.Name(id=before), op=ast.Add(), right=value),
        ):
            return value if name == before == total else None
    return None


def _summed(scene: Scene, things: ast.expr, x: str, added: ast.expr) -> str | None:
    """What `sum` is asked: a list or a slice of it, or what a range of places holds."""
    source = scene.source
    match things, added:
        case ((ast.Name() | ast.Subscript(value=ast.Name(), slice=ast.Slice())), ast.Name(id=name)):
            kind = scene.kind_of(things)
            return source.of(things) if name == x and _is_whole(kind) else None
        case ast.Call(func=ast.Name(id="range")), ast.Subscript(
            value=ast.Name(id=xs), slice=ast.Name(id=name)
        ) if name == x != xs and _is_whole(scene.kinds.get(xs)):
            return f"{source.of(added)} for {x} in {source.of(things)}"
    return None


def _is_whole(kind: Kind | None) -> bool:
    """Whether it is a list of whole numbers: sums of others depend on how they are made."""
    item = kind.item if kind is not None and kind.is_list else None
    return item is not None and item.is_whole_number


def summed_range(scene: Scene) -> Iterator[Edits]:
    """`sum(xs[i] for i in range(a, b))`, again and again: the difference of two running totals."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Name(id="sum"),
                args=[
                    ast.GeneratorExp(
                        elt=ast.Subscript(value=ast.Name(id=xs), slice=ast.Name(id=i)),
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=target),
                                iter=ast.Call(func=ast.Name(id="range"), args=[*bounds]),
                                ifs=[],
                                is_async=0,
                            )
                        ],
                    )
                ],
                keywords=[],
            ) if i == target != xs and len(bounds) in (1, 2) and _is_whole(scene.kinds.get(xs)):
                edits = _from_totals(scene, node, xs, bounds)
                if edits is not None:
                    yield edits


def _from_totals(scene: Scene, node: ast.Call, xs: str, bounds: list[ast.expr]) -> Edits | None:
    steady = steady_repeats(scene, node, xs)
    parts = [part for each in bounds for part in ast.walk(each)]
    is_left = isinstance(scene.parents[node], ast.IfExp)
    if not steady or is_left or not all(scene.is_pure_node(e, frozenset()) for e in parts):
        return None
    totals, source = scene.fresh(f"{xs}_totals"), scene.source
    start, stop = ["0", *map(source.of, bounds)][-2:]
    made = source.before(
        scene.statement_of(steady[-1]), f"{totals} = list(accumulate({xs}, initial=0))"
    )
    text = (
        f"({totals}[{stop}] - {totals}[{start}] "
        f"if 0 <= {start} <= {stop} < len({totals}) else {source.of(node)})"
    )
    return Edits((made, source.replaced(node, text)), frozenset({("itertools", "accumulate")}))
