"""Order that is made again and again, made for a few, or there and not used."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.syntax.unparsing import unparse


def sorted_in_loop(scene: Scene) -> Iterator[Edits]:
    """`xs.append(x)` then `sorted(xs)` in the same loop: put it in its place."""
    for call in _named_calls(scene, "sorted"):
        if len(call.args) != 1 or call.keywords or not isinstance(call.args[0], ast.Name):
            continue
        name = call.args[0].id
        appends = scene.method_calls(name, "append")
        loops = scene.loops_around(call)
        if len(appends) != 1 or not loops or loops[0] not in scene.loops_around(appends[0]):
            continue
        used = [each for each in scene.names(name) if isinstance(each.ctx, ast.Load)]
        if len(used) != 2 or not _begins_empty(scene, name) or not _only_read(scene, call):
            continue
        source = scene.source
        added = source.of(appends[0].args[0])
        edits = (
            source.replaced(appends[0], f"insort({name}, {added})"),
            source.replaced(call, name),
        )
        yield Edits(edits, frozenset({("bisect", "insort")}))


def _begins_empty(scene: Scene, name: str) -> bool:
    bindings = scene.bindings(name)
    if len(bindings) != 1 or name in scene.parameters:
        return False
    made = scene.statement_of(bindings[0])
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    return isinstance(value, ast.List) and not value.elts


def _only_read(scene: Scene, call: ast.Call) -> bool:
    """Whether the sorted list is not kept beyond its use, nor changed."""
    statement = scene.statement_of(call)
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=value) if value is call:
            return not any(scene.is_change(each) for each in scene.names(name) if _is_load(each))
    return not isinstance(scene.parents[call], ast.Return | ast.Assign | ast.keyword)


def _is_load(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Load)


def _named_calls(scene: Scene, *names: str) -> Iterator[ast.Call]:
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(func=ast.Name(id=name)) if name in names:
                yield node


def repeated_extreme(scene: Scene) -> Iterator[Edits]:
    """`while left: best = max(left); …; left.remove(best)`: sorted, once."""
    for statement in scene.statements():
        match statement:
            case ast.While(test=ast.Name(id=left), body=[first, *rest], orelse=[]):
                found = _extreme(first, left)
                removes = [each for each in rest if _removes(each, left, found)]
                if found is None or len(removes) != 1 or left in scene.parameters:
                    continue
                if len(scene.names(left, statement)) != 3 or _leaves(rest):
                    continue
                if not _is_own(scene, left) or scene.changes_elsewhere(left, statement):
                    continue
                yield _walk_sorted(scene, statement, found, removes[0])


def _is_own(scene: Scene, name: str) -> bool:
    """Whether the function makes the list, once, of what has an order."""
    kind, bindings = scene.kinds.get(name), scene.bindings(name)
    if kind is not None and kind.item is not None and kind.item.has_floats:
        return False
    made = scene.statement_of(bindings[0]) if len(bindings) == 1 else None
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    is_call = isinstance(value, ast.Call) and unparse(value.func) in ("list", "sorted")
    return is_call or isinstance(value, ast.List | ast.ListComp)


def _extreme(first: ast.stmt, left: str) -> tuple[str, str, str] | None:
    """What is bound, `max` or `min`, and the rest of the arguments."""
    match first:
        case ast.Assign(
            targets=[ast.Name(id=best)],
            value=ast.Call(
                func=ast.Name(id="max" | "min" as which),
                args=[ast.Name(id=name)],
                keywords=keywords,
            ),
        ) if name == left and all(each.arg == "key" for each in keywords):
            return best, which, "".join(f", key={unparse(each.value)}" for each in keywords)
    return None


def _removes(node: ast.stmt, left: str, found: tuple[str, str, str] | None) -> bool:
    return found is not None and unparse(node) == f"{left}.remove({found[0]})"


def _leaves(body: list[ast.stmt]) -> bool:
    kinds = (ast.Break, ast.Continue, ast.Return, ast.Raise, ast.Try)
    return any(isinstance(node, kinds) for each in body for node in ast.walk(each))


def _walk_sorted(
    scene: Scene, loop: ast.While, found: tuple[str, str, str], remove: ast.stmt
) -> Edits:
    best, which, key = found
    left = unparse(loop.test)
    order = ", reverse=True" if which == "max" else ""
    source = scene.source
    head = Edit(
        source.span(loop)[0],
        source.span(loop.body[0])[1],
        f"for {best} in sorted({left}{key}{order}):",
    )
    clear = [source.after(loop, f"{left}.clear()")] if _used_later(scene, loop, left) else []
    return Edits((head, source.removed(remove), *clear))


def _used_later(scene: Scene, loop: ast.While, name: str) -> bool:
    end = loop.end_lineno or 0
    return any(each.lineno > end for each in scene.names(name))


def heap(scene: Scene) -> Iterator[Edits]:
    """`xs.sort()` then `xs.pop(0)` each time round: a heap."""
    for loop in scene.statements():
        if not isinstance(loop, ast.While) or scene.loops_around(loop):
            continue
        for sort in loop.body:
            name = unparse(sort).removesuffix(".sort()")
            if not name.isidentifier() or unparse(sort) != f"{name}.sort()":
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
                if unparse(call) != f"{name}.pop(0)" or scene.loops_around(call) != [loop]:
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
