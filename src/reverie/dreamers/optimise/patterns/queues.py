"""Lists used from the front."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Function, Loop, Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def pop_front(scene: Scene) -> Iterator[Edits]:
    """`queue.pop(0)` of a list of the function's own: a deque."""
    for name, made in _own_lists(scene):
        pops = [call for call in scene.method_calls(name, "pop") if _is_zero(call.args)]
        others = [call for call in scene.method_calls(name, "pop") if not _is_zero(call.args)]
        if (
            not pops
            or any(call.args for call in others)
            or not _is_queue(scene, name, ("append", "pop", "extend"))
        ):
            continue
        source = scene.source
        value = made.value
        if value is None:
            continue
        edits = [source.replaced(value, f"deque({_held(scene, value)})")]
        edits += [source.replaced(call, f"{name}.popleft()") for call in pops]
        edits += _unannotated(scene, made)
        yield Edits(tuple(edits), frozenset({("collections", "deque")}))


def _held(scene: Scene, value: ast.expr) -> str:
    """What a deque is made of: what the list was made of, where that is a list of its own."""
    match value:
        case ast.List(elts=[]):
            return ""
        case ast.Call(func=ast.Name(id="list"), args=[things], keywords=[]):
            return scene.source.of(things)
    return scene.source.of(value)


def insert_front(scene: Scene) -> Iterator[Edits]:
    """`insert(0, x)` while it grows; turned round once, when it is done."""
    for name, made in _own_lists(scene):
        inserts = [call for call in scene.method_calls(name, "insert") if _is_zero(call.args[:1])]
        loops = [loop for call in inserts for loop in scene.loops_around(call)[-1:]]
        if not inserts or len(set(loops)) != 1 or _is_caught(scene, loops[0]):
            continue
        if len(scene.names(name, loops[0])) != len(inserts):
            continue  # it is looked at while it grows
        source = scene.source
        edits = [
            source.replaced(call, f"{name}.append({source.of(call.args[1])})") for call in inserts
        ]
        if not _begins_empty(scene, name, made, loops[0]):
            edits.append(source.before(loops[0], f"{name}.reverse()"))
        yield Edits((*edits, source.after(loops[0], f"{name}.reverse()")))


def _begins_empty(scene: Scene, name: str, made: ast.Assign | ast.AnnAssign, loop: Loop) -> bool:
    """Whether nothing is in the list yet when the loop begins."""
    is_empty = isinstance(made.value, ast.List) and not made.value.elts
    early = [each for each in scene.names(name) if made.lineno < each.lineno < loop.lineno]
    return is_empty and not early


def _is_caught(scene: Scene, loop: Loop) -> bool:
    """Whether an error that ends the loop may be caught, and the list be seen as it is then."""
    node: ast.AST = loop
    while node is not scene.function:
        node = scene.parents[node]
        if isinstance(node, ast.Try | ast.TryStar | ast.With | ast.AsyncWith):
            return True
        if isinstance(node, Function | ast.Lambda) and node is not scene.function:
            return True
    return False


def _own_lists(scene: Scene) -> Iterator[tuple[str, ast.Assign | ast.AnnAssign]]:
    """Lists that the function makes itself and binds once."""
    for node in scene.statements():
        target = (
            node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        )
        target = node.target if isinstance(node, ast.AnnAssign) else target
        if not isinstance(target, ast.Name) or not isinstance(node, ast.Assign | ast.AnnAssign):
            continue
        fresh = isinstance(node.value, ast.List | ast.ListComp) or _is_list_call(node.value)
        if fresh and len(scene.bindings(target.id)) == 1 and target.id not in scene.parameters:
            yield target.id, node


def _is_list_call(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "list"


def _is_zero(args: list[ast.expr]) -> bool:
    return len(args) == 1 and isinstance(args[0], ast.Constant) and args[0].value == 0


def _is_queue(scene: Scene, name: str, allowed: tuple[str, ...]) -> bool:
    """Whether it is only fed, emptied, asked whether it is empty, and walked along."""
    for each in scene.names(name):
        if isinstance(each.ctx, ast.Store):
            continue
        match scene.parents[each]:
            case ast.Attribute(attr=attr) if attr in allowed:
                continue
            case ast.While(test=test) | ast.If(test=test) if test is each:
                continue
            case ast.UnaryOp(op=ast.Not()):
                continue
            case ast.Call(func=ast.Name(id="len" | "bool")):
                continue
            case ast.For(iter=iterated) as loop if iterated is each:
                if any(scene.changes(name, part) for part in loop.body):
                    return False  # a deque refuses to change under a walk, a list does not
                continue
            case ast.Compare(ops=[ast.In() | ast.NotIn()]):
                continue
        return False
    return True


def _unannotated(scene: Scene, made: ast.Assign | ast.AnnAssign) -> list[Edit]:
    """An annotation that says `list` would be wrong now."""
    if not isinstance(made, ast.AnnAssign):
        return []
    start, end = scene.source.span(made.target)[1], scene.source.span(made.annotation)[1]
    return [Edit(start, end, "")]
