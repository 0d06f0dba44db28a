"""Items that are looked at, and then looked for to be taken out."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edits


def taken_item(scene: Scene) -> Iterator[Edits]:
    """`x = left[i]`, later `left.remove(x)`: take it out at once, by its place."""
    for node in scene.statements():
        match node:
            case ast.Assign(
                targets=[ast.Name(id=item)],
                value=ast.Subscript(value=ast.Name(id=left), slice=place) as looked,
            ) if item != left and not isinstance(place, ast.Slice | ast.Tuple):
                block = scene.block_of(node)
                position = block.index(node)
                removal = _removal(scene, block[position + 1 :], left, item)
                if removal is None or not _is_distinct(scene, left):
                    continue
                source = scene.source
                taken = source.replaced(looked, f"{left}.pop({source.of(place)})")
                yield Edits((taken, source.removed(removal)))


def _removal(scene: Scene, block: list[ast.stmt], left: str, item: str) -> ast.stmt | None:
    """The statement that takes the item out, with nothing on the way that could see it there."""
    for statement in block:
        match statement:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="remove"),
                    args=[ast.Name(id=asked)],
                )
            ) if (name, asked) == (left, item):
                return statement
        if not _is_append(scene, statement, left):
            return None
    return None


def _is_append(scene: Scene, statement: ast.stmt, left: str) -> bool:
    """Whether it only puts a plain value at the end of another list of the function's own."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                args=[ast.Name() | ast.Constant() as value],
            )
        ) if name != left:
            is_other = not (isinstance(value, ast.Name) and value.id == left)
            made = [scene.statement_of(each) for each in scene.bindings(name)]
            is_list = all(isinstance(getattr(e, "value", None), ast.List) for e in made)
            return is_other and name not in scene.parameters and bool(made) and is_list
    return False


def _is_distinct(scene: Scene, name: str) -> bool:
    """Whether it is a list of a range that only gets shorter: all that it holds differs."""
    if name in scene.parameters:
        return False
    made = [scene.statement_of(each) for each in scene.bindings(name)]
    if len(made) != 1 or not _is_listed_range(getattr(made[0], "value", None)):
        return False
    for node in ast.walk(scene.function):
        is_inner = isinstance(node, Function | ast.Lambda) and node is not scene.function
        if is_inner and scene.names(name, node):
            return False
    return all(_only_shortens(scene, each) for each in scene.names(name))


def _is_listed_range(node: ast.expr | None) -> bool:
    match node:
        case ast.Call(
            func=ast.Name(id="list"), args=[ast.Call(func=ast.Name(id="range"))], keywords=[]
        ):
            return True
    return False


def _only_shortens(scene: Scene, each: ast.Name) -> bool:
    match scene.parents[each]:
        case ast.Attribute(attr=attr):
            return attr in ("remove", "pop", "sort", "reverse", "index", "clear")
        case ast.Subscript(value=value, ctx=ctx) if value is each:
            return isinstance(ctx, ast.Load)
        case ast.Assign(targets=[ast.Name() as target]):
            return target is each
        case ast.Call(func=ast.Name(id="len" | "bool" | "sum" | "min" | "max" | "sorted")):
            return True
        case ast.Call(func=ast.Attribute(attr="extend")):
            return True
        case ast.Return() | ast.Compare() | ast.While() | ast.If():
            return True
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated):
            return iterated is each
    return False
