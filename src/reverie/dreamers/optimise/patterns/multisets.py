"""Lists of which it is only asked what is left, and from which that is taken."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.repeats import kind_inside
from reverie.dreamers.rewriting.scene import Function, Scene
from reverie.dreamers.rewriting.source import Edit, Edits

_LEAVING = ast.Return | ast.Continue | ast.Break | ast.Raise
_COUNTER = frozenset({("collections", "Counter")})


def counted_rest(scene: Scene) -> Iterator[Edits]:
    """`x in rest` and `rest.remove(x)`: how often each is left, in the place of all that are."""
    for made in scene.statements():
        match made:
            case ast.Assign(targets=[ast.Name(id=rest)], value=value):
                start = _counter(scene, value)
                if start is None or not _is_own(scene, rest, made):
                    continue
                edits = _asked(scene, rest, made)
                if edits:
                    edit = scene.source.replaced(value, start)
                    yield Edits((edit, *edits), _COUNTER)


def _counter(scene: Scene, value: ast.expr) -> str | None:
    """What counts the items of a list that is made; None when it is no new list."""
    match value:
        case ast.List(elts=[]):
            return "Counter()"
        case ast.ListComp():
            return f"Counter({scene.source.of(value)})"
        case ast.Call(func=ast.Name(id="list" | "sorted"), args=[things], keywords=[]):
            return f"Counter({scene.source.of(things)})"
        case ast.Subscript(value=things, slice=ast.Slice(lower=None, upper=None, step=None)):
            return f"Counter({scene.source.of(things)})"
        case ast.Call(func=ast.Attribute(value=things, attr="copy"), args=[], keywords=[]):
            return f"Counter({scene.source.of(things)})"
    return None


def _is_own(scene: Scene, rest: str, made: ast.stmt) -> bool:
    """Whether it is one list of keys, of which no function inside knows, used in a loop."""
    kind = scene.kinds.get(rest)
    if kind is None or kind.name != "list" or kind.item is None or not kind.item.is_exact:
        return False
    for node in ast.walk(scene.function):
        is_inner = isinstance(node, Function | ast.Lambda) and node is not scene.function
        if is_inner and scene.names(rest, node):
            return False
    removals = scene.method_calls(rest, "remove")
    deeper = any(_is_deeper(scene, each, made) for each in removals)
    return deeper and rest not in scene.parameters and len(scene.bindings(rest)) == 1


def _is_deeper(scene: Scene, node: ast.AST, made: ast.stmt) -> bool:
    """Whether it is done more often than the list is made."""
    return len(scene.loops_around(node)) > len(scene.loops_around(made))


def _asked(scene: Scene, rest: str, made: ast.stmt) -> list[Edit]:
    """A change for every use; none at all when one of them needs the list itself."""
    edits: list[Edit] = []
    for each in scene.names(rest):
        edit = _use(scene, each, made) if isinstance(each.ctx, ast.Load) else None
        if edit is not None:
            edits.append(edit)
        elif isinstance(each.ctx, ast.Load):
            return []
    return edits


def _use(scene: Scene, each: ast.Name, made: ast.stmt) -> Edit | None:
    rest, source, parent = each.id, scene.source, scene.parents[each]
    match parent:
        case ast.Compare(left=x, ops=[ast.In() | ast.NotIn() as how]) if x is not each:
            sign = "> 0" if isinstance(how, ast.In) else "== 0"
            text = f"{rest}[{source.of(x)}] {sign}"
            return source.replaced(parent, text) if _is_key(scene, x) else None
        case ast.Attribute(attr="remove" | "append" as how):
            return _change(scene, parent, rest, how)
        case ast.Call(func=ast.Name(id="len")) if not _is_deeper(scene, each, made):
            return source.replaced(parent, f"sum({rest}.values())")
        case ast.If(test=test) | ast.IfExp(test=test) if test is each:
            return _any_left(scene, each, made)
        case ast.UnaryOp(op=ast.Not()) | ast.Call(func=ast.Name(id="bool")):
            return _any_left(scene, each, made)
    return None


def _any_left(scene: Scene, each: ast.Name, made: ast.stmt) -> Edit | None:
    text = f"any({each.id}.values())"
    return None if _is_deeper(scene, each, made) else scene.source.replaced(each, text)


def _is_key(scene: Scene, node: ast.expr) -> bool:
    kind = kind_inside(scene, node)
    return kind is not None and kind.is_exact and not isinstance(node, ast.Starred)


def _change(scene: Scene, method: ast.Attribute, rest: str, how: str) -> Edit | None:
    """`remove` and `append` as steps of a count, where what is removed surely is there."""
    call = scene.parents[method]
    statement = scene.parents[call]
    match call, statement:
        case ast.Call(args=[x], keywords=[]), ast.Expr() if _is_key(scene, x):
            shown = scene.source.of(x)
            if how == "append":
                return scene.source.replaced(statement, f"{rest}[{shown}] += 1")
            if isinstance(scene.parents[statement], ast.Try):
                return _tried(scene, scene.parents[statement], rest, x)
            if _is_there(scene, statement, rest, x):
                return scene.source.replaced(statement, f"{rest}[{shown}] -= 1")
    return None


def _is_there(scene: Scene, removal: ast.stmt, rest: str, x: ast.expr) -> bool:
    """Whether it was asked for just before, and nothing came between."""
    block, around = scene.block_of(removal), scene.parents[removal]
    before = block[: block.index(removal)]
    for at in range(len(before) - 1, -1, -1):
        match before[at]:
            case ast.If(test=test, body=[*_, last], orelse=[]) if (
                isinstance(last, _LEAVING) and _asks(test, rest, x) == "not in"
            ):
                return True
        if not _is_aside(scene, before[at], rest, x):
            return False
    match around:
        case ast.If(test=test, body=body):
            return _asks(test, rest, x) == ("in" if block is body else "not in")
    return False


def _is_aside(scene: Scene, statement: ast.stmt, rest: str, x: ast.expr) -> bool:
    """Whether a statement changes neither the rest nor what is asked for."""
    is_name = isinstance(x, ast.Name) and not scene.bindings(x.id, statement)
    is_simple = isinstance(statement, ast.Expr | ast.Assign | ast.AugAssign | ast.AnnAssign)
    return is_simple and is_name and not scene.names(rest, statement)


def _asks(test: ast.expr, rest: str, x: ast.expr) -> str | None:
    """`in` or `not in`, where that is what a test asks of the same thing."""
    shown = ast.unparse(x)
    for how in ("in", "not in"):
        if ast.unparse(test) == f"{shown} {how} {rest}":
            return how
    return None


def _tried(scene: Scene, attempt: ast.AST, rest: str, x: ast.expr) -> Edit | None:
    """`try: rest.remove(x)`, `except ValueError: …` as a question."""
    match attempt:
        case ast.Try(
            body=[_],
            handlers=[ast.ExceptHandler(type=ast.Name(id="ValueError"), name=None, body=missing)],
            orelse=after,
            finalbody=[],
        ) if isinstance(x, ast.Name):
            source, indent = scene.source, scene.source.indent_of(attempt)
            inner = any(scene.names(rest, each) for each in (*missing, *after))
            if inner or any(each.lineno == attempt.lineno for each in missing):
                return None
            lines = [f"if {rest}[{x.id}] == 0:"]
            lines += [f"{indent}    {source.of(each)}" for each in missing]
            lines += [f"{indent}else:", f"{indent}    {rest}[{x.id}] -= 1"]
            lines += [f"{indent}    {source.of(each)}" for each in after]
            return source.replaced(attempt, "\n".join(lines))
    return None
