"""What is run again and again: loops and comprehensions around a place, and where they begin."""

import ast
from collections.abc import Mapping

from reverie.dreamers.rewriting import kinds
from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.scene import Function, Loop, Scene

Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def repeats_around(scene: Scene, node: ast.AST) -> list[ast.AST]:
    """Loops and comprehensions that evaluate a node for each item, innermost first."""
    found: list[ast.AST] = []
    below = node
    while node is not scene.function:
        parent = scene.parents[node]
        if isinstance(parent, Loop):
            is_once = node is getattr(parent, "iter", None) or node in parent.orelse
            found += [] if is_once else [parent]
        elif isinstance(parent, Comprehension):
            first = parent.generators[0]
            found += [] if node is first and below is first.iter else [parent]
        elif isinstance(parent, Function | ast.Lambda):
            return found
        below, node = node, parent
    return found


def steady_repeats(scene: Scene, node: ast.AST, *names: str) -> list[ast.AST]:
    """Those that leave named objects alone, up to the first that does not."""
    found: list[ast.AST] = []
    for each in repeats_around(scene, node):
        if any(scene.changes(name, each) for name in names):
            break
        found.append(each)
    return found if found and is_reached_once(scene, found[-1], found) else []


def is_reached_once(scene: Scene, node: ast.AST, steady: list[ast.AST]) -> bool:
    """Whether what stands in front of its statement is made as often as the node is reached.

    What a `while` asks is asked again, and something may have changed on the way.
    """
    statement = scene.statement_of(node)
    return statement is node or not isinstance(statement, ast.While) or statement in steady


def asked_for_keys(scene: Scene, node: ast.AST) -> ast.Call | None:
    """The call of `sorted`, `min`, `max` or `sort` that asks a lambda around a node for keys."""
    while node is not scene.function and not isinstance(node, ast.Lambda):
        node = scene.parents[node]
    given = scene.parents.get(node)
    if not isinstance(given, ast.keyword) or given.arg != "key":
        return None
    call = scene.parents[given]
    return call if isinstance(call, ast.Call) and _walked(call) is not None else None


def _walked(call: ast.Call) -> ast.expr | None:
    """What a call with a key goes along."""
    match call:
        case ast.Call(func=ast.Name(id="sorted" | "min" | "max"), args=[things]):
            return things
        case ast.Call(func=ast.Attribute(value=things, attr="sort"), args=[]):
            return things
    return None


def walked_kind(
    scene: Scene, call: ast.Call, known: Mapping[str, Kind | None] | None = None
) -> Kind | None:
    """What each item is that a call with a key is about."""
    things = _walked(call)
    known = scene.kinds if known is None else known
    return None if things is None else kinds.element(things, known, scene.returns)


def kind_inside(scene: Scene, node: ast.expr) -> Kind | None:
    """The kind of an expression where comprehensions and lambdas around it bind their own names."""
    around: list[Comprehension | ast.Lambda] = []
    place: ast.AST = node
    while place is not scene.function:
        place = scene.parents[place]
        if isinstance(place, Comprehension | ast.Lambda):
            around.append(place)
    known = dict(scene.kinds)
    for each in reversed(around):
        if isinstance(each, ast.Lambda):
            call = asked_for_keys(scene, each)
            item = None if call is None else walked_kind(scene, call, known)
            known |= {
                given.arg: item for given in ast.walk(each.args) if isinstance(given, ast.arg)
            }
            continue
        for part in each.generators:
            known |= kinds.bind(part.target, kinds.element(part.iter, known, scene.returns))
    return kinds.kind_of(node, known, scene.returns)


def leaves_no_names(scene: Scene, loop: ast.AST) -> bool:
    """Whether what a loop binds is used nowhere else: comprehensions have names of their own."""
    apart = set(ast.walk(loop))
    bound = {
        each.id
        for each in apart
        if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)
    }
    for node in ast.walk(scene.function):
        if isinstance(node, Comprehension):
            targets = [name for part in node.generators for name in ast.walk(part.target)]
            own = {each.id for each in targets if isinstance(each, ast.Name)}
            apart |= {e for e in ast.walk(node) if isinstance(e, ast.Name) and e.id in own}
    return all(each in apart for name in bound for each in scene.names(name))


def asked_again(scene: Scene, node: ast.AST, name: str, *, is_known: bool) -> list[ast.AST]:
    """What repeats a node and leaves the list alone; sorting by keys asks for each item, too."""
    found = steady_repeats(scene, node, name)
    call = asked_for_keys(scene, node) if is_known else None  # what is unknown may have no hash
    if call is None or scene.changes(name, call) or _is_bound_between(scene, node, call, name):
        return found
    around = steady_repeats(scene, call, name)
    return [*found, call, *around] if is_reached_once(scene, call, around) else found


def _is_bound_between(scene: Scene, node: ast.AST, call: ast.Call, name: str) -> bool:
    """Whether the lambda calls something of its own by the name of the list."""
    while node is not call:
        node = scene.parents[node]
        if isinstance(node, ast.Lambda) and name in {each.arg for each in node.args.args}:
            return True
    return False
