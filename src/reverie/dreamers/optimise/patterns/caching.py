"""Answers that were found already. Every cache lives in one call: none outlives it."""

import ast
from collections.abc import Iterator

from reverie.dreamers.optimise.rewrite import Rewrite
from reverie.dreamers.rewriting.bodies import working_body
from reverie.dreamers.rewriting.kinds import from_annotation
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edit, Edits

_CACHE = frozenset({("functools", "cache")})


def _recursion(scene: Scene) -> Iterator[Edits]:
    """A nested function that calls itself more than once with values that can be keys."""
    for node in scene.function.body:
        if not isinstance(node, ast.FunctionDef) or node.decorator_list:
            continue
        calls = _calls_of(node, node.name)
        if len(calls) > 1 and _is_computing(scene, node) and _has_keys(node):
            yield Edits((scene.source.before(node, "@cache"),), _CACHE)


def _own_recursion(scene: Scene) -> Iterator[Edits]:
    """The function calls itself: its body moves into a nested one that remembers."""
    function, source = scene.function, scene.source
    calls = _calls_of(function, function.name)
    given = function.args
    if len(calls) < 2 or function.decorator_list or given.vararg or given.kwarg or given.kwonlyargs:
        return
    if isinstance(function, ast.AsyncFunctionDef) or function not in source.tree.body:
        return
    if not _has_keys(function) or not scene.is_pure(function.name) or not _returns_plain(function):
        return
    inner = scene.fresh(f"{function.name}_of")
    body = working_body(function)
    names = ", ".join(each.arg for each in (*given.posonlyargs, *given.args))
    start, stop = source.line_of(body[0]), source.span(body[-1])[1]
    text = source.text.encode()[start:stop].decode()
    for call in sorted(calls, key=lambda each: source.span(each)[0], reverse=True):
        at = source.span(call.func)[0] - start
        raw = text.encode()
        text = (raw[:at] + inner.encode() + raw[at + len(function.name.encode()) :]).decode()
    nested = "\n".join(f"    {line}" if line.strip() else line for line in text.split("\n"))
    whole = f"    @cache\n    def {inner}({names}):\n{nested}\n\n    return {inner}({names})"
    yield Edits((Edit(start, stop, whole),), _CACHE)


def _calls_of(within: ast.AST, name: str) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(within)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def _has_keys(function: Function) -> bool:
    """Whether every parameter is annotated with something hashable."""
    given = function.args
    every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
    kinds = [from_annotation(each.annotation) for each in every]
    return bool(every) and all(kind is not None and kind.is_hashable for kind in kinds)


def _returns_plain(function: Function) -> bool:
    kind = from_annotation(function.returns)
    return kind is not None and kind.is_hashable


def _is_computing(scene: Scene, function: ast.FunctionDef) -> bool:
    """Whether a nested function only computes and returns something that cannot be changed."""
    seen = frozenset({function.name})
    return _returns_plain(function) and all(
        scene.is_pure_node(node, seen) for node in ast.walk(function)
    )


def _helper(scene: Scene) -> Iterator[Edits]:
    """A pure helper, called in a loop: what it said of the same values is remembered."""
    for name in {call.func.id for call in _loop_calls(scene)}:  # type: ignore[attr-defined]
        function = scene.functions.get(name)
        if function is None or function is scene.function or not scene.is_pure(name):
            continue
        if not _has_keys(function) or not _returns_plain(function):
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


def _loop_calls(scene: Scene) -> list[ast.Call]:
    return [
        node
        for node in ast.walk(scene.function)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and scene.loops_around(node)
    ]


def _invariant(scene: Scene) -> Iterator[Edits]:
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
    return bool(call.args) and not any(scene.changes(name, loop, apart=call) for name in names)


REWRITES = (
    Rewrite(
        name="memoised_recursion",
        summary="Remember what the recursion found already",
        precondition="a nested function that only computes, from values that can be keys",
        growth="2ⁿ → n",
        propose=_recursion,
        before=(
            "def ways(n: int) -> int:\n"
            "    def walk(k: int) -> int:\n"
            "        if k < 2:\n"
            "            return 1\n"
            "        return walk(k - 1) + walk(k - 2)\n"
            "    return walk(n)\n"
        ),
        after=(
            "from functools import cache\n"
            "def ways(n: int) -> int:\n"
            "    @cache\n"
            "    def walk(k: int) -> int:\n"
            "        if k < 2:\n"
            "            return 1\n"
            "        return walk(k - 1) + walk(k - 2)\n"
            "    return walk(n)\n"
        ),
    ),
    Rewrite(
        name="memoised_self",
        summary="Remember, within one call, what the recursion found already",
        precondition="the function only computes, from values that can be keys",
        growth="2ⁿ → n",
        propose=_own_recursion,
        before=(
            "def ways(n: int) -> int:\n"
            "    if n < 2:\n"
            "        return 1\n"
            "    return ways(n - 1) + ways(n - 2)\n"
        ),
        after=(
            "from functools import cache\n"
            "def ways(n: int) -> int:\n"
            "    @cache\n"
            "    def ways_of(n):\n"
            "        if n < 2:\n"
            "            return 1\n"
            "        return ways_of(n - 1) + ways_of(n - 2)\n"
            "\n"
            "    return ways_of(n)\n"
        ),
    ),
    Rewrite(
        name="remembered_helper",
        summary="Ask a helper once for each value",
        precondition="the helper only computes, from values that can be keys, something immutable",
        growth=None,
        propose=_helper,
        before=(
            "def day(text: str) -> str:\n"
            "    return text[:3].upper()\n"
            "\n"
            "def days(texts: list[str]) -> list[str]:\n"
            "    out = []\n"
            "    for text in texts:\n"
            "        out.append(day(text))\n"
            "    return out\n"
        ),
        after=(
            "from functools import cache\n"
            "def day(text: str) -> str:\n"
            "    return text[:3].upper()\n"
            "\n"
            "def days(texts: list[str]) -> list[str]:\n"
            "    out = []\n"
            "    day_once = cache(day)\n"
            "    for text in texts:\n"
            "        out.append(day_once(text))\n"
            "    return out\n"
        ),
    ),
    Rewrite(
        name="invariant_call",
        summary="Make once, when it is first needed, what is the same each time round",
        precondition="its arguments do not change in the loop, and its result is only read",
        growth="n·m → n",
        propose=_invariant,
        before=(
            "import json\n"
            "def texts(catalogue: str, keys: list[str]) -> list[str]:\n"
            "    out = []\n"
            "    for key in keys:\n"
            "        table = json.loads(catalogue)\n"
            "        out.append(table.get(key, key))\n"
            "    return out\n"
        ),
        after=(
            "import json\n"
            "def texts(catalogue: str, keys: list[str]) -> list[str]:\n"
            "    out = []\n"
            "    table = None\n"
            "    for key in keys:\n"
            "        if table is None:\n"
            "            table = json.loads(catalogue)\n"
            "        out.append(table.get(key, key))\n"
            "    return out\n"
        ),
    ),
)
