"""Answers of helpers and methods that are the same each time they are searched."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.effects import answer_kinds, is_pure_call, is_quiet
from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.repeats import kind_inside
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edits

_HELD = ("list", "set", "frozenset", "tuple", "dict")


def steady_answer(scene: Scene) -> Iterator[Edits]:
    """`x in table.names()`, again and again: asked for once, and made a set where that can be."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Call() as call]) if (
                is_pure_call(scene, call)
            ):
                edits = _made_once(scene, node, call)
                if edits is not None:
                    yield edits


def _made_once(scene: Scene, node: ast.Compare, call: ast.Call) -> Edits | None:
    kind, statement, source = scene.kind_of(call), scene.statement_of(node), scene.source
    if kind is None or kind.name not in _HELD:
        return None
    name = scene.fresh(_called(call))
    if isinstance(scene.parents[node], ast.comprehension):
        things = _walked(scene, node)
        if things is None or not is_quiet(scene, statement, call):
            return None
        lines = _lines(scene, node, call, name, f"{source.of(call)} if {things} else ()")
        return Edits((source.before(statement, *lines), source.replaced(call, name)))
    outer = None
    for loop in scene.loops_around(node):
        if not is_quiet(scene, loop, call):
            break
        outer = loop
    if outer is None or isinstance(statement, Loop) or not _is_asked_first(scene, node):
        return None
    lines = _lines(scene, node, call, name, source.of(call))
    later = (f"if {name} is None:", *(f"    {line}" for line in lines))
    return Edits(
        (
            source.before(scene.statement_of(outer), f"{name} = None"),
            source.before(statement, *later),
            source.replaced(call, name),
        )
    )


def _lines(
    scene: Scene, node: ast.Compare, call: ast.Call, name: str, value: str
) -> tuple[str, ...]:
    """What keeps the answer: as a set where it can be one, in which the same is found."""
    kind, wanted = scene.kind_of(call), kind_inside(scene, node.left)
    if kind is None or kind.name not in ("list", "tuple") or not _is_hashable(wanted):
        return (f"{name} = {value}",)
    if all(_is_hashable(each and each.item) for each in answer_kinds(scene, call)):
        return (f"{name} = set({value})",)
    listed = scene.fresh(f"{name}_listed")
    return (
        f"{listed} = {value}",
        "try:",
        f"    {name} = set({listed})",
        "except TypeError:",
        f"    {name} = {listed}",
    )


def _is_hashable(kind: Kind | None) -> bool:
    return kind is not None and kind.is_hashable


def _called(call: ast.Call) -> str:
    """A name for the answer: what was asked."""
    shown = call.func.attr if isinstance(call.func, ast.Attribute) else ast.unparse(call.func)
    return f"{shown}_once"


def _walked(scene: Scene, node: ast.Compare) -> str | None:
    """The list that a comprehension goes along and asks of each item at once."""
    part = scene.parents[node]
    whole = scene.parents[part]
    is_value = isinstance(scene.parents[whole], ast.Return | ast.Assign)
    match whole:
        case ast.ListComp(
            generators=[ast.comprehension(iter=ast.Name(id=things), ifs=[first, *_])]
        ) if first is node and is_value:
            kind = scene.kinds.get(things)
            return things if kind is not None and kind.name == "list" else None
    return None


def _is_asked_first(scene: Scene, node: ast.AST) -> bool:
    """Whether its statement asks nothing before it, and never goes without it."""
    while True:
        parent = scene.parents[node]
        match parent:
            case ast.If(test=test) | ast.IfExp(test=test) if test is node:
                pass
            case ast.BoolOp(values=[first, *_]) if first is node:
                pass
            case ast.Assign() | ast.Return() | ast.UnaryOp():
                pass
            case _:
                return False
        if isinstance(parent, ast.stmt):
            return True
        node = parent
