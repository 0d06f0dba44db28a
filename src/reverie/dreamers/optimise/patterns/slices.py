"""Lists and texts that are cut shorter, or cut again from the start, each time round."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def cut_front(scene: Scene) -> Iterator[Edits]:
    """`while rest: … rest[:k] …; rest = rest[k:]`: a place that moves along instead."""
    for loop in scene.statements():
        match loop:
            case ast.While(test=test, body=body, orelse=[]):
                rest = _rest_of(test)
                cuts = [each for each in body if _cut_of(each, rest) is not None]
                if rest is None or len(cuts) != 1 or len(scene.bindings(rest, loop)) != 1:
                    continue
                if any(each.lineno > (loop.end_lineno or 0) for each in scene.names(rest)):
                    continue
                if scene.loops_around(loop) or not _is_sequence(scene, rest):
                    continue
                edits = _moved(scene, loop, rest, cuts[0])
                if edits is not None:
                    yield edits


def _rest_of(test: ast.expr) -> str | None:
    match test:
        case ast.Name(id=name):
            return name
        case ast.Compare(
            left=ast.Call(func=ast.Name(id="len"), args=[ast.Name(id=name)]),
            ops=[ast.Gt()],
            comparators=[ast.Constant(value=0)],
        ):
            return name
    return None


def _cut_of(node: ast.stmt, rest: str | None) -> ast.expr | None:
    """The `k` of `rest = rest[k:]`."""
    match node:
        case ast.Assign(
            targets=[ast.Name(id=name)],
            value=ast.Subscript(
                value=ast.Name(id=of), slice=ast.Slice(lower=lower, upper=None, step=None)
            ),
        ) if name == of == rest and isinstance(lower, ast.Name | ast.Constant):
            return lower
    return None


def _is_sequence(scene: Scene, name: str) -> bool:
    """Known as a list or a text where it comes from, whatever its slices are."""
    kinds = [scene.parameters.get(name)]
    for each in scene.bindings(name):
        made = scene.statement_of(each)
        if isinstance(made, ast.Assign | ast.AnnAssign) and made.value is not None:
            kinds.append(scene.kind_of(made.value))
    return any(
        kind is not None and kind.name in ("list", "str", "bytes", "tuple") for kind in kinds
    )


def _moved(scene: Scene, loop: ast.While, rest: str, cut: ast.stmt) -> Edits | None:
    at, source = scene.fresh("at"), scene.source
    step = source.of(_cut_of(cut, rest))  # type: ignore[arg-type]
    edits: list[Edit] = [
        source.before(loop, f"{at} = 0"),
        source.replaced(loop.test, f"{at} < len({rest})"),
        source.replaced(cut, f"{at} += {step}"),
    ]
    for each in scene.names(rest, loop):
        parent = scene.parents[each]
        if each in ast.walk(cut) or each in ast.walk(loop.test):
            continue
        match parent:
            case ast.Subscript(slice=ast.Slice(lower=None, upper=upper, step=None)) if upper:
                bounds = f"{at}:{at} + {source.of(upper)}"
                edits.append(source.replaced(parent.slice, bounds))
            case ast.Subscript(slice=ast.Constant(value=int(place)), ctx=ast.Load()) if place >= 0:
                edits.append(source.replaced(parent.slice, f"{at} + {place}" if place else at))
            case _:
                return None
    return Edits(tuple(edits))
