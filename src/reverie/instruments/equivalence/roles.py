"""What parameters that are called are called for: to be told something, or to be asked."""

import ast
from collections.abc import Iterable, Iterator

_CALLED_FOR_EFFECT = ("callback", "handler", "hook", "emit", "notify", "sink", "visit", "on_")
_ASKING = frozenset({"map", "filter", "filterfalse", "takewhile", "dropwhile", "reduce"})


def told_parameters(trees: Iterable[ast.Module], names: list[str]) -> Iterator[tuple[int, str]]:
    """Parameters called as statements, or named like callbacks. Others are asked, not told."""
    told = {
        node.value.func.id
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Name)
    }
    for place, name in enumerate(names):
        if name in told or name.startswith(_CALLED_FOR_EFFECT):
            yield place, name


def asked_parameters(trees: Iterable[ast.Module], names: list[str]) -> Iterator[int]:
    """Parameters that are called by name, or handed to `map` and its like."""
    called: set[str] = set()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
                first = node.args[0] if node.args and name in _ASKING else node.func
                called.add(getattr(first, "id", ""))
    told = {place for place, _ in told_parameters(trees, names)}
    return (place for place, name in enumerate(names) if name in called and place not in told)
