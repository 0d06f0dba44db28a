"""Lists that are kept in order by putting each thing in its place."""

import ast
from collections.abc import Iterator
from dataclasses import replace

from reverie.dreamers.rewriting.comparisons import Comparison, comparison
from reverie.dreamers.rewriting.repeats import leaves_no_names
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_STOPS = {"<=": ">", "<": ">=", ">=": "<", ">": "<="}
"""By what a walk goes on with: what it stops at."""


def placed_in_order(scene: Scene) -> Iterator[Edits]:
    """A list that begins empty, and each of some things put in its place: all sorted at once."""
    for loop in scene.statements():
        match loop:
            case ast.For(
                target=ast.Name(id=x), iter=ast.Name(id=things), body=[*_, _] as body, orelse=[]
            ):
                out = _filled(body)
                made = _made_empty(scene, loop, out) if out is not None else None
                if out in (None, things) or made is None or not _is_list(scene, things):
                    continue
                compared = _by_walk(scene, body, out, x) or _by_search(scene, body, out, x)
                if compared is not None and leaves_no_names(scene, loop):
                    yield _sorted(scene, (made, loop), (out, things), compared)


def _filled(body: list[ast.stmt]) -> str | None:
    """The one list that is filled by `insert`."""
    found = {
        ast.unparse(node.func.value)
        for each in body
        for node in ast.walk(each)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "insert"
    }
    return found.pop() if len(found) == 1 else None


def _made_empty(scene: Scene, loop: ast.For, out: str) -> ast.stmt | None:
    """The statement just in front of the loop that makes the list, and the only one."""
    block = scene.block_of(loop)
    before = block[block.index(loop) - 1] if block.index(loop) else None
    match before:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[]))
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.List(elts=[]))
        ) if name == out and len(scene.bindings(out, loop)) == 0:
            return before
    return None


def _is_list(scene: Scene, things: str) -> bool:
    kind = scene.kinds.get(things)
    return kind is not None and kind.is_list


def _by_walk(scene: Scene, body: list[ast.stmt], out: str, x: str) -> Comparison | None:
    """`place = 0`, `while place < len(out) and out[place] <= x: place += 1`, `insert`."""
    match body:
        case [
            ast.Assign(targets=[ast.Name(id=place)], value=ast.Constant(value=0)),
            ast.While(test=ast.BoolOp(op=ast.And(), values=[bound, test]), body=[step], orelse=[]),
            put,
        ]:
            shapes = (ast.unparse(bound), ast.unparse(put))
            steps = (f"{place} += 1", f"{place} = {place} + 1")
            wanted = (f"{place} < len({out})", f"{out}.insert({place}, {x})")
            if shapes == wanted and ast.unparse(step) in steps:
                compared = comparison(scene, test, f"{out}[{place}]", x)
                return compared and replace(compared, sign=_STOPS[compared.sign])
    return None


def _by_search(scene: Scene, body: list[ast.stmt], out: str, x: str) -> Comparison | None:
    """`for place, other in enumerate(out): if x < other: insert and break`, else `append`."""
    match body:
        case [
            ast.For(
                target=target,
                iter=walk,
                body=[ast.If(test=test, body=[put, ast.Break()], orelse=[])],
                orelse=[added],
            )
        ] if ast.unparse(added) == f"{out}.append({x})":
            match target:
                case ast.Tuple(elts=[ast.Name(id=place), ast.Name(id=other)]):
                    wanted = f"enumerate({out})"
                case ast.Name(id=place):
                    wanted, other = f"range(len({out}))", f"{out}[{place}]"
                case _:
                    return None
            if (ast.unparse(walk), ast.unparse(put)) == (wanted, f"{out}.insert({place}, {x})"):
                return comparison(scene, test, other, x)
    return None


def _sorted(
    scene: Scene, made: tuple[ast.stmt, ast.For], names: tuple[str, str], compared: Comparison
) -> Edits:
    """The sign is what stands behind against what is put in: equal ones may be turned round."""
    (empty, loop), (out, things), source = made, names, scene.source
    descending = ("reverse=True",) if compared.sign.startswith("<") else ()
    given = f"reversed({things})" if compared.sign.endswith("=") else things
    text = f"sorted({', '.join((given, *compared.arguments, *descending))})"
    if compared.may_fail:
        text += f" if len({things}) > 1 else list({things})"
    if isinstance(empty, ast.AnnAssign) and empty.value is not None:
        return Edits((source.replaced(empty.value, text), source.removed(loop)))
    return Edits((source.removed(empty), source.replaced(loop, f"{out} = {text}")))
