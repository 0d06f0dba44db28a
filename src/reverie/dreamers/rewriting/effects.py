"""What a loop does to the world, and whether an answer can change while it runs."""

import ast

from reverie.dreamers.rewriting.aliases import fresh_names
from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.known import known_calls
from reverie.dreamers.rewriting.scene import Function, Scene


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
    shown = ast.unparse(call)
    same = [each for each in ast.walk(within) if isinstance(each, ast.Call)]
    spared = {e for each in same if ast.unparse(each) == shown for e in ast.walk(each)}
    names = {each.id for each in ast.walk(call) if isinstance(each, ast.Name)}
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
            return attr in known_calls()["methods"] or (
                ast.unparse(func) in known_calls()["functions"]
            )
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
