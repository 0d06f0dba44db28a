"""Order that is made by hand, place by place."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.comparisons import Comparison, comparison, length_names
from reverie.dreamers.rewriting.linear import Linear, linear, named
from reverie.dreamers.rewriting.repeats import leaves_no_names
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_NOUGHT = Linear(frozenset())


def insertion_sort(scene: Scene) -> Iterator[Edits]:
    """Each value moved down past those that are larger: Python's own sort, in the same order."""
    for loop in scene.statements():
        match loop:
            case ast.For(target=ast.Name(id=i), iter=walk, body=body, orelse=[]):
                things = _walked(scene, loop, walk)
                if things is None:
                    continue
                compared = _moved_down(scene, body, things, i)
                if compared is not None and leaves_no_names(scene, loop):
                    yield from _sorted(scene, loop, things, compared)


def _walked(scene: Scene, loop: ast.For, walk: ast.expr) -> str | None:
    """The list in `range(1, len(xs))`; of one item there is nothing to move, so 0 is as good."""
    match walk:
        case ast.Call(func=ast.Name(id="range"), args=[*start, stop], keywords=[]):
            first = [ast.unparse(each) for each in start]
            for things in _lists(scene, loop):
                whole = linear(stop, length_names(scene, things, loop)) == named(f"len({things})")
                if whole and first in ([], ["0"], ["1"]):
                    return things
    return None


def _lists(scene: Scene, loop: ast.AST) -> list[str]:
    """Lists whose items a loop moves."""
    found = [
        each.value.id
        for each in ast.walk(loop)
        if isinstance(each, ast.Subscript)
        and isinstance(each.value, ast.Name)
        and isinstance(each.ctx, ast.Store)
    ]
    kinds = {name: scene.kinds.get(name) for name in found}
    return [name for name, kind in kinds.items() if kind is not None and kind.name == "list"]


def _moved_down(scene: Scene, body: list[ast.stmt], things: str, i: str) -> Comparison | None:
    match body:
        case [
            ast.Assign(targets=[ast.Name(id=value)], value=taken),
            ast.Assign(targets=[ast.Name(id=j)], value=start),
            ast.While(test=test, body=[shift, step], orelse=[]),
            put,
        ] if ast.unparse(taken) == f"{things}[{i}]":
            for low, high in ((f"{j}", f"{j} + 1"), (f"{j} - 1", f"{j}")):
                lower, upper = f"{things}[{low}]", f"{things}[{high}]"
                shapes = (ast.unparse(shift), ast.unparse(put))
                is_start = linear(start) == _start(i, j, high)
                if is_start and shapes == (f"{upper} = {lower}", f"{upper} = {value}"):
                    return _walk_down(scene, test, step, j, low, (lower, value))
        case [
            ast.Assign(targets=[ast.Name(id=j)], value=start),
            ast.While(test=test, body=[*swap, step], orelse=[]),
        ]:
            for low, high in ((f"{j}", f"{j} + 1"), (f"{j} - 1", f"{j}")):
                lower, upper = f"{things}[{low}]", f"{things}[{high}]"
                if linear(start) == _start(i, j, high) and is_swap(scene, swap, lower, upper):
                    return _walk_down(scene, test, step, j, low, (lower, upper))
        case [
            ast.For(
                target=ast.Name(id=j),
                iter=walk,
                body=[ast.If(test=test, body=[*swap], orelse=[ast.Break()])],
                orelse=[],
            )
        ]:
            walks = {f"range({i}, 0, -1)": f"{j} - 1", f"range({i} - 1, -1, -1)": j}
            below = walks.get(ast.unparse(walk))
            lower = f"{things}[{below}]"
            upper = f"{things}[{j} + 1]" if below == j else f"{things}[{j}]"
            if below and is_swap(scene, swap, lower, upper):
                return comparison(scene, test, lower, upper)
    return None


def _start(i: str, j: str, high: str) -> Linear:
    """Where the walk down begins, so that the upper place is that of the value."""
    return named(i, 0 if high == j else -1)


def _walk_down(
    scene: Scene, test: ast.expr, step: ast.stmt, j: str, low: str, pair: tuple[str, str]
) -> Comparison | None:
    """`while j >= 0 and xs[j] > value: …; j -= 1`."""
    bounds = (f"{j} >= 0", f"{j} > -1", f"0 <= {j}")
    if low != j:
        bounds = (f"{j} > 0", f"{j} >= 1", f"0 < {j}")
    match test:
        case ast.BoolOp(op=ast.And(), values=[bound, compared]):
            steps = (f"{j} -= 1", f"{j} = {j} - 1")
            if ast.unparse(bound) in bounds and ast.unparse(step) in steps:
                return comparison(scene, compared, *pair)
    return None


def is_swap(scene: Scene, body: list[ast.stmt], one: str, other: str) -> bool:
    """Whether statements do nothing but exchange two items."""
    texts = [ast.unparse(each).replace("(", "").replace(")", "") for each in body]
    if texts in ([f"{one}, {other} = {other}, {one}"], [f"{other}, {one} = {one}, {other}"]):
        return True
    match body:
        case [ast.Assign(targets=[ast.Name(id=kept)]), _, _] if len(scene.names(kept)) == 2:
            for a, b in ((one, other), (other, one)):
                if texts == [f"{kept} = {a}", f"{a} = {b}", f"{b} = {kept}"]:
                    return True
    return False


