"""Lists used from the front."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.rewrite import Rewrite
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def _pop_front(scene: Scene) -> Iterator[Edits]:
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
        held = "" if isinstance(value, ast.List) and not value.elts else source.of(value)
        edits = [source.replaced(value, f"deque({held})")]
        edits += [source.replaced(call, f"{name}.popleft()") for call in pops]
        edits += _unannotated(scene, made)
        yield Edits(tuple(edits), frozenset({("collections", "deque")}))


def _insert_front(scene: Scene) -> Iterator[Edits]:
    """`insert(0, x)` while it grows; turned round once, when it is done."""
    for name, made in _own_lists(scene):
        inserts = [call for call in scene.method_calls(name, "insert") if _is_zero(call.args[:1])]
        value = made.value
        empty = isinstance(value, ast.List) and not value.elts
        loops = [loop for call in inserts for loop in scene.loops_around(call)[-1:]]
        if not inserts or not empty or len(set(loops)) != 1:
            continue
        if len(scene.names(name, loops[0])) != len(inserts):
            continue  # it is looked at while it grows
        source = scene.source
        edits = [
            source.replaced(call, f"{name}.append({source.of(call.args[1])})") for call in inserts
        ]
        yield Edits((*edits, source.after(loops[0], f"{name}.reverse()")))


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


REWRITES = (
    Rewrite(
        name="pop_front",
        summary="Use a deque for a list that is emptied from the front",
        precondition="the list is the function's own and used as a queue only",
        growth="n² → n",
        propose=_pop_front,
        before=(
            "def drain(xs: list[int]) -> int:\n"
            "    queue = list(xs)\n"
            "    total = 0\n"
            "    while queue:\n"
            "        total += queue.pop(0)\n"
            "    return total\n"
        ),
        after=(
            "from collections import deque\n"
            "def drain(xs: list[int]) -> int:\n"
            "    queue = deque(list(xs))\n"
            "    total = 0\n"
            "    while queue:\n"
            "        total += queue.popleft()\n"
            "    return total\n"
        ),
    ),
    Rewrite(
        name="insert_front",
        summary="Append, and turn the list round once",
        precondition="nothing looks at the list while it grows",
        growth="n² → n",
        propose=_insert_front,
        before=(
            "def backwards(xs: list[int]) -> list[int]:\n"
            "    out = []\n"
            "    for x in xs:\n"
            "        out.insert(0, x * 2)\n"
            "    return out\n"
        ),
        after=(
            "def backwards(xs: list[int]) -> list[int]:\n"
            "    out = []\n"
            "    for x in xs:\n"
            "        out.append(x * 2)\n"
            "    out.reverse()\n"
            "    return out\n"
        ),
    ),
)
