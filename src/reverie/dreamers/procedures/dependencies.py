"""What statements need of one another: names they read, bind and change."""

import ast
from dataclasses import dataclass

from reverie.dreamers.procedures.places import own_nodes

_LEAVING = (ast.Return, ast.Raise, ast.Break, ast.Continue, ast.Yield, ast.YieldFrom, ast.Await,
            ast.Global, ast.Nonlocal, ast.Import, ast.ImportFrom)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Needs:
    """Names of one statement."""

    reads: frozenset[str]
    writes: frozenset[str]
    """Bound, or changed through a method, an index or an attribute."""
    leaves: bool
    """Whether it may end more than itself."""

    @classmethod
    def of(cls, statement: ast.stmt) -> "Needs":
        """The needs of a statement with all that is inside it."""
        nodes = [statement, *own_nodes(statement)]
        names = [each for each in nodes if isinstance(each, ast.Name)]
        reads = {each.id for each in names if isinstance(each.ctx, ast.Load)}
        writes = {each.id for each in names if not isinstance(each.ctx, ast.Load)}
        for each in nodes:
            if isinstance(each, ast.AugAssign) and isinstance(each.target, ast.Name):
                reads.add(each.target.id)
            changed = _changed(each)
            if changed is not None:
                writes.add(changed)
        leaves = any(isinstance(each, _LEAVING) for each in nodes)
        return cls(frozenset(reads), frozenset(writes), leaves)

    def is_independent_of(self, other: "Needs") -> bool:
        """Whether the two may change places as far as names tell."""
        return not (
            self.leaves
            or other.leaves
            or self.writes & (other.reads | other.writes)
            or other.writes & self.reads
        )


def _changed(node: ast.AST) -> str | None:
    """The name whose object a node may change."""
    match node:
        case ast.Call(func=ast.Attribute(value=inner)):
            return _root(inner)
        case ast.Attribute(value=inner, ctx=ast.Store() | ast.Del()):
            return _root(inner)
        case ast.Subscript(value=inner, ctx=ast.Store() | ast.Del()):
            return _root(inner)
    return None


def _root(node: ast.expr) -> str | None:
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else None
