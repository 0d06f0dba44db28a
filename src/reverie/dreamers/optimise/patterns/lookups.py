"""Counts, places and items of a list, searched for one by one."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.repeats import asked_again, kind_inside, repeats_around
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.parsing import fresh_expression
from reverie.syntax.unparsing import unparse


def _calls_in_loops(scene: Scene, method: str) -> Iterator[tuple[ast.Call, str, ast.AST]]:
    """`things.method(x)` in loops that leave a hashable list alone; the outermost such loop."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=attr), args=[asked], keywords=[]
            ):
                wanted = kind_inside(scene, asked)
                if attr != method or not _is_list_of_keys(scene, name):
                    continue
                if _is_fallback(scene, node):
                    continue
                if wanted is not None and not wanted.is_hashable:
                    continue
                steady = asked_again(scene, node, name, is_known=wanted is not None)
                if steady and all(scene.is_pure_node(e, frozenset()) for e in ast.walk(asked)):
                    yield node, name, steady[-1]


def _is_fallback(scene: Scene, node: ast.Call) -> bool:
    """Whether it is what is left for values that are not there."""
    match scene.parents[node]:
        case ast.IfExp(test=ast.Compare(ops=[ast.In()]), orelse=orelse):
            return orelse is node
    return False


def _is_list_of_keys(scene: Scene, name: str) -> bool:
    kind = scene.kinds.get(name)
    return kind is not None and kind.is_list and kind.item is not None and kind.item.is_hashable


def list_index(scene: Scene) -> Iterator[Edits]:
    """All places of one list at once; what is not in the list stays an error of `index`."""
    by_list: dict[tuple[str, ast.AST], list[ast.Call]] = {}
    for call, name, loop in _calls_in_loops(scene, "index"):
        by_list.setdefault((name, loop), []).append(call)
    for (name, loop), calls in by_list.items():
        places, source = scene.fresh(f"{name}_places"), scene.source
        edits = [source.before(scene.statement_of(loop), *_places(scene, name, places))]
        for call in calls:
            asked = source.of(call.args[0])
            safe = f"{places}[{asked}] if {asked} in {places} else {name}.index({asked})"
            text = f"{places}[{asked}]" if _is_surely_in(scene, call, name) else f"({safe})"
            edits.append(source.replaced(call, text))
        edits += [
            source.replaced(things, places)
            for test, things in _memberships(scene, name)
            if loop in repeats_around(scene, test)
        ]
        yield Edits(tuple(edits))


def _places(scene: Scene, name: str, places: str) -> tuple[str, ...]:
    """Lines that note where each value stands first."""
    each, number = scene.fresh("thing"), scene.fresh("place")
    return (
        f"{places} = {{}}",
        f"for {number}, {each} in enumerate({name}):",
        f"    {places}.setdefault({each}, {number})",
    )


def _memberships(scene: Scene, name: str) -> Iterator[tuple[ast.Compare, ast.Name]]:
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(
                ops=[ast.In() | ast.NotIn()], comparators=[ast.Name(id=asked) as things]
            ):
                if asked == name:
                    yield node, things


def _is_surely_in(scene: Scene, call: ast.Call, name: str) -> bool:
    """Whether the value asked for comes from the list itself, or was found to be in it."""
    if not isinstance(call.args[0], ast.Name):
        return False
    asked, node = call.args[0].id, scene.statement_of(call)
    while node is not scene.function:
        parent = scene.parents[node]
        match parent:
            case ast.For(target=ast.Name(id=target), iter=ast.Name(id=things)):
                if (target, things) == (asked, name):
                    return True
            case ast.If(
                test=ast.Compare(
                    left=ast.Name(id=left), ops=[ast.In()], comparators=[ast.Name(id=right)]
                ),
                body=body,
            ):
                if node in body and (left, right) == (asked, name):
                    return True
        node = parent  # type: ignore[assignment]
    return False


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

    return unparse(Rename().visit(fresh_expression(unparse(node))))
