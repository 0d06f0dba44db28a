"""Purity: effects of a loop or function, memoisable functions, and who else holds a value."""

import ast
from collections.abc import Callable
from dataclasses import dataclass

from reverie.dreamers.rewriting.aliases import fresh_names
from reverie.dreamers.rewriting.kinds import Kind, from_annotation, known_calls
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.syntax.nodes import Function, is_bare_constant, names_in
from reverie.syntax.unparsing import unparse


def is_pure_call(scene: Scene, call: ast.Call) -> bool:
    """Whether a function or method of the module only computes, by its text, from plain names."""
    if call.keywords or not all(isinstance(each, ast.Name | ast.Constant) for each in call.args):
        return False
    callee = _callee(scene, call)
    if isinstance(call.func, ast.Name):
        return callee is not None and bool(call.args) and scene.is_pure(call.func.id)
    return callee is not None and all(
        scene.is_pure_node(each, frozenset()) for each in ast.walk(callee)
    )


def answer_kinds(scene: Scene, call: ast.Call) -> list[Kind | None]:
    """The kinds of all that a function or method of the module returns, by its own text."""
    callee = _callee(scene, call)
    if callee is None:
        return [None]
    inside = Scene(scene.source, callee)
    returned = [each for each in ast.walk(callee) if isinstance(each, ast.Return)]
    return [inside.kind_of(each.value) if each.value else None for each in returned] or [None]


def _callee(scene: Scene, call: ast.Call) -> Function | None:
    match call.func:
        case ast.Name(id=name):
            return scene.functions.get(name)
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            kind = scene.kinds.get(name)
            return None if kind is None else _method(scene, kind.name, attr)
    return None


def _method(scene: Scene, owner: str, name: str) -> ast.FunctionDef | None:
    """A method of a class of the module that stands alone."""
    for node in scene.source.tree.body:
        if isinstance(node, ast.ClassDef) and node.name == owner and not node.bases:
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == name:
                    return None if each.decorator_list else each
    return None


def is_quiet(scene: Scene, within: ast.AST, call: ast.Call) -> bool:
    """Whether a call gives the same each time inside a node: nothing it may look at changes.

    Only lists, sets and dictionaries that the function makes itself may change there.
    """
    shown = unparse(call)
    same = [each for each in ast.walk(within) if isinstance(each, ast.Call)]
    spared = {e for each in same if unparse(each) == shown for e in ast.walk(each)}
    names = names_in(call)
    used = [each for name in names for each in scene.names(name, within) if each not in spared]
    if any(not isinstance(each.ctx, ast.Load) or scene.is_change(each) for each in used):
        return False
    if any(scene.changes_elsewhere(name, within) for name in names):
        return False
    rest = [each for each in ast.walk(within) if each not in spared]
    return all(_is_own_change(scene, each, names) for each in rest)


def _is_own_change(scene: Scene, node: ast.AST, names: set[str]) -> bool:
    """Whether a node changes nothing, or only something that the function makes itself."""
    match node:
        case ast.Yield() | ast.YieldFrom() | ast.Await() | ast.Global() | ast.Nonlocal():
            return False
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
            return False
        case ast.Call(func=ast.Name(id=name)):
            return scene.is_harmless(name)
        case ast.Call(func=ast.Attribute(value=value, attr=attr) as func):
            if attr in known_calls()["changing"]:
                return _is_own(scene, value, names)
            return attr in known_calls()["methods"] or (unparse(func) in known_calls()["functions"])
        case ast.Call():
            return False
        case ast.Attribute(value=value, ctx=ast.Store() | ast.Del()):
            return False
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            return _is_own(scene, value, names)
        case ast.AugAssign(target=ast.Name(id=name) as target):
            kind = scene.kinds.get(name)
            plain = kind is not None and kind.is_hashable
            return plain or _is_own(scene, target, names)
    return True


def _is_own(scene: Scene, node: ast.expr, names: set[str]) -> bool:
    """Whether it is a name of what the function makes itself, and nobody else is given."""
    if not isinstance(node, ast.Name) or node.id in names or scene.aliases.get(node.id):
        return False
    return node.id in fresh_names(scene.function)


def working_body(function: Function) -> list[ast.stmt]:
    """The statements of a function without its docstring."""
    return [each for each in function.body if not is_bare_constant(each)]


def has_keys(function: Function) -> bool:
    """Whether every parameter is annotated with something hashable."""
    given = function.args
    return are_keys([*given.posonlyargs, *given.args, *given.kwonlyargs])


def are_keys(parameters: list[ast.arg]) -> bool:
    """Whether there are any, and all are annotated with something hashable."""
    kinds = [from_annotation(each.annotation) for each in parameters]
    return bool(kinds) and all(kind is not None and kind.is_hashable for kind in kinds)


def returns_plain(function: Function) -> bool:
    """Whether what it returns can be handed out twice: it cannot be changed."""
    kind = from_annotation(function.returns)
    return kind is not None and kind.is_hashable


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
