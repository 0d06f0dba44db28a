"""Lists that are made ready first, and then emptied from the front."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Function, Loop, Scene
from reverie.dreamers.rewriting.source import Edits

_MAKING = ("append", "extend", "reverse", "sort")
"""Methods of a list that hand it to nobody."""
_DRAINING = ("append", "extend", "pop")
_MAKERS = ("list", "sorted")


def drained_list(scene: Scene) -> Iterator[Edits]:
    """`queue = deque(queue)` in front of the loop that empties it."""
    for name in dict.fromkeys(_popped_names(scene)):
        loop = _draining_loop(scene, name)
        if loop is None or not _is_own(scene, name, loop):
            continue
        uses = [each for each in scene.names(name) if isinstance(each.ctx, ast.Load)]
        before = [each for each in uses if each.lineno < loop.lineno]
        later = [each for each in uses if each.lineno >= loop.lineno]
        is_made = all(_is_kept(scene, each, _MAKING, is_list=True) for each in before)
        if not before or not is_made:
            continue  # what is a queue from the start is made as one: `pop_front`
        if not all(_is_kept(scene, each, _DRAINING, is_list=False) for each in later):
            continue
        pops = [call for call in scene.method_calls(name, "pop") if _is_first(call)]
        source = scene.source
        edits = [source.before(loop, f"{name} = deque({name})")]
        edits += [
            source.replaced(call, f"{name}.popleft()") for call in pops if call.lineno > loop.lineno
        ]
        yield Edits(tuple(edits), frozenset({("collections", "deque")}))


def _popped_names(scene: Scene) -> Iterator[str]:
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="pop")) as call:
                if _is_first(call):
                    yield name


def _is_first(call: ast.Call) -> bool:
    match call.args:
        case [ast.Constant(value=int(place))] if not isinstance(place, bool):
            return place == 0
    return False


def _draining_loop(scene: Scene, name: str) -> Loop | None:
    """The one loop of the function's own block around every `pop(0)` of a loop."""
    pops = [call for call in scene.method_calls(name, "pop") if _is_first(call)]
    loops = {around[-1] for call in pops if (around := scene.loops_around(call))}
    if len(loops) != 1:
        return None
    (loop,) = loops
    is_plain = loop in scene.function.body and not loop.orelse
    early = any(call.lineno < loop.lineno for call in pops)
    return loop if is_plain and not early else None


def _is_own(scene: Scene, name: str, loop: Loop) -> bool:
    """Whether all that it is bound to are new lists, in front of the loop, for this function."""
    if name in scene.parameters or _is_shared(scene, name):
        return False
    for each in scene.bindings(name):
        match scene.statement_of(each):
            case ast.Assign(targets=[ast.Name()], value=value) as made:
                if made.lineno >= loop.lineno or not _is_new_list(value):
                    return False
            case _:
                return False
    return True


def _is_shared(scene: Scene, name: str) -> bool:
    """Whether a function inside this one, or a declaration, can reach it."""
    for node in ast.walk(scene.function):
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return True
        is_inner = isinstance(node, Function | ast.Lambda | ast.ClassDef)
        if is_inner and node is not scene.function and scene.names(name, node):
            return True
    return False


def _is_new_list(value: ast.expr) -> bool:
    if isinstance(value, ast.List | ast.ListComp):
        return True
    match value:
        case ast.Call(func=ast.Name(id=made)):
            return made in _MAKERS
    return False


def _is_kept(scene: Scene, each: ast.Name, methods: tuple[str, ...], *, is_list: bool) -> bool:
    """Whether a use hands the list to nobody, and means the same for a deque where it is one."""
    match scene.parents[each]:
        case ast.Attribute(attr=attr) as method:
            call = scene.parents[method]
            if attr not in methods or not (isinstance(call, ast.Call) and call.func is method):
                return False
            return is_list or attr != "pop" or not call.args or _is_first(call)
        case ast.Subscript(value=value, slice=index, ctx=ast.Load()) if value is each:
            return _is_end(index)
        case ast.While(test=test) | ast.If(test=test):
            return test is each
        case ast.UnaryOp(op=ast.Not()):
            return True
        case ast.Call(func=ast.Name(id="len" | "bool")):
            return True
        case ast.Compare(left=left, ops=[ast.In() | ast.NotIn()]):
            return left is not each
    return False


def _is_end(index: ast.expr) -> bool:
    """The first or the last item: a deque has the others not at hand."""
    match index:
        case ast.Constant(value=int(place)):
            return place == 0
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(place))):
            return place == 1
    return False
