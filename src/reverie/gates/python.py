"""Python source as gates read it: parsed once, with the names that its imports bind."""

import ast
from dataclasses import dataclass
from functools import lru_cache

from reverie.syntax.nodes import dotted
from reverie.syntax.parsing import NOT_PYTHON, parse_quietly

DEEPEST = 150
"""Levels of a tree that gates walk by calling themselves; Python allows a thousand calls."""


@dataclass(frozen=True, slots=True)
class Parsed:
    """A file that Python can read."""

    path: str
    text: str
    tree: ast.Module

    def place(self, node: ast.AST) -> str:
        """Where a node stands, as `path:line`."""
        return f"{self.path}:{getattr(node, 'lineno', 1)}"


def parse(path: str, text: str | None) -> Parsed | None:
    """A file's syntax tree; None for no file, and for one that Python cannot read."""
    tree = None if text is None else _tree(text)
    return None if tree is None or text is None else Parsed(path, text, tree)


@lru_cache(maxsize=32)
def _tree(text: str) -> ast.Module | None:
    try:
        tree = parse_quietly(text)
    except NOT_PYTHON:
        return None
    return None if _is_bottomless(tree) else tree


def _is_bottomless(tree: ast.Module) -> bool:
    level: list[ast.AST] = [tree]
    for _ in range(DEEPEST):
        level = [child for node in level for child in ast.iter_child_nodes(node)]
        if not level:
            return False
    return True


def imported_names(tree: ast.AST) -> dict[str, str]:
    """Every name that an import binds, anywhere in the file, with what it stands for."""
    found: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                found[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            start = "." * node.level + (node.module or "")
            for alias in node.names:
                origin = f"{start}.{alias.name}" if start.strip(".") else f"{start}{alias.name}"
                found[alias.asname or alias.name] = origin
    return found


def origin_of(node: ast.AST | None, names: dict[str, str]) -> str:
    """What a dotted expression stands for, with its imports resolved."""
    text = dotted(node)
    head, _, rest = text.partition(".")
    origin = names.get(head, head)
    return f"{origin}.{rest}" if rest else origin


def words(text: str) -> frozenset[str]:
    """The words of a text: tables of names read better so."""
    return frozenset(text.split())


def same(first: ast.AST, second: ast.AST) -> bool:
    """Whether two pieces of code say the same, whatever their layout."""
    return ast.dump(first) == ast.dump(second)
