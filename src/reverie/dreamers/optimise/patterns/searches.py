"""Loops that look for something that Python can be asked for."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


def _uses(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def any_key_equal(scene: Scene) -> Iterator[Edits]:
    """`any(key(x) == key(y) for y in kept)`, where `kept` only grows: a set of the keys."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Name(id="any"),
                args=[
                    ast.GeneratorExp(
                        elt=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]),
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=other),
                                iter=ast.Name(id=kept),
                                ifs=[],
                                is_async=0,
                            )
                        ],
                    )
                ],
            ):
                yield from _with_keys(scene, node, (left, right), other, kept)


def _with_keys(
    scene: Scene, node: ast.Call, sides: tuple[ast.expr, ast.expr], other: str, kept: str
) -> Iterator[Edits]:
    mine, theirs = sides if _uses(sides[1], other) else sides[::-1]
    if _uses(mine, other) or not _uses(theirs, other) or not scene.loops_around(node):
        return
    made = _made_empty(scene, kept)
    appends = scene.method_calls(kept, "append")
    kind = scene.kind_of(mine)
    if made is None or len(appends) != 1 or kind is None or not kind.is_hashable:
        return
    if len(scene.bindings(kept)) != 1 or not isinstance(appends[0].args[0], ast.Name):
        return
    keys = scene.fresh(f"{kept}_keys")
    added = _renamed(theirs, other, appends[0].args[0].id)
    source = scene.source
    yield Edits(
        (
            source.after(made, f"{keys} = set()"),
            source.replaced(node, f"({source.of(mine)} in {keys})"),
            source.after(scene.statement_of(appends[0]), f"{keys}.add({added})"),
        )
    )


def _made_empty(scene: Scene, name: str) -> ast.stmt | None:
    for each in scene.bindings(name):
        match scene.statement_of(each):
            case (ast.Assign() | ast.AnnAssign()) as made if isinstance(made.value, ast.List):
                return made if not made.value.elts else None
    return None


def _renamed(node: ast.expr, old: str, new: str) -> str:
    class Rename(ast.NodeTransformer):
        def visit_Name(self, each: ast.Name) -> ast.Name:
            return ast.Name(new, each.ctx) if each.id == old else each

    return ast.unparse(Rename().visit(ast.parse(ast.unparse(node), mode="eval")))
