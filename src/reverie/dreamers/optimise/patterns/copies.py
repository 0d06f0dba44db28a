"""Copies that nobody needs."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


def read_only_copy(scene: Scene) -> Iterator[Edits]:
    """A copy of which only items are read."""
    for node in scene.statements():
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(args=[original]) as call):
                if not _is_copy(scene, call) or len(scene.bindings(name)) != 1:
                    continue
                if _is_only_read(scene, name) and _is_left_alone(scene, original):
                    yield Edits((scene.source.replaced(call, scene.source.of(original)),))


def _is_copy(scene: Scene, call: ast.Call) -> bool:
    """Whether it copies what can be read in the same way: an iterator would be used up."""
    shown = ast.unparse(call.func)
    if shown in ("copy.deepcopy", "deepcopy", "copy.copy"):
        return not call.keywords
    kind = scene.kind_of(call.args[0])
    alike = {"list": ("list",), "dict": ("dict",), "tuple": ("tuple", "list")}.get(shown, ())
    return kind is not None and kind.name in alike and not call.keywords


def _is_left_alone(scene: Scene, original: ast.expr) -> bool:
    """Whether the function changes nothing of what it would read instead."""
    names = {each.id for each in ast.walk(original) if isinstance(each, ast.Name)}
    return not any(
        scene.is_change(each) or not isinstance(each.ctx, ast.Load)
        for name in names
        for each in scene.names(name)
        if each not in set(ast.walk(original))
    )


def _is_only_read(scene: Scene, name: str) -> bool:
    """Whether it is only asked for its length, an item or a key, or walked along."""
    for each in scene.names(name):
        if isinstance(each.ctx, ast.Store):
            continue
        match scene.parents[each]:
            case ast.Attribute(attr="get" | "keys" | "values" | "items" | "count" | "index"):
                continue
            case ast.Subscript(ctx=ast.Load()) | ast.Compare():
                continue
            case ast.Call(
                func=ast.Name(id="len" | "sum" | "max" | "min" | "any" | "all" | "sorted")
            ):
                continue
            case ast.For(iter=iterated) | ast.comprehension(iter=iterated) if iterated is each:
                continue
        return False
    return True


def returned_copy(scene: Scene) -> Iterator[Edits]:
    """`return copy.deepcopy(x)`: whether anybody changes what is returned, the trial decides."""
    for node in scene.statements():
        match node:
            case ast.Return(value=ast.Call(args=[original]) as call) if "deepcopy" in ast.unparse(
                call.func
            ):
                yield Edits((scene.source.replaced(call, scene.source.of(original)),))


def same_comprehension(scene: Scene) -> Iterator[Edits]:
    """`[x for x in xs]`, and a loop that only appends."""
    for node in ast.walk(scene.function):
        match node:
            case ast.ListComp(
                elt=ast.Name(id=each),
                generators=[
                    ast.comprehension(target=ast.Name(id=target), iter=things, ifs=[], is_async=0)
                ],
            ) if each == target:
                yield Edits((scene.source.replaced(node, f"list({scene.source.of(things)})"),))


def append_loop(scene: Scene) -> Iterator[Edits]:
    """`out = []`, then a loop that appends one value each time round."""
    for node in scene.statements():
        block = scene.block_of(node)
        position = block.index(node)
        before = block[position - 1] if position else None
        match before, node:
            case (
                ast.Assign(targets=[ast.Name(id=out)], value=ast.List(elts=[])),
                ast.For(
                    target=target,
                    iter=things,
                    body=[
                        ast.Expr(
                            value=ast.Call(
                                func=ast.Attribute(value=ast.Name(id=name), attr="append"), args=[x]
                            )
                        )
                    ],
                    orelse=[],
                ),
            ) if out == name and not scene.names(out, x) and not scene.names(out, things):
                bound = {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
                if any(
                    each.lineno > (node.end_lineno or 0)
                    for each_name in bound
                    for each in scene.names(each_name)
                ):
                    continue
                source = scene.source
                text = f"{out} = [{source.of(x)} for {source.of(target)} in {source.of(things)}]"
                yield Edits((source.removed(before), source.replaced(node, text)))
