"""What is worked out again each time round although nothing of it changes."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.known import known_calls
from reverie.dreamers.rewriting.repeats import is_reached_once, repeats_around
from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits

_NEVER_RAISING = ("sorted", "sum", "set", "frozenset", "list", "tuple", "dict")
_EXTREMES = ("max", "min")


def hoisted_call(scene: Scene) -> Iterator[Edits]:
    """A call of steady names: made in front of the loop, where it cannot fail there."""
    seen: set[str] = set()
    for node in ast.walk(scene.function):
        if not isinstance(node, ast.Call) or not _is_worth_it(scene, node):
            continue
        outer = _steady_in(scene, node)
        shown = ast.unparse(node)
        if outer is None or shown in seen or _is_hoisted(scene, node):
            continue
        seen.add(shown)
        value = _eager(scene, node, outer)
        if value is None:
            continue
        name, source = scene.fresh(_called(node)), scene.source
        same = [each for each in ast.walk(outer) if _is_same(each, shown)]
        made = source.before(scene.statement_of(outer), f"{name} = {value}")
        yield Edits((made, *(source.replaced(each, name) for each in same)))


def _is_same(node: ast.AST, shown: str) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node) == shown


def _is_worth_it(scene: Scene, node: ast.Call) -> bool:
    """A call that only computes something immutable, or that is only read, from plain names."""
    if node.keywords:
        return False
    match node.func:
        case ast.Name(id=name) if name in (*_EXTREMES, "sum"):
            return len(node.args) == 1 and _are_places(node.args)
        case ast.Name(id=name) if name in ("set", "sorted", "frozenset"):
            return len(node.args) == 1 and _are_places(node.args) and _is_looked_into(scene, node)
        case ast.Attribute(value=ast.Name(id=name), attr=attr):
            kind = scene.kinds.get(name)
            is_text = kind is not None and kind.name == "str" and attr in known_calls()["texts"]
            return is_text and all(isinstance(each, ast.Constant) for each in node.args)
    return False


def _are_places(args: list[ast.expr]) -> bool:
    return all(
        isinstance(each, ast.Name)
        or (isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name))
        for each in args
    )


def _is_looked_into(scene: Scene, node: ast.Call) -> bool:
    """Whether what is made is only asked for an item or a membership, at once."""
    match scene.parents[node]:
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            return True
        case ast.Subscript(value=value, ctx=ast.Load()):
            return value is node
        case ast.Call(func=ast.Name(id="len")):
            return True
    return False


def _steady_in(scene: Scene, node: ast.Call) -> ast.AST | None:
    names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
    func = node.func.id if isinstance(node.func, ast.Name) else ""
    outer: list[ast.AST] = []
    for repeat in repeats_around(scene, node):
        own = {
            each.id
            for each in ast.walk(repeat)
            if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
        }
        if names & own or any(scene.changes(name, repeat) for name in names - {func}):
            break
        outer.append(repeat)
    return outer[-1] if outer and is_reached_once(scene, outer[-1], outer) else None


def _is_hoisted(scene: Scene, node: ast.Call) -> bool:
    """`x = None` in front and `if x is None: x = …` inside: it is made once already."""
    match scene.parents.get(scene.statement_of(node)):
        case ast.If(test=ast.Compare(ops=[ast.Is()])):
            return True
    return False


def _eager(scene: Scene, node: ast.Call, outer: ast.AST) -> str | None:
    """The expression that can be evaluated in front; None where it might raise there."""
    text = scene.source.of(node)
    if isinstance(node.func, ast.Attribute) or ast.unparse(node.func) in _NEVER_RAISING:
        return text
    things = ast.unparse(node.args[0])
    return f"{text} if {things} else None" if _walks(outer, things) else None


def _walks(outer: ast.AST, things: str) -> bool:
    """Whether the loop goes along the very list, so that it is not run when that is empty."""
    walks = {things, f"enumerate({things})", f"range(len({things}))"}
    match outer:
        case ast.For(iter=walk):
            return ast.unparse(walk) in walks
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            return ast.unparse(outer.generators[0].iter) in walks
    return False


def _called(node: ast.Call) -> str:
    """A name for the result: `max(readings)` is `max_readings`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=attr)):
            return f"{name}_{attr}"
        case ast.Call(func=ast.Name(id=name), args=[first, *_]):
            return f"{name}_{ast.unparse(first).rpartition('.')[2]}"
    return "steady"
