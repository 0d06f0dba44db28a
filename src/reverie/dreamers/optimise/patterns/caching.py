"""Answers found already: helpers, recursions, searches. Every cache lives in one call."""

import ast
from collections.abc import Iterator
from itertools import takewhile

from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.purity import (
    answer_kinds,
    are_keys,
    has_keys,
    is_pure_call,
    is_quiet,
    returns_plain,
    working_body,
)
from reverie.dreamers.rewriting.repeats import kind_inside
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.dreamers.rewriting.source import Edit, Edits
from reverie.syntax.nodes import Function
from reverie.syntax.unparsing import unparse

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
    return f"{unparse(call.func)}" in ("json.loads", "re.compile", "copy.deepcopy", "sorted")


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


_HELD = ("list", "set", "frozenset", "tuple", "dict")


def steady_answer(scene: Scene) -> Iterator[Edits]:
    """`x in table.names()`, again and again: asked for once, and made a set where that can be."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Call() as call]) if (
                is_pure_call(scene, call)
            ):
                edits = _made_once(scene, node, call)
                if edits is not None:
                    yield edits


def _made_once(scene: Scene, node: ast.Compare, call: ast.Call) -> Edits | None:
    kind, statement, source = scene.kind_of(call), scene.statement_of(node), scene.source
    if kind is None or kind.name not in _HELD:
        return None
    name = scene.fresh(_called(call))
    if isinstance(scene.parents[node], ast.comprehension):
        things = _walked(scene, node)
        if things is None or not is_quiet(scene, statement, call):
            return None
        lines = _lines(scene, node, call, name, f"{source.of(call)} if {things} else ()")
        return Edits((source.before(statement, *lines), source.replaced(call, name)))
    outer = None
    for loop in scene.loops_around(node):
        if not is_quiet(scene, loop, call):
            break
        outer = loop
    if outer is None or isinstance(statement, Loop) or not _is_asked_first(scene, node):
        return None
    lines = _lines(scene, node, call, name, source.of(call))
    later = (f"if {name} is None:", *(f"    {line}" for line in lines))
    return Edits(
        (
            source.before(scene.statement_of(outer), f"{name} = None"),
            source.before(statement, *later),
            source.replaced(call, name),
        )
    )


def _lines(
    scene: Scene, node: ast.Compare, call: ast.Call, name: str, value: str
) -> tuple[str, ...]:
    """What keeps the answer: as a set where it can be one, in which the same is found."""
    kind, wanted = scene.kind_of(call), kind_inside(scene, node.left)
    if kind is None or kind.name not in ("list", "tuple") or not _is_hashable(wanted):
        return (f"{name} = {value}",)
    if all(_is_hashable(each and each.item) for each in answer_kinds(scene, call)):
        return (f"{name} = set({value})",)
    listed = scene.fresh(f"{name}_listed")
    return (
        f"{listed} = {value}",
        "try:",
        f"    {name} = set({listed})",
        "except TypeError:",
        f"    {name} = {listed}",
    )


def _is_hashable(kind: Kind | None) -> bool:
    return kind is not None and kind.is_hashable


def _called(call: ast.Call) -> str:
    """A name for the answer: what was asked."""
    shown = call.func.attr if isinstance(call.func, ast.Attribute) else unparse(call.func)
    return f"{shown}_once"


def _walked(scene: Scene, node: ast.Compare) -> str | None:
    """The list that a comprehension goes along and asks of each item at once."""
    part = scene.parents[node]
    whole = scene.parents[part]
    is_value = isinstance(scene.parents[whole], ast.Return | ast.Assign)
    match whole:
        case ast.ListComp(
            generators=[ast.comprehension(iter=ast.Name(id=things), ifs=[first, *_])]
        ) if first is node and is_value:
            kind = scene.kinds.get(things)
            return things if kind is not None and kind.name == "list" else None
    return None


def _is_asked_first(scene: Scene, node: ast.AST) -> bool:
    """Whether its statement asks nothing before it, and never goes without it."""
    while True:
        parent = scene.parents[node]
        match parent:
            case ast.If(test=test) | ast.IfExp(test=test) if test is node:
                pass
            case ast.BoolOp(values=[first, *_]) if first is node:
                pass
            case ast.Assign() | ast.Return() | ast.UnaryOp():
                pass
            case _:
                return False
        if isinstance(parent, ast.stmt):
            return True
        node = parent