def _sorted(scene: Scene, loop: ast.For, things: str, compared: Comparison) -> Iterator[Edits]:
    """The loop as one sort; equal ones that it turned round are turned round first."""
    if compared.may_fail and not _is_unseen(scene, loop, things):
        return
    descending = ("reverse=True",) if compared.sign.startswith("<") else ()
    lines = [f"{things}.reverse()"] if compared.sign.endswith("=") else []
    lines.append(f"{things}.sort({', '.join(compared.arguments + descending)})")
    indent = scene.source.indent_of(loop)
    if compared.may_fail:
        lines = [f"if len({things}) > 1:", *(f"    {line}" for line in lines)]
    yield Edits((scene.source.replaced(loop, f"\n{indent}".join(lines)),))


def _is_unseen(scene: Scene, loop: ast.For, things: str) -> bool:
    """Whether nobody sees a list half sorted when a key is missing."""
    node: ast.AST = loop
    while node is not scene.function:
        node = scene.parents[node]
        if isinstance(node, ast.Try | ast.With):
            return False
    made = [scene.statement_of(each) for each in scene.bindings(things)]
    values = [each.value for each in made if isinstance(each, ast.Assign)]
    is_made = any(each in scene.function.body for each in made) or things not in scene.parameters
    return bool(made) and is_made and len(values) == len(made) and all(map(_is_new, values))


def _is_new(value: ast.expr) -> bool:
    match value:
        case ast.List() | ast.ListComp() | ast.Subscript(slice=ast.Slice()):
            return True
        case ast.Call(func=ast.Name(id="list" | "sorted") | ast.Attribute(attr="copy")):
            return True
    return False


def bubble_sort(scene: Scene) -> Iterator[Edits]:
    """Neighbours exchanged in as many walks as there are items, or until none was."""
    for loop in scene.statements():
        match loop:
            case ast.For(target=ast.Name(id=i), iter=outer, body=body, orelse=[]):
                inner, flag = _one_walk(body)
                for things in _lists(scene, loop) if inner is not None else ():
                    pair = _neighbours(scene, loop, things, (i, outer, inner))
                    compared = _exchanged(scene, inner, flag, pair)
                    is_strict = compared is not None and not compared.sign.endswith("=")
                    if compared is not None and is_strict and leaves_no_names(scene, loop):
                        yield from _sorted(scene, loop, things, compared)


def _one_walk(body: list[ast.stmt]) -> tuple[ast.For | None, str | None]:
    """The inner loop, and the name that tells whether it exchanged anything."""
    match body:
        case [ast.For() as inner]:
            return inner, None
        case [
            ast.Assign(targets=[ast.Name(id=flag)], value=ast.Constant(value=False)),
            ast.For() as inner,
            ast.If(body=[ast.Break()], orelse=[]) as end,
        ] if ast.unparse(end.test) == f"not {flag}":
            return inner, flag
    return None, None


def _neighbours(
    scene: Scene, loop: ast.For, things: str, walks: tuple[str, ast.expr, ast.For | None]
) -> tuple[str, str] | None:
    """The two items that are compared where the walks go far enough to sort all."""
    i, outer, inner = walks
    if inner is None or not isinstance(inner.target, ast.Name):
        return None
    j, aliases, size = inner.target.id, length_names(scene, things, loop), named(f"len({things})")
    rounds, steps = _bounds(outer, aliases), _bounds(inner.iter, aliases)
    if rounds is None or steps is None or steps[2] != 1 or steps[0].names:
        return None
    last = steps[1].plus(Linear(frozenset(), steps[0].number), -1)
    less = size.plus(Linear(frozenset(), 1), -1)
    ups = {(_NOUGHT, size, 1), (_NOUGHT, less, 1)}
    far = (
        (rounds in ups and last in (less, less.plus(named(i), -1)))
        or (rounds == (Linear(frozenset(), 1), size, 1) and last in (less, size.plus(named(i), -1)))
        or (rounds == (less, _NOUGHT, -1) and last == named(i))
    )
    pairs = {
        0: (f"{things}[{j}]", f"{things}[{j} + 1]"),
        1: (f"{things}[{j} - 1]", f"{things}[{j}]"),
    }
    return pairs.get(steps[0].number) if far else None


def _bounds(walk: ast.expr, aliases: dict[str, str]) -> tuple[Linear, Linear, int] | None:
    """First, stop and step of a `range`."""
    match walk:
        case ast.Call(func=ast.Name(id="range"), args=args, keywords=[]):
            given = [linear(each, aliases) for each in args]
            known = [each for each in given if each is not None]
            if len(known) != len(args) or not known:
                return None
            start, stop, *step = known if len(known) > 1 else [_NOUGHT, *known]
            return (start, stop, step[0].number if step else 1)
    return None


def _exchanged(
    scene: Scene, inner: ast.For | None, flag: str | None, pair: tuple[str, str] | None
) -> Comparison | None:
    """How neighbours are compared that are exchanged, and nothing else done."""
    match inner:
        case ast.For(body=[ast.If(test=test, body=body, orelse=[])], orelse=[]) if pair:
            told = [each for each in body if ast.unparse(each) == f"{flag} = True"]
            swap = [each for each in body if each not in told]
            if len(told) == (flag is not None) and is_swap(scene, swap, *pair):
                return comparison(scene, test, *pair)
    return None
