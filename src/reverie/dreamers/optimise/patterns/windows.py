"""Extremes of a window that moves along, looked for again at every step."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.linear import Linear, linear
from reverie.dreamers.rewriting.repeats import kind_inside, steady_repeats
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_ACCUMULATE = frozenset({("itertools", "accumulate")})
_OPERATIONS = (
    ast.BinOp | ast.BoolOp | ast.Compare | ast.IfExp | ast.Starred | ast.Subscript | ast.UnaryOp
)
"""What a condition among it needs brackets for."""
_TABLES = {"max": "highs", "min": "lows"}
_LEAST_SIZE = 16
"""Of a window whose size is a number: smaller ones are looked through as fast."""


@dataclass(frozen=True, slots=True)
class _Window:
    """`xs[low:high]` of one size; cut off at the front, it is told by its last place."""

    cut: ast.Subscript
    things: str
    at: Linear
    size: Linear
    is_cut_off: bool


def window_extremes(scene: Scene) -> Iterator[Edits]:
    """`max(xs[i:i + k])` in a loop: of the end of a block and the begin of the next, both known."""
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Subscript):
            continue
        window = _window(scene, node)
        calls = _asked(scene, node)
        if window is None or not calls or _is_fallback(scene, calls[0], window.things):
            continue
        repeats = steady_repeats(scene, calls[0], window.things, *window.size.names)
        if repeats and _is_known(scene, window):
            yield _with_tables(scene, window, calls, scene.statement_of(repeats[-1]))


def _window(scene: Scene, node: ast.Subscript) -> _Window | None:
    match node:
        case ast.Subscript(value=ast.Name(id=things), slice=ast.Slice(low, high, None)):
            is_cut_off = isinstance(low, ast.Call)
            start, stop = linear(_at_least_nought(low)), linear(high)
            if start is None or stop is None:
                return None
            size = stop.plus(start, -1)
            at = stop.plus(Linear(frozenset(), 1), -1) if is_cut_off else start
            if not at.names or (not size.names and size.number < _LEAST_SIZE):
                return None
            return _Window(node, things, at, size, is_cut_off)
    return None


def _at_least_nought(low: ast.expr | None) -> ast.expr | None:
    """The other argument of `max(0, …)`; anything else as it is."""
    match low:
        case ast.Call(
            func=ast.Name(id="max"),
            args=[ast.Constant(value=0), other] | [other, ast.Constant(value=0)],
            keywords=[],
        ):
            return other
    return low


def _asked(scene: Scene, cut: ast.Subscript) -> list[ast.Call]:
    """The calls of `max` and `min` for which a window is cut out, where it serves nothing else."""
    match scene.parents[cut]:
        case ast.Call() as call if _is_extreme(call):
            return [call]
        case ast.Assign(targets=[ast.Name(id=window)]) as made if len(scene.bindings(window)) == 1:
            uses = [each for each in scene.names(window) if isinstance(each.ctx, ast.Load)]
            users = [scene.parents[each] for each in uses]
            calls = [each for each in users if isinstance(each, ast.Call)]
            block = scene.block_of(made)
            after = [node for each in block[block.index(made) :] for node in ast.walk(each)]
            bound = {each.id for each in ast.walk(cut) if isinstance(each, ast.Name)}
            is_moved = any(
                isinstance(each, ast.Name)
                and each.id in bound
                and not isinstance(each.ctx, ast.Load)
                for each in after
            )
            if is_moved or len(calls) != len(uses) or not set(calls) <= set(after):
                return []
            return calls if all(map(_is_extreme, calls)) else []
    return []


def _is_extreme(call: ast.Call) -> bool:
    match call:
        case ast.Call(func=ast.Name(id="max" | "min"), args=[_], keywords=[]):
            return True
    return False


def _is_fallback(scene: Scene, node: ast.AST, things: str) -> bool:
    """Whether it is what is left for places that a table does not answer."""
    parent = scene.parents[node]
    tables = [f"{things}_{each}" for each in _TABLES.values()]
    return isinstance(parent, ast.IfExp) and any(e in ast.unparse(parent.test) for e in tables)


def _is_known(scene: Scene, window: _Window) -> bool:
    """Whether values have an order, and places and the size are whole numbers."""
    kind = kind_inside(scene, window.cut.value)
    if kind is None or not (kind.is_list or kind.name in ("tuple", "str")):
        return False
    names = [each for each in ast.walk(window.cut.slice) if isinstance(each, ast.Name)]
    places = [each for each in names if each.id in window.at.names | window.size.names]
    are_whole = all(
        number is not None and number.name == "int"
        for number in (kind_inside(scene, each) for each in places)
    )
    return are_whole and kind.item is not None and kind.item.is_ordered


def _with_tables(scene: Scene, window: _Window, calls: list[ast.Call], loop: ast.stmt) -> Edits:
    source, edits, at = scene.source, [], window.at.text
    tables = {}
    for call in calls:
        which = call.func.id  # type: ignore[attr-defined]
        if which not in tables:
            tables[which] = scene.fresh(f"{window.things}_{_TABLES[which]}")
        table, asked = tables[which], f"{which}({source.of(window.cut)})"
        text = f"{table}[{at}] if 0 <= {at} < len({table}) else {asked}"
        if window.is_cut_off and _counts_places(scene, window):
            text = f"{which}({table}[{at}:{at} + 1])"  # of no size, there is nothing: as before
        is_part = isinstance(scene.parents[call], _OPERATIONS) and " if " in text
        edits.append(source.replaced(call, f"({text})" if is_part else text))
    made = scene.parents[window.cut]
    if isinstance(made, ast.Assign):
        edits.append(source.removed(made))
    lines = _tables(scene, window, tables)
    return Edits((source.before(loop, *lines), *edits), _ACCUMULATE)


def _counts_places(scene: Scene, window: _Window) -> bool:
    """Whether the place is one of the list, by the walk that counts it."""
    at, things = window.at.text, window.things
    if not at.isidentifier() or len(scene.bindings(at)) != 1:
        return False
    match scene.parents[scene.bindings(at)[0]]:
        case ast.For(iter=walk) | ast.comprehension(iter=walk):
            return ast.unparse(walk) == f"range(len({things}))"
        case ast.Tuple(elts=[ast.Name(id=first), _]) as pair if first == at:
            around = scene.parents[pair]
            if isinstance(around, ast.For | ast.comprehension):
                return ast.unparse(around.iter) == f"enumerate({things})"
    return False


def _tables(scene: Scene, window: _Window, tables: dict[str, str]) -> list[str]:
    """Lines that make a list of the extreme at every place: of blocks, upward and downward."""
    things, size = window.things, scene.fresh("size")
    padded, block, start = scene.fresh("padded"), scene.fresh("block"), scene.fresh("start")
    pads = f"*{things}[-1:] * ({size} - 1)"
    whole = f"*{things}, {pads}"
    if window.is_cut_off:
        whole = f"*{things}[:1] * ({size} - 1), *{things}"
    ways = {which: (f"{table}_up", f"{table}_down") for which, table in tables.items()}
    lines = [f"{size} = max(min({window.size.text}, len({things})), 0)", f"{padded} = [{whole}]"]
    lines += [f"{up}, {down} = [], []" for up, down in ways.values()]
    lines += [
        f"for {start} in range(0, len({padded}), max({size}, 1)):",
        f"    {block} = {padded}[{start}:{start} + {size}]",
    ]
    for which, (up, down) in ways.items():
        lines.append(f"    {up} += accumulate({block}, {which})")
        lines.append(f"    {down} += reversed([*accumulate(reversed({block}), {which})])")
    return lines + [
        f"{tables[which]} = list(map({which}, {down}, {up}[{size} - 1:]))"
        for which, (up, down) in ways.items()
    ]
