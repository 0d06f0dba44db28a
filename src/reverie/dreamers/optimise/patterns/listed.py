"""Lists that are made only to be asked once, and made again for every question."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.known import known_calls
from reverie.dreamers.rewriting.repeats import kind_inside, steady_repeats
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_WALKED = ("list", "tuple", "set", "frozenset", "Sequence")
_TEXT_PARTS = ("lower", "upper", "casefold", "strip", "title")


def keys_made_once(scene: Scene) -> Iterator[Edits]:
    """`x.id in [y.id for y in ys]` in a loop: a set of them, made in front of it."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(
                left=wanted,
                ops=[ast.In() | ast.NotIn()],
                comparators=[
                    ast.ListComp(
                        elt=elt,
                        generators=[
                            ast.comprehension(
                                target=ast.Name(id=y), iter=ast.Name(id=ys), ifs=[], is_async=0
                            ) as walk
                        ],
                    ) as listed
                ],
            ) if _are_keys(scene, wanted, elt) and _is_walked(scene, walk) and y != ys:
                repeats = steady_repeats(scene, node, ys)
                if not repeats or not _is_sure(scene, elt, y):
                    continue
                is_plain = _is_unchanging(scene, walk)
                if not is_plain and any(_may_change(scene, each) for each in ast.walk(repeats[-1])):
                    continue
                table, source = scene.fresh(f"{ys}_keys"), scene.source
                made = f"{table} = {{{source.of(elt)} for {y} in {ys}}}"
                before = source.before(scene.statement_of(repeats[-1]), made)
                yield Edits((before, source.replaced(listed, table)))


def _are_keys(scene: Scene, *asked: ast.expr) -> bool:
    kinds = [kind_inside(scene, each) for each in asked]
    return all(kind is not None and kind.is_exact for kind in kinds)


def _is_walked(scene: Scene, walk: ast.comprehension) -> bool:
    """Whether it can be walked along twice, and never fails."""
    kind = kind_inside(scene, walk.iter)
    return kind is not None and kind.name in _WALKED


def _is_unchanging(scene: Scene, walk: ast.comprehension) -> bool:
    """Whether what is walked along holds only what can never change."""
    kind = kind_inside(scene, walk.iter)
    return kind is not None and kind.item is not None and kind.item.is_hashable


def _is_sure(scene: Scene, elt: ast.expr, y: str) -> bool:
    """Whether the key of each is there and only has to be taken."""
    match elt:
        case ast.Name(id=name):
            return name == y
        case ast.Attribute(value=ast.Name(id=name)):
            return name == y
        case ast.Subscript(value=ast.Name(id=name) as owner, slice=ast.Constant(value=int())):
            kind = kind_inside(scene, owner)
            return name == y and kind is not None and kind.name == "tuple" and len(kind.items) > 1
        case ast.Call(func=ast.Attribute(value=owner, attr=attr), args=[], keywords=[]):
            kind = kind_inside(scene, owner)
            is_text = kind is not None and kind.name == "str" and attr in _TEXT_PARTS
            return is_text and _is_sure(scene, owner, y)
    return False


def _may_change(scene: Scene, node: ast.AST) -> bool:
    """Whether a node of the loop may change a field of some object."""
    match node:
        case ast.Attribute(ctx=ctx) | ast.Subscript(ctx=ctx):
            return not isinstance(ctx, ast.Load)
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=attr)):
            kind = scene.kinds.get(owner)
            is_listed = kind is not None and kind.name in ("list", "set", "dict")
            if attr in known_calls()["changing"] and is_listed:
                return False
        case ast.Await() | ast.Yield() | ast.YieldFrom() | ast.With() | ast.AsyncWith():
            return True
    return isinstance(node, ast.Call) and not scene.is_pure_node(node, frozenset())
