"""The least or the greatest, searched again at every step: of a pool, of a moving window."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.comparisons import Linear, linear
from reverie.dreamers.rewriting.repeats import kind_inside, steady_repeats
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edits
from reverie.syntax.nodes import Function, names_in
from reverie.syntax.unparsing import unparse

_FEEDING = ("append", "extend", "insert", "sort", "remove", "reverse")
_HEAP = frozenset({("heapq", "heapify"), ("heapq", "heappop"), ("heapq", "heappush")})


@dataclass(frozen=True, slots=True)
class _Taking:
    """One place where the least or the greatest of a list is found and taken out."""

    which: str
    value: ast.expr
    """What becomes the taken value."""
    gone: tuple[ast.stmt, ...]
    """Statements that are needed no more."""
    is_careful: bool = False
    """Whether an empty list is the error of `pop`, as it will be."""


def taken_in_order(scene: Scene) -> Iterator[Edits]:
    """Each time the least: from a list that is sorted once, or from a heap where more come."""
    for name in sorted(names_in(scene.function)):
        kind = scene.kinds.get(name)
        item = kind.item if kind is not None and kind.name == "list" else None
        if item is None or not item.is_ordered or not _is_own(scene, name):
            continue
        takings = list(_takings(scene, name))
        loop = _loop_of(scene, name, takings)
        if loop is None or len({each.which for each in takings}) != 1:
            continue
        others = _others(scene, name, loop, takings)
        if others is not None and not _is_seen_after(scene, name, loop):
            edits = _in_order(scene, name, loop, takings, others)
            if edits is not None:
                yield edits


def _is_own(scene: Scene, name: str) -> bool:
    """Whether the function makes the list, and nobody else holds it."""
    bindings = scene.bindings(name)
    if len(bindings) != 1 or name in scene.parameters:
        return False
    made = scene.statement_of(bindings[0])
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    is_call = isinstance(value, ast.Call) and unparse(value.func) in ("list", "sorted")
    inner = [each for each in ast.walk(scene.function) if isinstance(each, Function | ast.Lambda)]
    hidden = [each for each in inner if each is not scene.function and scene.names(name, each)]
    fresh = is_call or isinstance(value, ast.List | ast.ListComp)
    return fresh and all(_is_key(scene, each) for each in hidden)


def _is_key(scene: Scene, node: ast.AST) -> bool:
    """Whether a lambda is asked at once, for a key."""
    given = scene.parents.get(node)
    return isinstance(given, ast.keyword) and given.arg == "key"


def _takings(scene: Scene, name: str) -> Iterator[_Taking]:
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=of), attr="pop"), args=[place]) if (
                of == name
            ):
                which = _which(place, name)
                if which is not None:
                    yield _Taking(which, node, (), _is_default(place))
            case ast.Assign(targets=[ast.Name(id=x)], value=ast.Call() as value):
                which = {f"min({name})": "min", f"max({name})": "max"}.get(unparse(value))
                removal = _next(scene, node)
                if which and removal and unparse(removal) == f"{name}.remove({x})":
                    yield _Taking(which, value, (removal,))
                elif len(scene.bindings(x)) == 1 and _which(value, name) is not None:
                    yield from _by_place(scene, name, node, x)


def _next(scene: Scene, statement: ast.stmt | None) -> ast.stmt | None:
    block = [] if statement is None else scene.block_of(statement)
    at = block.index(statement) + 1 if statement is not None else 0
    return block[at] if at < len(block) else None


def _by_place(scene: Scene, name: str, made: ast.Assign, place: str) -> Iterator[_Taking]:
    """`best = min(range(len(xs)), …)`, and what is taken from there at once."""
    which, careful = _which(made.value, name) or "", _is_default(made.value)
    after = _next(scene, made)
    pops = [] if after is None else scene.method_calls(name, "pop", after)
    if len(pops) == 1 and len(scene.names(place)) == 2 and not isinstance(after, Loop):
        if unparse(pops[0]) == f"{name}.pop({place})":
            yield _Taking(which, pops[0], (made,), careful)
        return
    last = _next(scene, after)
    match after, last:
        case ast.Assign(value=ast.Subscript() as looked), (ast.Delete() | ast.Expr()):
            taken = unparse(looked) == f"{name}[{place}]" and len(scene.names(place)) == 3
            ends = (f"del {name}[{place}]", f"{name}.pop({place})")
            if taken and unparse(last) in ends:
                yield _Taking(which, looked, (made, last))


def _is_default(place: ast.expr) -> bool:
    return any(isinstance(each, ast.keyword) and each.arg == "default" for each in ast.walk(place))


def _which(place: ast.expr, name: str) -> str | None:
    """Whether an expression is the place of the least or of the greatest in a list."""
    shown = unparse(place)
    for which in ("min", "max"):
        along = (f"range(len({name}))", f"reversed(range(len({name})))")
        known = {f"{which}({each}, key={name}.__getitem__)" for each in along}
        known |= {f"{each[:-1]}, default=0)" for each in known}
        known |= {f"{which}({along[0]}, key=lambda {i}: {name}[{i}])" for i in ("i", "j", "k")}
        if shown in known or shown == f"{name}.index({which}({name}))":
            return which
    return None


def _loop_of(scene: Scene, name: str, takings: list[_Taking]) -> Loop | None:
    """The outermost loop around all takings that does not make the list itself."""
    found = None
    for loop in scene.loops_around(takings[0].value) if takings else []:
        if scene.bindings(name, loop):
            break
        found = loop
    held = set() if found is None else set(ast.walk(found))
    return found if all(each.value in held for each in takings) else None


def _others(scene: Scene, name: str, loop: Loop, takings: list[_Taking]) -> list[ast.Call] | None:
    """What is put in meanwhile; None where anything else is done with the list in the loop."""
    spared = {e for each in takings for part in (each.value, *each.gone) for e in ast.walk(part)}
    held, appended = set(ast.walk(loop)), []
    for each in scene.names(name):
        parent, inside = scene.parents[each], each in held
        if each in spared or isinstance(each.ctx, ast.Store):
            continue
        if inside and isinstance(parent, ast.Attribute):
            call = scene.parents[parent]
            if parent.attr != "append" or not isinstance(call, ast.Call) or len(call.args) != 1:
                return None
            appended.append(call)
        elif not (_is_measured(parent, each) if inside else _is_early(scene, each, parent, loop)):
            return None
    return appended


def _is_measured(parent: ast.AST, each: ast.Name) -> bool:
    """Whether it is only asked how many there are, or whether there are any."""
    match parent:
        case ast.While(test=test) | ast.If(test=test):
            return test is each
        case ast.Call(func=ast.Name(id="len" | "bool")) | ast.UnaryOp(op=ast.Not()):
            return True
    return False


def _is_early(scene: Scene, each: ast.Name, parent: ast.AST, loop: Loop) -> bool:
    """Whether it is filled or read before the loop, and not handed to anybody who may keep it."""
    if each.lineno > loop.lineno:
        return True
    if isinstance(parent, ast.List | ast.Tuple | ast.Dict | ast.Set):
        return False
    feeds = isinstance(parent, ast.Attribute) and parent.attr in _FEEDING
    return (feeds and isinstance(scene.parents[parent], ast.Call)) or not scene.is_change(each)


def _is_seen_after(scene: Scene, name: str, loop: Loop) -> bool:
    """Whether the order of what is left may be seen."""
    end = loop.end_lineno or 0
    late = [each for each in scene.names(name) if each.lineno > end]
    seen = [each for each in late if not _is_measured(scene.parents[each], each)]
    if not seen and not scene.loops_around(loop):
        return False
    return not _ensured(loop, name) or any(isinstance(each, ast.Break) for each in ast.walk(loop))


def _ensured(loop: Loop, name: str) -> int:
    """How many the list surely holds each time the loop begins; fewer are left when it ends."""
    shown = unparse(loop.test) if isinstance(loop, ast.While) else ""
    one = (name, f"len({name}) > 0", f"len({name}) != 0", f"len({name}) >= 1")
    two = (f"len({name}) > 1", f"len({name}) >= 2")
    return 1 if shown in one else 2 if shown in two else 0


def _is_never_empty(scene: Scene, name: str, loop: Loop, takings: list[_Taking]) -> bool:
    """Whether there is always one to take: what an empty list raises would be another error."""
    once = all(scene.loops_around(each.value)[0] is loop for each in takings)
    return once and len(takings) <= _ensured(loop, name)


def _in_order(
    scene: Scene, name: str, loop: Loop, takings: list[_Taking], appended: list[ast.Call]
) -> Edits | None:
    source, which = scene.source, takings[0].which
    is_careful = not appended and all(each.is_careful for each in takings)
    if not is_careful and not _is_never_empty(scene, name, loop, takings):
        return None
    gone = [source.removed(each) for taking in takings for each in taking.gone]
    if not appended:
        first = f"{name}.sort(reverse=True)" if which == "min" else f"{name}.sort()"
        taken = [source.replaced(each.value, f"{name}.pop()") for each in takings]
        return Edits((source.before(loop, first), *taken, *gone))
    if which == "max":
        return None
    taken = [source.replaced(each.value, f"heappop({name})") for each in takings]
    for each in appended:
        taken.append(source.replaced(each, f"heappush({name}, {source.of(each.args[0])})"))
    return Edits((source.before(loop, f"heapify({name})"), *taken, *gone), _HEAP)


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
            bound = names_in(cut)
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
    return isinstance(parent, ast.IfExp) and any(e in unparse(parent.test) for e in tables)


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
            return unparse(walk) == f"range(len({things}))"
        case ast.Tuple(elts=[ast.Name(id=first), _]) as pair if first == at:
            around = scene.parents[pair]
            if isinstance(around, ast.For | ast.comprehension):
                return unparse(around.iter) == f"enumerate({things})"
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
