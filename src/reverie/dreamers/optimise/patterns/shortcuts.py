"""Small costs in hot places."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edits


def _top(scene: Scene) -> ast.stmt | None:
    """The statement of the module that the function belongs to."""
    for node in scene.source.tree.body:
        if isinstance(node, Function | ast.ClassDef) and scene.function in ast.walk(node):
            return node
    return None


def constant_table(scene: Scene) -> Iterator[Edits]:
    """A dictionary or set of constants that every call makes again, and only reads."""
    for node in scene.statements():
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=(ast.Dict() | ast.Set() | ast.List()) as value
            ):
                home, held = _top(scene), list(ast.walk(value))[1:]
                plain = all(
                    isinstance(each, ast.Constant | ast.Load | ast.UnaryOp | ast.USub)
                    for each in held
                )
                size = len(getattr(value, "elts", None) or getattr(value, "keys", []))
                if home is None or not plain or size < 3 or len(scene.bindings(name)) != 1:
                    continue
                if any(
                    not _is_lookup(scene, each)
                    for each in scene.names(name)
                    if isinstance(each.ctx, ast.Load)
                ):
                    continue
                shared, source = scene.fresh(f"_{name.upper()}"), scene.source
                made = source.before(home, f"{shared} = {source.of(value)}", "", "")
                yield Edits((made, source.replaced(value, shared)))


def _is_lookup(scene: Scene, each: ast.Name) -> bool:
    match scene.parents[each]:
        case ast.Subscript(ctx=ast.Load(), value=value):
            return value is each
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return True
        case ast.Attribute(attr="get"):
            return True
    return False


def bound_method(scene: Scene) -> Iterator[Edits]:
    """`out.append(x)` in a loop: the method is looked up once."""
    for node in scene.statements():
        match node:
            case ast.For() | ast.While():
                for name in _appended_in(scene, node):
                    calls = scene.method_calls(name, "append", node)
                    bound, source = scene.fresh(f"add_to_{name}"), scene.source
                    first = source.before(node, f"{bound} = {name}.append")
                    edits = [source.replaced(call.func, bound) for call in calls]
                    yield Edits((first, *edits))


def _appended_in(scene: Scene, loop: ast.stmt) -> set[str]:
    found = set()
    for name, kind in scene.kinds.items():
        steady = kind is not None and kind.name == "list" and not scene.bindings(name, loop)
        if steady and scene.method_calls(name, "append", loop) and not scene.loops_around(loop):
            found.add(name)
    return found
