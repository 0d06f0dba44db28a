"""Questions about what is taken out of a list, and what is left of it."""

import ast

from reverie.dreamers.rewriting.pairs import Found
from reverie.dreamers.rewriting.questions.registry import question
from reverie.dreamers.rewriting.scene import Function
from reverie.syntax.patterns.matching import Bound, shown

_LEAVING = ast.Return | ast.Continue | ast.Break | ast.Raise
_SEQUENCES = ("list", "str", "bytes", "tuple")


@question
def own_loop(found: Found) -> ast.stmt | None:
    """The `while` that a statement stands in, as its own."""
    around = found.scene.parents.get(found.first)
    is_own = isinstance(around, ast.While) and not around.orelse and found.first in around.body
    return around if is_own and isinstance(around, ast.stmt) else None


@question
def asked_by_loop(found: Found) -> bool:
    """Whether a `while` goes on as long as it is true."""
    parent = found.scene.parents[found.nodes[0]]
    return isinstance(parent, ast.While) and parent.test is found.nodes[0]


@question
def cuts_its_loop(found: Found, rest: Bound) -> bool:
    """Whether a `while` cuts at one place until nothing is left, and nothing looks at it later."""
    scene, loop, named = found.scene, own_loop(found), shown(rest)
    if not isinstance(loop, ast.While) or scene.loops_around(loop):
        return False
    is_whole = ast.unparse(loop.test) in (named, f"len({named}) > 0", f"0 < len({named})")
    end = loop.end_lineno or 0
    is_last = all(each.lineno <= end for each in scene.names(named))
    return is_whole and is_last and len(scene.bindings(named, loop)) == 1 and _is_cut(found, named)


def _is_cut(found: Found, named: str) -> bool:
    """Whether it is known as a list or a text where it comes from, whatever its slices are."""
    scene = found.scene
    made = [scene.statement_of(each) for each in scene.bindings(named)]
    values = [each.value for each in made if isinstance(each, ast.Assign | ast.AnnAssign)]
    kinds = [scene.parameters.get(named), *(scene.kind_of(each) for each in values if each)]
    return any(kind is not None and kind.name in _SEQUENCES for kind in kinds)


@question
def deeper(found: Found, rest: Bound) -> bool:
    """Whether it is done more often than a list is made."""
    scene = found.scene
    made = scene.statement_of(scene.bindings(shown(rest))[0])
    return len(scene.loops_around(found.nodes[0])) > len(scene.loops_around(made))


@question
def shrinks_in_loop(found: Found, rest: Bound) -> bool:
    """Whether a loop takes items out of a list of which no function inside knows."""
    scene, named = found.scene, shown(rest)
    inner = [each for each in ast.walk(scene.function) if isinstance(each, Function | ast.Lambda)]
    if any(each is not scene.function and scene.names(named, each) for each in inner):
        return False
    outside = len(scene.loops_around(found.first))
    removals = scene.method_calls(named, "remove")
    return any(len(scene.loops_around(each)) > outside for each in removals)


@question
def asked_whether(found: Found) -> bool:
    """Whether it is only asked whether there is anything."""
    node = found.nodes[0]
    match found.scene.parents[node]:
        case ast.If(test=test) | ast.IfExp(test=test):
            return test is node
        case ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="bool")):
            return True
    return False


@question
def surely_there(found: Found, rest: Bound, x: Bound) -> bool:
    """Whether a list was just asked for a value, and nothing came between."""
    scene, removal = found.scene, found.first
    block, around = scene.block_of(removal), scene.parents[removal]
    for before in reversed(block[: block.index(removal)]):
        match before:
            case ast.If(test=test, body=[*_, last], orelse=[]) if (
                isinstance(last, _LEAVING) and shown(test) == f"{shown(x)} not in {shown(rest)}"
            ):
                return True
        if not _is_aside(found, before, rest, x):
            return False
    if not isinstance(around, ast.If):
        return False
    how = "in" if block is around.body else "not in"
    return shown(around.test) == f"{shown(x)} {how} {shown(rest)}"


def _is_aside(found: Found, statement: ast.stmt, rest: Bound, x: Bound) -> bool:
    """Whether a statement changes neither a list nor what it was asked for."""
    scene = found.scene
    is_name = isinstance(x, ast.Name) and not scene.bindings(x.id, statement)
    is_simple = isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign)
    return is_simple and is_name and not scene.names(shown(rest), statement)
