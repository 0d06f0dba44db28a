"""What is run again and again: loops and comprehensions around a place, and where they begin."""

import ast

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
    return found


def kind_inside(scene: Scene, node: ast.expr) -> Kind | None:
    """The kind of an expression where comprehensions around it bind names of their own."""
    around: list[Comprehension] = []
    place: ast.AST = node
    while place is not scene.function:
        place = scene.parents[place]
        if isinstance(place, Comprehension):
            around.append(place)
    known = dict(scene.kinds)
    for each in reversed(around):
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
