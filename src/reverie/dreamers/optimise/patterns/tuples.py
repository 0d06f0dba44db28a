"""Tuples that are made anew for every item that they get."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.ownership import Grown, grown, is_read_only
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


def grown_tuple(scene: Scene) -> Iterator[Edits]:
    """`t = t + (x,)` in a loop: a list that becomes a tuple behind it."""
    for made in scene.statements():
        match made:
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AnnAssign(target=ast.Name(id=name), value=value)
            ) if isinstance(value, ast.Tuple) or ast.unparse(made).endswith(" = tuple()"):
                edits = _as_list(scene, made, name)
                if edits is not None:
                    yield edits


def _as_list(scene: Scene, made: ast.stmt, name: str) -> Edits | None:
    source, parts = scene.source, scene.fresh(f"{name}_parts")
    found = grown(
        scene,
        name,
        lambda value: isinstance(value, ast.Tuple) or ast.unparse(value) == "tuple()",
        lambda each: _extended(scene, each, name, parts),
    )
    if found is None or found.start is not made or found.loop not in scene.block_of(made):
        return None
    if found.is_tried or any(each not in found.inside for each in found.seen):
        return None
    start = found.start_value
    shown = ", ".join(source.of(each) for each in getattr(start, "elts", ()))
    edits = [source.replaced(made, f"{parts} = [{shown}]")]
    edits += [source.replaced(each, text) for each, text in found.steps]
    edits.append(source.after(found.loop, f"{name} = tuple({parts})"))
    for each in found.inside:
        match scene.parents[each]:
            case ast.Return():
                edits.append(source.replaced(each, f"tuple({parts})"))
            case _ if _is_like_list(scene, each, found):
                edits.append(source.replaced(each, parts))
            case _:
                return None
    return Edits(tuple(edits))


def _extended(scene: Scene, statement: ast.stmt, name: str, parts: str) -> str | None:
    of = scene.source.of
    match statement:
        case (
            ast.Assign(value=ast.BinOp(left=ast.Name(id=first), op=ast.Add(), right=right))
            | ast.AugAssign(target=ast.Name(id=first), op=ast.Add(), value=right)
        ) if first == name and not scene.names(name, right):
            if isinstance(right, ast.Tuple):
                return _with_items(scene, parts, right.elts)
            kind = scene.kind_of(right)
            is_tuple = kind is not None and kind.name == "tuple"
            return f"{parts}.extend({of(right)})" if is_tuple else None
        case ast.Assign(value=ast.Tuple(elts=[ast.Starred(value=ast.Name(id=first)), *more])) if (
            first == name and not any(scene.names(name, each) for each in more)
        ):
            return _with_items(scene, parts, more)
    return None


def _with_items(scene: Scene, parts: str, items: list[ast.expr]) -> str | None:
    match items:
        case []:
            return None
        case [one] if not isinstance(one, ast.Starred):
            return f"{parts}.append({scene.source.of(one)})"
    return f"{parts}.extend(({', '.join(scene.source.of(each) for each in items)},))"


def _is_like_list(scene: Scene, each: ast.Name, found: Grown) -> bool:
    """Whether a use means the same for a list."""
    match scene.parents[each]:
        case ast.Compare(ops=ops, left=left):
            return left is not each and all(isinstance(op, ast.In | ast.NotIn) for op in ops)
        case ast.Subscript(slice=ast.Slice()):
            return False
        case ast.Attribute() | ast.FormattedValue():
            return False
        case ast.Call(func=ast.Name(id="str" | "repr" | "print")):
            return False
    return is_read_only(scene, each, found)
