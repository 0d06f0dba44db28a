"""Order that is made by hand, neighbour by neighbour."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edits


def exchange_sort(scene: Scene) -> Iterator[Edits]:
    """Neighbours exchanged until none is out of order: Python's own sort, which is stable too."""
    for statement in scene.statements():
        match statement:
            case ast.While(
                test=ast.Name(id=flag),
                body=[
                    ast.Assign(targets=[ast.Name(id=cleared)], value=ast.Constant(value=False)),
                    ast.For(
                        target=ast.Name(id=i),
                        iter=walk,
                        body=[ast.If(test=test, body=[swap, sets], orelse=[])],
                    ),
                ],
            ) if cleared == flag and ast.unparse(sets) == f"{flag} = True":
                things = _walked(walk)
                if things is None or not _is_swap(swap, things, i):
                    continue
                later = _later(test, things, i)
                if later is not None:
                    yield _sorted_by(scene, statement, things, later, flag)


def _walked(walk: ast.expr) -> str | None:
    """The list in `range(len(xs) - 1)`."""
    match walk:
        case ast.Call(
            func=ast.Name(id="range"),
            args=[
                ast.BinOp(
                    left=ast.Call(func=ast.Name(id="len"), args=[things]), op=ast.Sub(), right=one
                )
            ],
        ) if ast.unparse(one) == "1":
            return ast.unparse(things)
    return None


def _is_swap(node: ast.stmt, things: str, i: str) -> bool:
    one, two = f"{things}[{i}]", f"{things}[{i} + 1]"
    text = ast.unparse(node).replace("(", "").replace(")", "")
    return text in (f"{one}, {two} = {two}, {one}", f"{two}, {one} = {one}, {two}")


def _later(test: ast.expr, things: str, i: str) -> str | None:
    """The test with `{a}` and `{b}` in the places of the neighbours."""
    text = ast.unparse(test)
    one, two = f"{things}[{i}]", f"{things}[{i} + 1]"
    if one not in text or two not in text:
        return None
    shape = text.replace("{", "{{").replace("}", "}}").replace(two, "{b}").replace(one, "{a}")
    rest = shape.replace("{a}", "").replace("{b}", "")
    return (
        None
        if i in {n.id for n in ast.walk(test) if isinstance(n, ast.Name)} and f"[{i}" in rest
        else shape
    )


def _sorted_by(scene: Scene, loop: ast.While, things: str, later: str, flag: str) -> Edits:
    source, block = scene.source, scene.block_of(loop)
    a, b = scene.fresh("one"), scene.fresh("other")
    if later == "{a} > {b}":
        text, imports = f"{things}.sort()", frozenset[tuple[str, str]]()
    else:
        order = f"lambda {a}, {b}: bool({later.format(a=a, b=b)}) - bool({later.format(a=b, b=a)})"
        text = f"{things}.sort(key=cmp_to_key({order}))"
        imports = frozenset({("functools", "cmp_to_key")})
    edits = [source.replaced(loop, text)]
    position = block.index(loop)
    before = block[position - 1] if position else None
    if (
        before is not None
        and ast.unparse(before) == f"{flag} = True"
        and len(scene.names(flag)) == 4
    ):
        edits.append(source.removed(before))
    return Edits(tuple(edits), imports)
