"""Order that is there and not made use of, or made again for each that is taken."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


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
