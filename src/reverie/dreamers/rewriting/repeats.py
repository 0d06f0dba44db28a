"""Loops and comprehensions around a place, and the one value that a walk looks for."""

import ast
from collections.abc import Mapping

from reverie.dreamers.rewriting import kinds
from reverie.dreamers.rewriting.kinds import Kind
from reverie.dreamers.rewriting.scene import Loop, Scene
from reverie.syntax.nodes import Comprehension, Function, names_in


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


_TEXTS = ("str", "bytes", "bytearray")


def looked_for(scene: Scene, test: ast.expr, target: ast.expr, things: ast.expr) -> str | None:
    """The `x` for which `x in things` says what the test finds; None where it may say otherwise.

    A text holds more than its characters, a NaN is in its list and equals nothing, and a list
    is not the tuple that it is compared with part by part.
    """
    kind = kind_inside(scene, things)
    if kind is None or kind.name in _TEXTS or (kind.item is not None and kind.item.has_floats):
        return None
    if isinstance(target, ast.Name):
        wanted = _other_side(test, target.id)
        if wanted is not None:
            asked = kind_inside(scene, wanted)
            may_differ = asked is not None and asked.has_floats
            return None if may_differ else scene.source.of(wanted)
    size = _size(kind.item)
    parts = _parts(scene, test, target) if size else None
    if parts is None or sorted(parts) != list(range(size)):
        return None
    return f"({', '.join(parts[place] for place in range(size))})"


def is_bound_elsewhere(scene: Scene, target: ast.expr, walk: ast.AST) -> bool:
    """Whether names of a walk's target stand outside of it, so that what it leaves may be read."""
    return any(len(scene.names(name)) != len(scene.names(name, walk)) for name in names_in(target))


def _size(item: Kind | None) -> int:
    """How many parts the tuples have that are walked along; 0 where they may be anything else."""
    is_tuple = item is not None and item.name == "tuple" and item.is_exact
    return len(item.items) if is_tuple and item is not None and len(item.items) > 1 else 0


def _other_side(test: ast.expr, name: str) -> ast.expr | None:
    """The other side of `name == x`, in either order, when it does not use the name."""
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            for one, two in ((left, right), (right, left)):
                if isinstance(one, ast.Name) and one.id == name and name not in names_in(two):
                    return two
    return None


def _parts(scene: Scene, test: ast.expr, target: ast.expr) -> dict[int, str] | None:
    """By its place in the tuple, what each part has to equal; each is asked for once."""
    asked = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) else [test]
    found: dict[int, str] = {}
    for left, right in (pair for each in asked for pair in _pairs(each)):
        for part, wanted in ((left, right), (right, left)):
            place = place_in(part, target)
            if place is None or place in found or names_in(wanted) & names_in(target):
                continue
            kind = kind_inside(scene, wanted)
            if kind is None or not kind.is_exact or not _is_plain(wanted):
                return None
            found[place] = scene.source.of(wanted)
            break
        else:
            return None
    return found or None


def _pairs(test: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    """The two sides of an equality; of tuples, those of each part."""
    match test:
        case ast.Compare(
            left=ast.Tuple(elts=left), ops=[ast.Eq()], comparators=[ast.Tuple(elts=right)]
        ) if len(left) == len(right):
            return list(zip(left, right, strict=True))
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return [(left, right)]
    return [(test, test)]


def place_in(part: ast.expr, target: ast.expr) -> int | None:
    """Which part of the walked tuple it is: a name of the target, or `target[0]`."""
    match target, part:
        case ast.Tuple(elts=elts), ast.Name(id=name):
            names = [each.id if isinstance(each, ast.Name) else "" for each in elts]
            return names.index(name) if names.count(name) == 1 and "" not in names else None
        case ast.Name(id=row), ast.Subscript(
            value=ast.Name(id=name), slice=ast.Constant(value=int(place))
        ) if name == row and place >= 0:
            return place
    return None


def _is_plain(node: ast.expr) -> bool:
    """Whether it may be read although nothing is there to be compared with."""
    match node:
        case ast.Name() | ast.Constant():
            return True
        case (
            ast.Subscript(value=ast.Name(), slice=ast.Constant()) | ast.Attribute(value=ast.Name())
        ):
            return True
    return False
