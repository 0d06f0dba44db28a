"""How hard code is to follow: decisions, and the more the deeper they are nested."""

import ast
from dataclasses import dataclass

_NESTING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.Try, ast.With, ast.AsyncWith, ast.Match)
_DECIDING = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.match_case,
             ast.Assert)  # fmt: skip
_HIDDEN = {"map": 1, "starmap": 1, "reduce": 1, "filter": 2, "filterfalse": 2, "takewhile": 2,
           "dropwhile": 2}  # fmt: skip
"""Calls that go through all there is, as a loop does; some of them choose as well."""


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
    return Clarity(nesting_of(tree), sum(1 for _ in ast.walk(tree)))


def nesting_of(node: ast.AST, depth: int = 0) -> int:
    """Points of all that stands in a piece of code; a boolean expression is one, however long."""
    total = 0
    for child in ast.iter_child_nodes(node):
        is_elif = isinstance(child, ast.If) and isinstance(node, ast.If) and node.orelse == [child]
        if isinstance(child, _DECIDING):
            total += 1 if is_elif else 1 + depth
        if isinstance(child, ast.BoolOp):
            total += 1
        deeper = isinstance(child, _NESTING) and not is_elif
        total += _hidden_loops(child) + nesting_of(child, depth + deeper)
    return total


def decisions_of(tree: ast.AST) -> int:
    """How often the way through a piece of code parts: cyclomatic complexity without its one."""
    total = 0
    for node in ast.walk(tree):
        if isinstance(node, _DECIDING):
            total += 1
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
        else:
            total += _hidden_loops(node)
    return total


def _hidden_loops(node: ast.AST) -> int:
    """A comprehension, or the call that does the same: `map(f, xs)` and `[f(x) for x in xs]`."""
    if isinstance(node, ast.comprehension):
        return 1 + len(node.ifs)
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return _HIDDEN.get(name, 0)
    return 0
