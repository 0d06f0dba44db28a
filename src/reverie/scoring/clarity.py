"""How hard code is to follow: decisions, and the more the deeper they are nested."""

import ast
from dataclasses import dataclass

_NESTING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)
_DECIDING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case)


@dataclass(frozen=True, slots=True)
class Clarity:
    """Two figures of a text: less is easier to read."""

    nesting: int
    """A point for every decision, and one more for each block around it."""
    nodes: int
    """Pieces of syntax."""

    def gain_over(self, before: "Clarity") -> tuple[int, int]:
        """What is saved; sorts by nesting first."""
        return before.nesting - self.nesting, before.nodes - self.nodes


def clarity_of(text: str) -> Clarity:
    """Of a text that Python can read."""
    tree = ast.parse(text)
    return Clarity(_nesting(tree, 0), sum(1 for _ in ast.walk(tree)))


def _nesting(node: ast.AST, depth: int) -> int:
    total = 0
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(child, ast.If) and isinstance(node, ast.If) and node.orelse == [child]
        if isinstance(child, _DECIDING):
            total += 1 if is_elif else 1 + depth
        if isinstance(child, ast.BoolOp):
            total += 1
        deeper = isinstance(child, _NESTING) and not is_elif
        total += _nesting(child, depth + deeper)
    return total
