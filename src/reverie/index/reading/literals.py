"""Literals as source: what inputs can be grown from."""

import ast

from reverie.index.reading.lines import SourceLines

LONGEST = 200
_CONTAINERS = (ast.List, ast.Tuple, ast.Set)
_MOST_NODES = 60


def literal_source(node: ast.expr, lines: SourceLines) -> str | None:
    """The literal as source; None for what is no literal, or too long to be of use."""
    if isinstance(node, ast.Constant):
        return constant_source(node.value)
    if not _is_literal(node):
        return None
    text = lines.piece(node)
    return text if len(text) <= LONGEST and text != "..." else None


def constant_source(value: object) -> str | None:
    """A constant of a syntax tree as source; None for `...` and for what is too long."""
    if value is ...:
        return None
    if isinstance(value, str | bytes) and len(value) > LONGEST:
        return None
    if isinstance(value, int) and value.bit_length() > 4 * LONGEST:
        return None
    text = repr(value)
    return text if len(text) <= LONGEST and text not in ("inf", "infj") else None


def _is_literal(node: ast.expr) -> bool:
    pending: list[ast.expr | None] = [node]
    for _ in range(_MOST_NODES):
        if not pending:
            return True
        current = pending.pop()
        if isinstance(current, ast.Constant):
            continue
        if isinstance(current, _CONTAINERS):
            pending += current.elts
        elif isinstance(current, ast.Dict):
            pending += [*current.keys, *current.values]
        elif isinstance(current, ast.UnaryOp) and isinstance(current.op, ast.USub | ast.UAdd):
            pending.append(current.operand)
        else:
            return False
    return False
