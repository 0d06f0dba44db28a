"""Branches that cannot be taken because their condition is a constant under a name."""

import ast
from collections import Counter


def constant_names(tree: ast.Module) -> dict[str, object]:
    """Names that the whole module binds once, to a constant."""
    bound = Counter(
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load)
    )
    bound.update(node.arg for node in ast.walk(tree) if isinstance(node, ast.arg))
    return {
        target.id: node.value.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and bound[target.id] == 1
    }


def is_dead(condition: str, way: int, constants: dict[str, object]) -> bool:
    """Whether a condition can never come out this way (1: true, 0: false)."""
    try:
        node = ast.parse(condition, mode="eval").body
    except SyntaxError:
        return False  # a loop, a case or a handler
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return is_dead(ast.unparse(node.operand), 1 - way, constants)
    if isinstance(node, ast.Name) and node.id in constants:
        return bool(constants[node.id]) != bool(way)
    return isinstance(node, ast.Constant) and bool(node.value) != bool(way)
