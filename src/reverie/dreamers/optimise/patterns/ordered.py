"""Order that is there and not made use of, or made again for each that is taken."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.counts import TURNED, counts_of
from reverie.dreamers.rewriting.repeats import steady_repeats
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def heap(scene: Scene) -> Iterator[Edits]:
    """`xs.sort()` then `xs.pop(0)` each time round: a heap."""
    for loop in scene.statements():
        if not isinstance(loop, ast.While) or scene.loops_around(loop):
            continue
        for sort in loop.body:
            name = ast.unparse(sort).removesuffix(".sort()")
            if not name.isidentifier() or ast.unparse(sort) != f"{name}.sort()":
                continue
            if _is_heap(scene, loop, sort, name):
                yield _heaped(scene, loop, sort, name)


def _is_heap(scene: Scene, loop: ast.While, sort: ast.stmt, name: str) -> bool:
    """Whether the list is the function's own, of plain values, and only fed and taken from."""
    kind = scene.kinds.get(name)
    if kind is None or kind.item is None or not kind.item.is_ordered or name in scene.parameters:
        return False
    if len(scene.bindings(name)) != 1 or loop.body[0] is not sort:
        return False
    if scene.changes_elsewhere(name, loop):
        return False
    if any(each.lineno > (loop.end_lineno or 0) for each in scene.names(name)):
        return False
    pops = 0
    for each in scene.names(name, loop):
        match scene.parents[each]:
            case ast.Attribute(attr="append" | "sort"):
                continue
            case ast.Attribute(attr="pop") as pop:
                call = scene.parents[pop]
                if ast.unparse(call) != f"{name}.pop(0)" or scene.loops_around(call) != [loop]:
                    return False
                pops += 1
            case ast.While(test=test) if test is each:
                continue
            case ast.Call(func=ast.Name(id="len")):
                continue
            case _:
                return False
    return pops == 1


def _heaped(scene: Scene, loop: ast.While, sort: ast.stmt, name: str) -> Edits:
    source = scene.source
    edits = [source.before(loop, f"heapify({name})"), source.removed(sort)]
    imports = {("heapq", "heapify"), ("heapq", "heappop")}
    edits += [
        source.replaced(call, f"heappop({name})") for call in scene.method_calls(name, "pop", loop)
    ]
    for call in scene.method_calls(name, "append", loop):
        edits.append(source.replaced(call, f"heappush({name}, {source.of(call.args[0])})"))
        imports.add(("heapq", "heappush"))
    return Edits(tuple(edits), frozenset(imports))


def sorted_search(scene: Scene) -> Iterator[Edits]:
    """`place = len(xs)`, then a walk to the first that is not smaller: bisection."""
    for made in scene.statements():
        block = scene.block_of(made)
        position = block.index(made) + 1
        walk = block[position] if position < len(block) else None
        match made, walk:
            case (
                ast.Assign(targets=[ast.Name(id=place)], value=start),
                ast.For(
                    target=ast.Tuple(elts=[ast.Name(id=i), ast.Name(id=each)]),
                    iter=ast.Call(func=ast.Name(id="enumerate"), args=[ast.Name(id=things)]),
                    body=[ast.If(test=test, body=[ast.Assign() as found, ast.Break()], orelse=[])],
                    orelse=[],
                ),
            ) if ast.unparse(start) == f"len({things})" and _is_sorted(scene, things):
                asked = _first_not_below(scene, test, each)
                if asked is None or ast.unparse(found) != f"{place} = {i}":
                    continue
                which, wanted = asked
                text = f"{place} = {which}({things}, {wanted})"
                start_at = scene.source.span(made)[0]
                yield Edits(
                    (Edit(start_at, scene.source.span(walk)[1], text),),
                    frozenset({("bisect", which)}),
                )


def _first_not_below(scene: Scene, test: ast.expr, each: str) -> tuple[str, str] | None:
    """How to bisect for the first item with `wanted <= item` or `wanted < item`."""
    match test:
        case ast.Compare(left=left, ops=[operator], comparators=[right]):
            kind = type(operator)
            if isinstance(left, ast.Name) and left.id == each:
                left, right, kind = right, left, TURNED.get(kind, kind)
            is_item = isinstance(right, ast.Name) and right.id == each
            which = {ast.LtE: "bisect_left", ast.Lt: "bisect_right"}.get(kind)
            if is_item and which and isinstance(left, ast.Name):
                wanted = scene.kind_of(left)
                exact = wanted is not None and wanted.is_ordered
                return (which, left.id) if exact else None
    return None


def _is_sorted(scene: Scene, name: str) -> bool:
    """Whether it was bound to `sorted(…)` and nothing changes it."""
    bindings, kind = scene.bindings(name), scene.kinds.get(name)
    if len(bindings) != 1 or kind is None or kind.item is None or not kind.item.is_ordered:
        return False
    made = scene.statement_of(bindings[0])
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    is_call = isinstance(value, ast.Call) and ast.unparse(value.func) == "sorted"
    plain = is_call and not value.keywords  # type: ignore[union-attr]
    return plain and not any(
        scene.is_change(each) for each in scene.names(name) if isinstance(each.ctx, ast.Load)
    )


def counted_below(scene: Scene) -> Iterator[Edits]:
    """`sum(1 for x in xs if x < y)` and `len([x for x in xs if x < y])` for many `y`."""
    for count in counts_of(scene):
        steady = steady_repeats(scene, count.node, count.things)
        if steady:
            ordered, source = scene.fresh(f"{count.things}_ordered"), scene.source
            made = source.before(
                scene.statement_of(steady[-1]), f"{ordered} = sorted({count.things})"
            )
            counted = source.replaced(count.node, count.among(ordered))
            yield Edits((made, counted), frozenset({("bisect", count.which)}))
