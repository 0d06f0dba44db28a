"""Recursions that find the same answer again and again. A cache lives in one call."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.bodies import are_keys, has_keys, returns_plain, working_body
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edit, Edits

_CACHE = frozenset({("functools", "cache")})


def memoised_recursion(scene: Scene) -> Iterator[Edits]:
    """A nested function that calls itself more than once with values that can be keys."""
    for node in scene.function.body:
        if not isinstance(node, ast.FunctionDef) or node.decorator_list:
            continue
        calls = _calls_of(node, node.name)
        if len(calls) > 1 and _is_computing(scene, node) and has_keys(node):
            yield Edits((scene.source.before(node, "@cache"),), _CACHE)


def memoised_self(scene: Scene) -> Iterator[Edits]:
    """The function calls itself: its body moves into a nested one that remembers."""
    function, source = scene.function, scene.source
    calls = _calls_of(function, function.name)
    given = function.args
    if any(call.keywords or len(call.args) != len(given.args) for call in calls):
        return
    if given.posonlyargs or any(set(_calls_of(call, function.name)) - {call} for call in calls):
        return  # a call among the arguments of another
    if len(calls) < 2 or function.decorator_list or given.vararg or given.kwarg or given.kwonlyargs:
        return
    if isinstance(function, ast.AsyncFunctionDef) or function not in source.tree.body:
        return
    steady = _handed_on(function, calls)
    moving = [each for each in (*given.posonlyargs, *given.args) if each.arg not in steady]
    if not are_keys(moving) or not scene.is_pure(function.name) or not returns_plain(function):
        return
    inner = scene.fresh(f"{function.name}_of")
    body = working_body(function)
    names = ", ".join(each.arg for each in moving)
    start, stop = source.line_of(body[0]), source.span(body[-1])[1]
    text = source.text.encode()[start:stop].decode()
    for call in sorted(calls, key=lambda each: source.span(each)[0], reverse=True):
        first, last = (place - start for place in source.span(call))
        kept = [
            source.of(given_)
            for given_, each in zip(call.args, given.args, strict=True)
            if each.arg not in steady
        ]
        raw = text.encode()
        text = (raw[:first] + f"{inner}({', '.join(kept)})".encode() + raw[last:]).decode()
    nested = "\n".join(f"    {line}" if line.strip() else line for line in text.split("\n"))
    whole = f"    @cache\n    def {inner}({names}):\n{nested}\n\n    return {inner}({names})"
    yield Edits((Edit(start, stop, whole),), _CACHE)


def _handed_on(function: Function, calls: list[ast.Call]) -> set[str]:
    """Parameters that every call of the function itself hands on as they are."""
    names = [each.arg for each in function.args.args]
    bound = {
        node.id
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    }
    return {
        name
        for place, name in enumerate(names)
        if name not in bound
        and all(
            isinstance(call.args[place], ast.Name) and call.args[place].id == name  # type: ignore[attr-defined]
            for call in calls
        )
    }


def _calls_of(within: ast.AST, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(within)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def _is_computing(scene: Scene, function: ast.FunctionDef) -> bool:
    """Whether a nested function only computes and returns something that cannot be changed."""
    seen = frozenset({function.name})
    return returns_plain(function) and all(
        scene.is_pure_node(node, seen) for node in ast.walk(function)
    )
