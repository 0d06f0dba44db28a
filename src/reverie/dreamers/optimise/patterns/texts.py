"""Texts and lists that are built by adding to what is there."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def joined_text(scene: Scene) -> Iterator[Edits]:
    """A text that begins empty and only grows in one loop, at one end."""
    for made in scene.statements():
        match made:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant(value="")):
                edits = _built(scene, made, name)
                if edits is not None:
                    yield edits


def _built(scene: Scene, made: ast.stmt, name: str) -> Edits | None:
    block = scene.block_of(made)
    loops = [
        each for each in block[block.index(made) + 1 :] if isinstance(each, ast.For | ast.While)
    ]
    grown = [each for each in loops if scene.names(name, each)]
    if len(grown) != 1:
        return None
    additions = _additions(scene, grown[0], name)
    if not additions or len({front for _, _, front in additions}) != 1:
        return None
    if sum(len(scene.names(name, statement)) for statement, _, _ in additions) != len(
        scene.names(name, grown[0])
    ):
        return None  # it is looked at while it grows
    parts, source = scene.fresh(f"{name}_parts"), scene.source
    joined = f"reversed({parts})" if additions[0][2] else parts
    edits = [source.replaced(made, f"{parts} = []")]
    edits += [source.replaced(each, f"{parts}.append({text})") for each, text, _ in additions]
    edits.append(source.after(grown[0], f'{name} = "".join({joined})'))
    return Edits(tuple(edits))


def _additions(scene: Scene, loop: ast.stmt, name: str) -> list[tuple[ast.stmt, str, bool]]:
    """Statements that add to the text, what they add, and whether in front."""
    found: list[tuple[ast.stmt, str, bool]] = []
    for node in ast.walk(loop):
        match node:
            case ast.AugAssign(target=ast.Name(id=target), op=ast.Add(), value=value) if (
                target == name
            ):
                if not scene.names(name, value):
                    found.append((node, scene.source.of(value), False))
            case ast.Assign(targets=[ast.Name(id=target)], value=ast.BinOp(op=ast.Add()) as total):
                split = _split(scene, total, name) if target == name else None
                if split is not None:
                    found.append((node, *split))
    return found


def _split(scene: Scene, total: ast.BinOp, name: str) -> tuple[str, bool] | None:
    """What is added by `name + rest` or `rest + name`, and whether in front."""
    terms = _terms(total)
    whole = [isinstance(each, ast.Name) and each.id == name for each in terms]
    if whole.count(True) != 1 or sum(len(scene.names(name, each)) for each in terms) != 1:
        return None
    texts = [scene.source.of(each) for each in terms]
    if whole[-1]:
        return " + ".join(texts[:-1]), True
    return (" + ".join(texts[1:]), False) if whole[0] else None


def _terms(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_terms(node.left), node.right]
    return [node]


def extended_list(scene: Scene) -> Iterator[Edits]:
    """`xs = xs + more` in a loop, of a list that the function made and nobody else holds."""
    for node in scene.statements():
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)],
                value=ast.BinOp(left=ast.Name(id=left), op=ast.Add(), right=right),
            ) if left == name and scene.loops_around(node):
                if scene.names(name, right) or not _is_own(scene, name, node):
                    continue
                if isinstance(right, ast.List) and len(right.elts) == 1:
                    text = f"{name}.append({scene.source.of(right.elts[0])})"
                elif _is_list(scene, right):
                    text = f"{name} += {scene.source.of(right)}"
                else:
                    continue
                yield Edits((scene.source.replaced(node, text),))


def _is_list(scene: Scene, node: ast.expr) -> bool:
    kind = scene.kind_of(node)
    return isinstance(node, ast.List | ast.ListComp) or (kind is not None and kind.name == "list")


def _is_own(scene: Scene, name: str, growth: ast.stmt) -> bool:
    """Whether it begins as a list display, and no other name can see it while it grows."""
    others = [scene.statement_of(each) for each in scene.bindings(name)]
    starts = [each for each in others if each is not growth]
    if len(starts) != 1 or name in scene.parameters:
        return False
    value = starts[0].value if isinstance(starts[0], ast.Assign | ast.AnnAssign) else None
    if not isinstance(value, ast.List):
        return False
    loop = scene.loops_around(growth)[-1]
    return not any(
        isinstance(
            scene.parents[each],
            ast.Call | ast.Assign | ast.keyword | ast.Dict | ast.List | ast.Tuple,
        )
        for each in scene.names(name, loop)
        if isinstance(each.ctx, ast.Load) and scene.statement_of(each) is not growth
    )


def flattened_lists(scene: Scene) -> Iterator[Edits]:
    """`sum(lists, [])`."""
    for node in ast.walk(scene.function):
        match node:
            case ast.Call(func=ast.Name(id="sum"), args=[lists, ast.List(elts=[])], keywords=[]):
                kind = scene.kind_of(lists)
                if kind is not None and kind.item is not None and kind.item.name == "list":
                    text = f"list(chain.from_iterable({scene.source.of(lists)}))"
                    edit: Edit = scene.source.replaced(node, text)
                    yield Edits((edit,), frozenset({("itertools", "chain")}))
