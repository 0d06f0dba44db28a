"""How many before an item have its key: counted along the way, not looked through each time."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.repeats import kind_inside, steady_repeats
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.nodes import names_in
from reverie.syntax.parsing import fresh_expression
from reverie.syntax.unparsing import unparse

_SILENT = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Expr)
"""Statements behind which the rest of a loop's body is always reached."""
_MAKING = frozenset({"__init__", "__new__", "__post_init__", "__setattr__"})


def earlier_alike(scene: Scene) -> Iterator[Edits]:
    """`len([e for e in xs[:i] if key(e) == key(x)])` in a walk that numbers what it meets."""
    for node in ast.walk(scene.function):
        match node:
            case ast.For(
                target=ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=item)]),
                iter=ast.Call(
                    func=ast.Name(id="enumerate"), args=[ast.Name(id=things)], keywords=[]
                ),
                orelse=[],
            ):
                for found in _reached(node):
                    yield from _counted(scene, node, found, (things, place, item))


def _reached(loop: ast.For) -> Iterator[ast.stmt]:
    """Statements of the body that every round reaches."""
    for each in loop.body:
        yield each
        if not isinstance(each, _SILENT):
            return


def _counted(
    scene: Scene, loop: ast.For, statement: ast.stmt, names: tuple[str, str, str]
) -> Iterator[Edits]:
    things, place, item = names
    for made in ast.walk(statement):
        key = _key_of(made, things, place, item)
        if key is None or not isinstance(made, ast.ListComp | ast.GeneratorExp):
            continue
        if not _may_be_counted(scene, loop, made, names) or not _can_be_key(scene, key):
            continue
        asked = _asked(scene, loop, statement, made)
        if asked is None:
            continue
        source, counts = scene.source, scene.fresh(f"{things}_counted")
        number, own = scene.fresh("before"), scene.fresh("key")
        lines = (
            f"{own} = {source.of(key)}",
            f"{number} = {counts}.get({own}, 0)",
            f"{counts}[{own}] = {number} + 1",
        )
        gone = [source.removed(statement)] if _binds(statement, made) else []
        yield Edits(
            (
                source.before(loop, f"{counts} = {{}}"),
                source.before(statement, *lines),
                *gone,
                *(source.replaced(each, number) for each in asked),
            )
        )


def _key_of(made: ast.AST, things: str, place: str, item: str) -> ast.expr | None:
    """What an earlier thing and the item are compared by; None where it is no such comparison."""
    match made:
        case (
            ast.ListComp(generators=[each], elt=elt) | ast.GeneratorExp(generators=[each], elt=elt)
        ):
            pass
        case _:
            return None
    match each:
        case ast.comprehension(
            target=ast.Name(id=other),
            iter=ast.Subscript(
                value=ast.Name(id=walked),
                slice=ast.Slice(lower=None, upper=ast.Name(id=upper), step=None),
            ),
            ifs=[ast.Compare(left=left, ops=[ast.Eq()], comparators=[right])],
            is_async=0,
        ) if (walked, upper) == (things, place) and not isinstance(elt, ast.Yield):
            for theirs, mine in ((left, right), (right, left)):
                is_split = other in names_in(theirs) and other not in names_in(mine)
                if is_split and _renamed(theirs, other, item) == unparse(mine):
                    return mine
    return None


def _renamed(node: ast.expr, old: str, new: str) -> str:
    class Rename(ast.NodeTransformer):
        def visit_Name(self, each: ast.Name) -> ast.Name:
            return ast.Name(new, each.ctx) if each.id == old else each

    return unparse(Rename().visit(fresh_expression(unparse(node))))


def _may_be_counted(
    scene: Scene, loop: ast.For, made: ast.ListComp | ast.GeneratorExp, names: tuple[str, str, str]
) -> bool:
    """Whether neither the things, nor their fields, nor the names change while they are counted."""
    things, place, item = names
    if loop not in steady_repeats(scene, made, things):
        return False
    if any(len(scene.bindings(each, loop)) != 1 for each in (place, item)):
        return False
    pure = all(scene.is_pure_node(each, frozenset()) for each in ast.walk(made))
    return pure and not any(_may_change(scene, each) for each in ast.walk(loop))


def _may_change(scene: Scene, node: ast.AST) -> bool:
    match node:
        case ast.Attribute(ctx=ctx) | ast.Subscript(ctx=ctx):
            return not isinstance(ctx, ast.Load)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr="append" | "add")):
            known = scene.kinds.get(owner)
            return known is None or known.name not in ("list", "set")
        case ast.Call(func=ast.Name(id=name)) if _is_plain_class(scene, name):
            return False
        case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.With() | ast.AsyncWith():
            return True
    return isinstance(node, ast.Call) and not scene.is_pure_node(node, frozenset())


def _is_plain_class(scene: Scene, name: str) -> bool:
    """Whether making one does nothing of its own: its fields are set by the decorator."""
    for each in scene.source.tree.body:
        if isinstance(each, ast.ClassDef) and each.name == name:
            named = {getattr(part, "name", "") for part in each.body}
            return not each.bases and not each.keywords and not named & _MAKING
    return False


def _can_be_key(scene: Scene, key: ast.expr) -> bool:
    kind = kind_inside(scene, key)
    return kind is not None and kind.is_exact


def _binds(statement: ast.stmt, made: ast.AST) -> bool:
    return isinstance(statement, ast.Assign) and statement.value is made


def _asked(
    scene: Scene, loop: ast.For, statement: ast.stmt, made: ast.expr
) -> list[ast.expr] | None:
    """All that asks for the number; None where something else of what was found is asked for."""
    around = scene.parents[made]
    match around:
        case ast.Call(func=ast.Name(id="len"), args=[only]) if isinstance(only, ast.ListComp):
            return [around]
        case ast.Call(func=ast.Name(id="sum"), args=[ast.GeneratorExp(elt=ast.Constant(value=1))]):
            return [around]
        case ast.Assign(targets=[ast.Name(id=name)]) if around is statement:
            uses = [each for each in scene.names(name) if isinstance(each.ctx, ast.Load)]
            asked = [scene.parents[each] for each in uses]
            is_inside = all(each in set(ast.walk(loop)) for each in uses)
            if is_inside and asked and all(map(_is_length, asked)):
                return [each for each in asked if isinstance(each, ast.expr)]
    return None


def _is_length(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name()], keywords=[]):
            return True
    return False
