"""A value that a function makes itself and makes anew in a loop, and who else may hold it."""

import ast
from collections.abc import Callable
from dataclasses import dataclass

from reverie.dreamers.rewriting.scene import Function, Loop, Scene

_COPYING = frozenset(
    {"all", "any", "bool", "dict", "frozenset", "len", "list", "max", "min", "print", "repr",
     "set", "sorted", "str", "sum", "tuple"}
)  # fmt: skip
"""Builtins that keep nothing of what they are given but its items."""
_VIEWS = ("items", "keys", "values")
_KEEPING = (
    "copy",
    "get",
    "pop",
    "setdefault",
    "update",
    "add",
    "discard",
    "remove",
    "count",
    "index",
)


@dataclass(frozen=True, slots=True)
class Grown:
    """A name that begins with a new value and gets another one in a loop, made of the last."""

    start: ast.stmt
    start_value: ast.expr
    loop: Loop
    """The outermost one that does not contain the start."""
    steps: tuple[tuple[ast.stmt, str], ...]
    """Statements that make it anew, and what would change it instead."""
    seen: tuple[ast.Name, ...]
    """Uses from the start to the end of the loop, those of the steps apart."""
    every: tuple[ast.Name, ...]
    """The same of the whole function."""
    inside: tuple[ast.Name, ...]
    """Those in the loop."""
    is_tried: bool
    """Whether an error in the loop may be caught in the function."""


def grown(
    scene: Scene,
    name: str,
    is_new: Callable[[ast.expr], bool],
    changed: Callable[[ast.stmt], str | None],
) -> Grown | None:
    """How a name grows; None when it is bound otherwise, or a function inside sees it."""
    if name in scene.parameters or _is_shared(scene, name):
        return None
    bound = list(dict.fromkeys(scene.statement_of(each) for each in scene.bindings(name)))
    if any(isinstance(each, ast.Assign) and len(each.targets) > 1 for each in bound):
        return None  # another name gets the value too
    found = [(each, changed(each)) for each in bound]
    steps = tuple((each, text) for each, text in found if text is not None)
    starts = [each for each, text in found if text is None]
    match starts:
        case [ast.Assign(targets=[ast.Name()], value=value) | ast.AnnAssign(value=value) as start]:
            loops = {_loop_without(scene, each, start) for each, _ in steps}
            loop = loops.pop() if len(loops) == 1 else None
            if value is not None and is_new(value) and loop is not None:
                return _with_uses(scene, name, (start, value), loop, steps)
    return None


def _with_uses(
    scene: Scene,
    name: str,
    start: tuple[ast.stmt, ast.expr],
    loop: Loop,
    steps: tuple[tuple[ast.stmt, str], ...],
) -> Grown | None:
    block = scene.block_of(start[0])
    around = [each for each in block if loop in ast.walk(each)]
    if not around or block.index(around[0]) <= block.index(start[0]):
        return None
    place: ast.AST = loop
    is_tried = False
    while place is not scene.function:
        place = scene.parents[place]
        is_tried |= isinstance(place, ast.Try | ast.With)
    own = {part for each, _ in steps for part in _own_parts(each)} | set(ast.walk(start[0]))
    every = tuple(each for each in scene.names(name) if each not in own)
    between = block[block.index(start[0]) + 1 : block.index(around[0]) + 1]
    near = {part for each in between for part in ast.walk(each)}
    within = set(ast.walk(loop))
    return Grown(
        start=start[0],
        start_value=start[1],
        loop=loop,
        steps=steps,
        seen=tuple(each for each in every if each in near),
        every=every,
        inside=tuple(each for each in every if each in within),
        is_tried=is_tried,
    )


def _own_parts(step: ast.stmt) -> list[ast.AST]:
    """The name as it is bound, and the first use of it: what it is made of."""
    match step:
        case ast.AugAssign(target=target):
            return [target]
        case ast.Assign(targets=[ast.Name(id=name) as target], value=value):
            first = [each for each in ast.walk(value) if isinstance(each, ast.Name)]
            made_of = sorted(
                (each for each in first if each.id == name),
                key=lambda each: (each.lineno, each.col_offset),
            )
            return [target, *made_of[:1]]
    return []


def _loop_without(scene: Scene, step: ast.stmt, start: ast.stmt) -> Loop | None:
    outside = [each for each in scene.loops_around(step) if start not in ast.walk(each)]
    return outside[-1] if outside else None


def _is_shared(scene: Scene, name: str) -> bool:
    """Whether something that runs at another time, or a declaration, can reach it."""
    for node in ast.walk(scene.function):
        if isinstance(node, ast.Global | ast.Nonlocal) and name in node.names:
            return True
        is_inner = isinstance(node, Function | ast.Lambda | ast.ClassDef | ast.GeneratorExp)
        if is_inner and node is not scene.function and scene.names(name, node):
            return True
    return False


def is_read_only(scene: Scene, each: ast.Name, found: Grown) -> bool:
    """Whether a use hands the value to nobody who would see it grow."""
    steps = [step for step, _ in found.steps]
    match scene.parents[each]:
        case ast.Subscript(value=value):
            return value is each
        case ast.Compare() | ast.If() | ast.While() | ast.UnaryOp(op=ast.Not()) | ast.Return():
            return True
        case ast.IfExp(test=test):
            return test is each
        case ast.FormattedValue():
            return True
        case ast.Call(func=ast.Name(id=name), args=args) if each in args:
            return name in _COPYING and name not in scene.functions
        case ast.For(iter=iterated) as walk if iterated is each:
            return not any(step in ast.walk(walk) for step in steps)
        case ast.comprehension(iter=iterated):
            return iterated is each
        case ast.Attribute(attr=attr) as method:
            call = scene.parents[method]
            if not isinstance(call, ast.Call) or call.func is not method:
                return False
            return attr in _KEEPING or (attr in _VIEWS and _is_at_once(scene, call, steps))
    return False


def _is_at_once(scene: Scene, call: ast.Call, steps: list[ast.stmt]) -> bool:
    """Whether a view is used up where it is asked for."""
    match scene.parents[call]:
        case ast.For(iter=iterated) as walk:
            return iterated is call and not any(step in ast.walk(walk) for step in steps)
        case ast.comprehension(iter=iterated):
            return iterated is call
        case ast.Call(func=ast.Name(id=name)):
            return name in _COPYING
        case ast.Compare():
            return True
    return False


def only_appended(scene: Scene, name: str) -> bool:
    """Whether nothing but `append` of a plain name or constant changes it."""
    for each in scene.names(name):
        parent = scene.parents[each]
        if isinstance(parent, ast.Attribute):
            call = scene.parents[parent]
            plain = isinstance(call, ast.Call) and call.args and _is_plain_item(call.args[0])
            if parent.attr != "append" or not plain:
                return False
        elif isinstance(parent, ast.AugAssign | ast.Subscript) or (
            isinstance(each.ctx, ast.Load)
            and not isinstance(parent, ast.Return)
            and scene.is_change(each)
        ):
            return False
    return True


def _is_plain_item(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_is_plain_item(each) for each in node.elts)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.Constant):
        return isinstance(node.value, ast.Name)
    return isinstance(node, ast.Name | ast.Constant)
