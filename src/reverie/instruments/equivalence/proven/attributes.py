"""Private attributes that one version sets and nothing reads: setting them is no behaviour."""

import ast
from copy import deepcopy

UNREAD_ATTRIBUTE = "a private attribute that nothing reads"


def without_unread_attributes(old: ast.Module, new: ast.Module) -> tuple[ast.Module, ast.Module]:
    """Both modules without such assignments; copies where something is taken out."""
    first, second = _set_only(old), _set_only(new)
    gone = {each for each in first ^ second if not (_named(old) | _named(new)) & {each}}
    return _without(old, gone & first), _without(new, gone & second)


def _set_only(tree: ast.Module) -> set[str]:
    """Private attributes that are set to something plain wherever they are named."""
    return {
        target.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_plain(node)
        for target in node.targets
        if isinstance(target, ast.Attribute) and _is_private(target.attr)
    }


def _named(tree: ast.Module) -> set[str]:
    """Words that may stand for an attribute, other than where it is set to something plain."""
    plain = {
        id(node.targets[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_plain(node)
    }
    found = {
        each.attr
        for each in ast.walk(tree)
        if isinstance(each, ast.Attribute) and id(each) not in plain
    }
    return found | {
        each.value
        for each in ast.walk(tree)
        if isinstance(each, ast.Constant) and isinstance(each.value, str)
    }


def _is_plain(node: ast.Assign) -> bool:
    """`x._y = z`, where nothing is computed and nothing else is set."""
    match node:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name())], value=value):
            return isinstance(value, ast.Constant | ast.Name)
    return False


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__")


def _without(tree: ast.Module, names: set[str]) -> ast.Module:
    return _Dropping(names).visit(deepcopy(tree)) if names else tree


class _Dropping(ast.NodeTransformer):
    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        """Nothing in place of an assignment to one of them."""
        target = node.targets[0]
        is_gone = _is_plain(node) and isinstance(target, ast.Attribute)
        return ast.Pass() if is_gone and getattr(target, "attr", "") in self.names else node
