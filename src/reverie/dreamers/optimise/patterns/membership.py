"""`x in things`, asked again and again of a list."""

import ast

from reverie.dreamers.rewriting.scene import Scene


def made_as_list(scene: Scene, name: str) -> ast.Assign | ast.AnnAssign | None:
    """The one statement that binds a name, when it binds a list display."""
    found = [scene.statement_of(each) for each in scene.bindings(name)]
    if len(found) != 1 or name in scene.parameters:
        return None
    made = found[0]
    is_list = isinstance(made, ast.Assign | ast.AnnAssign) and isinstance(made.value, ast.List)
    return made if is_list else None  # type: ignore[return-value]


def only_grows(scene: Scene, name: str) -> bool:
    """Whether nothing but `append` of a plain name or constant changes it."""
    for each in scene.names(name):
        parent = scene.parents[each]
        if isinstance(parent, ast.Attribute):
            call = scene.parents[parent]
            plain = isinstance(call, ast.Call) and call.args and _is_plain(call.args[0])
            if parent.attr != "append" or not plain:
                return False
        elif isinstance(parent, ast.AugAssign | ast.Subscript) or (
            isinstance(each.ctx, ast.Load)
            and not isinstance(parent, ast.Return)
            and scene.is_change(each)
        ):
            return False
    return True


def _is_plain(node: ast.expr) -> bool:
    if isinstance(node, ast.Tuple):
        return all(_is_plain(each) for each in node.elts)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name | ast.Constant):
        return isinstance(node.value, ast.Name)
    return isinstance(node, ast.Name | ast.Constant)
