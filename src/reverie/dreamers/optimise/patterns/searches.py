"""Loops that look for something that Python can be asked for."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.equalities import is_bound_elsewhere, looked_for, names_in
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def flag_loop(scene: Scene) -> Iterator[Edits]:
    """`found = False`, then a loop that sets it: the flag is the membership itself."""
    for statement in scene.statements():
        block = scene.block_of(statement)
        position = block.index(statement) + 1
        after = block[position] if position < len(block) else None
        match statement, after:
            case (
                ast.Assign(targets=[ast.Name(id=flag)], value=ast.Constant(value=bool(first))),
                ast.For(
                    target=target,
                    iter=ast.Name() as things,
                    body=[ast.If(test=test, body=[ast.Assign() as sets, *stop], orelse=[])],
                    orelse=[],
                ),
            ) if ast.unparse(sets) == f"{flag} = {not first}":
                if [each for each in stop if not isinstance(each, ast.Break)]:
                    continue
                wanted = looked_for(scene, test, target, things)
                if wanted is None or is_bound_elsewhere(scene, target, after):
                    continue
                text = f"{flag} = {wanted} {'not in' if first else 'in'} {things.id}"
                start, end = scene.source.span(statement)[0], scene.source.span(after)[1]
                if not scene.names(flag, test):
                    yield Edits((Edit(start, end, text),))


def for_else(scene: Scene) -> Iterator[Edits]:
    """`for y in things: if y == x: break`, and what is done where it was not there."""
    for node in scene.statements():
        match node:
            case ast.For(
                target=target,
                iter=ast.Name() as things,
                body=[ast.If(test=test, body=[ast.Break()], orelse=[])],
                orelse=[first, *_],
            ):
                wanted = looked_for(scene, test, target, things)
                if wanted is None or is_bound_elsewhere(scene, target, node):
                    continue
                if any(
                    scene.names(name, each) for name in names_in(target) for each in node.orelse
                ):
                    continue
                source = scene.source
                head = f"if {wanted} not in {things.id}:\n{source.indent_of(first)}"
                yield Edits((Edit(source.span(node)[0], source.span(first)[0], head),))


def _uses(node: ast.AST, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def any_equal(scene: Scene) -> Iterator[Edits]:
    """`any(x == y for y in things)`."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Name(id="any"),
                args=[
                    ast.GeneratorExp(
                        elt=test,
                        generators=[
                            ast.comprehension(target=target, iter=things, ifs=[], is_async=0)
                        ],
                    )
                ],
            ):
                wanted = looked_for(scene, test, target, things)
                if wanted is not None:
                    text = f"{wanted} in {scene.source.of(things)}"
                    yield Edits((scene.source.replaced(node, f"({text})"),))


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


def short_circuit(scene: Scene) -> Iterator[Edits]:
    """`any([...])`: a list made whole before the first answer is looked at."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(func=ast.Name(id="any" | "all"), args=[ast.ListComp() as made]):
                yield Edits((scene.source.replaced(made, scene.source.of(made)[1:-1]),))
