"""The least or the greatest, looked for by hand each time one is taken out."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.dreamers.rewriting.scene import Function, Loop, Scene
from reverie.dreamers.rewriting.source import Edits

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
    for name in sorted(
        {each.id for each in ast.walk(scene.function) if isinstance(each, ast.Name)}
    ):
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
    is_call = isinstance(value, ast.Call) and ast.unparse(value.func) in ("list", "sorted")
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
                which = {f"min({name})": "min", f"max({name})": "max"}.get(ast.unparse(value))
                removal = _next(scene, node)
                if which and removal and ast.unparse(removal) == f"{name}.remove({x})":
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
        if ast.unparse(pops[0]) == f"{name}.pop({place})":
            yield _Taking(which, pops[0], (made,), careful)
        return
    last = _next(scene, after)
    match after, last:
        case ast.Assign(value=ast.Subscript() as looked), (ast.Delete() | ast.Expr()):
            taken = ast.unparse(looked) == f"{name}[{place}]" and len(scene.names(place)) == 3
            ends = (f"del {name}[{place}]", f"{name}.pop({place})")
            if taken and ast.unparse(last) in ends:
                yield _Taking(which, looked, (made, last))


def _is_default(place: ast.expr) -> bool:
    return any(isinstance(each, ast.keyword) and each.arg == "default" for each in ast.walk(place))


def _which(place: ast.expr, name: str) -> str | None:
    """Whether an expression is the place of the least or of the greatest in a list."""
    shown = ast.unparse(place)
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
    shown = ast.unparse(loop.test) if isinstance(loop, ast.While) else ""
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
