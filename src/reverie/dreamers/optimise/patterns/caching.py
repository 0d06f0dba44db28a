"""Answers of helpers that were found already. Every cache lives in one call: none outlives it."""

import ast
from collections.abc import Iterator
from itertools import takewhile

from reverie.dreamers.rewriting.bodies import are_keys, has_keys, returns_plain
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_CACHE = frozenset({("functools", "cache")})


def remembered_helper(scene: Scene) -> Iterator[Edits]:
    """A pure helper, called in a loop: what it said of the same values is remembered."""
    for name in {call.func.id for call in _loop_calls(scene)}:  # type: ignore[attr-defined]
        function = scene.functions.get(name)
        if function is None or function is scene.function or not scene.is_pure(name):
            continue
        if not has_keys(function) or not returns_plain(function):
            continue
        calls = [call for call in _loop_calls(scene) if call.func.id == name]  # type: ignore[attr-defined]
        loop = scene.loops_around(calls[0])[-1]
        remembered, source = scene.fresh(f"{name}_once"), scene.source
        edits = [
            source.replaced(call.func, remembered)
            for call in calls
            if loop in scene.loops_around(call)
        ]
        edits.append(source.before(scene.statement_of(loop), f"{remembered} = cache({name})"))
        yield Edits(tuple(edits), _CACHE)


def remembered_method(scene: Scene) -> Iterator[Edits]:
    """A method that only computes from its arguments, called in a loop on one object."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id=name), attr=attr), keywords=[], args=[_, *_]
            ):
                kind = scene.kinds.get(name)
                method = _computing_method(scene, kind.name if kind else "", attr)
                around = scene.loops_around(node)
                loops = list(takewhile(lambda loop: not scene.bindings(name, loop), around))
                if method is None or not loops:
                    continue
                if not are_keys(method.args.args[1:]) or not returns_plain(method):
                    continue
                remembered, source = scene.fresh(f"{attr}_once"), scene.source
                first = source.before(
                    scene.statement_of(loops[-1]), f"{remembered} = cache({name}.{attr})"
                )
                yield Edits((first, source.replaced(node.func, remembered)), _CACHE)


def _computing_method(scene: Scene, owner: str, name: str) -> ast.FunctionDef | None:
    """A method of a class of the module that never looks at its object."""
    for node in scene.source.tree.body:
        if isinstance(node, ast.ClassDef) and node.name == owner and not node.bases:
            for each in node.body:
                if isinstance(each, ast.FunctionDef) and each.name == name:
                    plain = not each.decorator_list and not scene.names("self", each)
                    pure = all(scene.is_pure_node(part, frozenset()) for part in ast.walk(each))
                    return each if plain and pure else None
    return None


def _loop_calls(scene: Scene) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(scene.function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and scene.loops_around(node)
    ]


def invariant_call(scene: Scene) -> Iterator[Edits]:
    """A call in a loop whose arguments never change there: made when it is first needed."""
    for node in scene.statements():
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as call):
                loops = scene.loops_around(node)
                if (
                    not loops
                    or not _is_pure_call(scene, call)
                    or not _is_steady(scene, call, loops[-1])
                ):
                    continue
                if len(scene.bindings(name)) != 1 or scene.changes(name, loops[-1], apart=node):
                    continue
                flag, source = name, scene.source
                first = source.before(scene.statement_of(loops[-1]), f"{flag} = None")
                indent = source.indent_of(node)
                lazily = f"if {flag} is None:\n{indent}    {source.of(node)}"
                yield Edits((first, source.replaced(node, lazily)))


def _is_pure_call(scene: Scene, call: ast.Call) -> bool:
    match call.func:
        case ast.Name(id=name):
            return name in (
                "sorted",
                "set",
                "frozenset",
                "dict",
                "list",
                "tuple",
                "sum",
                "max",
                "min",
            ) or (scene.is_pure(name))
    return f"{ast.unparse(call.func)}" in ("json.loads", "re.compile", "copy.deepcopy", "sorted")


def _is_steady(scene: Scene, call: ast.Call, loop: ast.stmt) -> bool:
    names = {
        node.id for node in ast.walk(call) if isinstance(node, ast.Name) and node is not call.func
    }
    is_pure = all(
        scene.is_pure_node(node, frozenset()) for node in ast.walk(call) if node is not call
    )
    return (
        bool(call.args)
        and is_pure
        and not any(scene.changes(name, loop, apart=call) for name in names)
    )
