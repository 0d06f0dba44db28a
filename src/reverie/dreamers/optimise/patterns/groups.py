"""Groups that are found by looking through all of them."""

import ast
from collections.abc import Iterator

from reverie.dreamers.rewriting.scene import Scene
from reverie.dreamers.rewriting.source import Edit, Edits


def group_walk(scene: Scene) -> Iterator[Edits]:
    """`for group in groups: if key(group[0]) == key(x): group.append(x); break`, else a new one."""
    for walk in ast.walk(scene.function):
        match walk:
            case ast.For(
                target=ast.Name(id=group),
                iter=ast.Name(id=groups),
                body=[
                    ast.If(
                        test=ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]),
                        body=[ast.Expr(value=added), ast.Break()],
                        orelse=[],
                    )
                ],
                orelse=[ast.Expr(value=opened)],
            ):
                found = _key_of(scene, (left, right), group, opened, groups)
                if found is None or ast.unparse(added) != f"{group}.append({found[0]})":
                    continue
                if _is_own(scene, groups, walk):
                    yield _by_key(scene, walk, groups, *found)


def _key_of(
    scene: Scene, sides: tuple[ast.expr, ast.expr], group: str, opened: ast.expr, groups: str
) -> tuple[str, ast.expr] | None:
    """The name of what is put into groups, and its key, when both sides have the same one."""
    match opened:
        case ast.Call(args=[ast.List(elts=[ast.Name(id=x)])]) if (
            ast.unparse(opened) == f"{groups}.append([{x}])"
        ):
            for mine, theirs in (sides, sides[::-1]):
                of_first = ast.unparse(theirs).replace(f"{group}[0]", x)
                if ast.unparse(mine) == of_first and not scene.names(group, mine):
                    return (x, mine) if _is_key(scene, mine) else None
    return None


def _is_key(scene: Scene, key: ast.expr) -> bool:
    """Whether it only computes, and gives something that can be a key, or a sorted list of such."""
    if not all(scene.is_pure_node(node, frozenset()) for node in ast.walk(key)):
        return False
    kind = scene.kind_of(key)
    if kind is not None and kind.name == "list":
        return kind.item is not None and kind.item.is_exact
    return kind is not None and kind.is_exact


def _is_own(scene: Scene, groups: str, walk: ast.For) -> bool:
    """Whether the list of groups begins empty, and nothing else in the loop touches it."""
    bindings = scene.bindings(groups)
    loops = scene.loops_around(walk)
    if len(bindings) != 1 or not loops or groups in scene.parameters:
        return False
    made = scene.statement_of(bindings[0])
    value = made.value if isinstance(made, ast.Assign | ast.AnnAssign) else None
    empty = isinstance(value, ast.List) and not value.elts
    return empty and len(scene.names(groups, loops[-1])) == 2


def _by_key(scene: Scene, walk: ast.For, groups: str, x: str, key: ast.expr) -> Edits:
    source, loop = scene.source, scene.loops_around(walk)[-1]
    table, name = scene.fresh(f"{groups}_by_key"), scene.fresh("key")
    kind, indent = scene.kind_of(key), source.indent_of(walk)
    shown = source.of(key)
    shown = f"tuple({shown})" if kind is not None and kind.name == "list" else shown
    text = (
        f"{name} = {shown}\n"
        f"{indent}if {name} in {table}:\n"
        f"{indent}    {table}[{name}].append({x})\n"
        f"{indent}else:\n"
        f"{indent}    {table}[{name}] = [{x}]\n"
        f"{indent}    {groups}.append({table}[{name}])"
    )
    made = source.before(scene.statement_of(loop), f"{table} = {{}}")
    return Edits((made, Edit(*source.span(walk), text)))
