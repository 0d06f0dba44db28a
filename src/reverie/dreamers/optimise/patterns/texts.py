"""Texts and lists that are built by adding to what is there."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


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
