"""Lists used or emptied from the front, and items looked for again to be taken out."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.syntax.nodes import Function


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


def taken_item(scene: Scene) -> Iterator[Edits]:
    """`x = left[i]`, later `left.remove(x)`: take it out at once, by its place."""
    for node in scene.statements():
        match node:
            case ast.Assign(
                targets=[ast.Name(id=item)],
                value=ast.Subscript(value=ast.Name(id=left), slice=place) as looked,
            ) if item != left and not isinstance(place, ast.Slice | ast.Tuple):
                block = scene.block_of(node)
                position = block.index(node)
                removal = _removal(scene, block[position + 1 :], left, item)
                if removal is None or not _is_distinct(scene, left):
                    continue
                source = scene.source
                taken = source.replaced(looked, f"{left}.pop({source.of(place)})")
                yield Edits((taken, source.removed(removal)))


def _removal(scene: Scene, block: list[ast.stmt], left: str, item: str) -> ast.stmt | None:
    """The statement that takes the item out, with nothing on the way that could see it there."""
    for statement in block:
        match statement:
            case ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="remove"),
                    args=[ast.Name(id=asked)],
                )
            ) if (name, asked) == (left, item):
                return statement
        if not _is_append(scene, statement, left):
            return None
    return None


def _is_append(scene: Scene, statement: ast.stmt, left: str) -> bool:
    """Whether it only puts a plain value at the end of another list of the function's own."""
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                args=[ast.Name() | ast.Constant() as value],
            )
        ) if name != left:
            is_other = not (isinstance(value, ast.Name) and value.id == left)
            made = [scene.statement_of(each) for each in scene.bindings(name)]
            is_list = all(isinstance(getattr(e, "value", None), ast.List) for e in made)
            return is_other and name not in scene.parameters and bool(made) and is_list
    return False


def _is_distinct(scene: Scene, name: str) -> bool:
    """Whether it is a list of a range that only gets shorter: all that it holds differs."""
    if name in scene.parameters:
        return False
    made = [scene.statement_of(each) for each in scene.bindings(name)]
    if len(made) != 1 or not _is_listed_range(getattr(made[0], "value", None)):
        return False
    for node in ast.walk(scene.function):
        is_inner = isinstance(node, Function | ast.Lambda) and node is not scene.function
        if is_inner and scene.names(name, node):
            return False
    return all(_only_shortens(scene, each) for each in scene.names(name))


def _is_listed_range(node: ast.expr | None) -> bool:
    match node:
        case ast.Call(
            func=ast.Name(id="list"), args=[ast.Call(func=ast.Name(id="range"))], keywords=[]
        ):
            return True
    return False


def _only_shortens(scene: Scene, each: ast.Name) -> bool:
    match scene.parents[each]:
        case ast.Attribute(attr=attr):
            return attr in ("remove", "pop", "sort", "reverse", "index", "clear")
        case ast.Subscript(value=value, ctx=ctx) if value is each:
            return isinstance(ctx, ast.Load)
        case ast.Assign(targets=[ast.Name() as target]):
            return target is each
        case ast.Call(func=ast.Name(id="len" | "bool" | "sum" | "min" | "max" | "sorted")):
            return True
        case ast.Call(func=ast.Attribute(attr="extend")):
            return True
        case ast.Return() | ast.Compare() | ast.While() | ast.If():
            return True
        case ast.For(iter=iterated) | ast.comprehension(iter=iterated):
            return iterated is each
    return False
