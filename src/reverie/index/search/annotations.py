"""Types as they are annotated, in the normal form of shapes."""

import ast
import re

from reverie.index.search.shapes import ALIASES, ANY

_PREFIX = r"\b(?:typing|typing_extensions|t|collections\.abc|abc|builtins)\."


def normal_type(annotation: str | None) -> str:
    """A type in normal form: no `typing.`, `Optional[X]` as `X | None`, sorted unions."""
    if annotation is None or annotation.strip() in ("", ANY, "?"):
        return ANY
    text = re.sub(_PREFIX, "", annotation.strip().strip("'\""))
    try:
        return _normal(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return text.replace(";", ",").replace(" ", "")


def _normal(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return ALIASES.get(node.id, node.id)
    if isinstance(node, ast.Constant):
        return normal_type(node.value) if isinstance(node.value, str) else str(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _union([_normal(node.left), _normal(node.right)])
    if isinstance(node, ast.Subscript):
        return _normal_subscript(node)
    if isinstance(node, ast.Tuple | ast.List):
        return ",".join(_normal(each) for each in node.elts)
    return ast.unparse(node).replace(" ", "").replace(";", ",")


def _normal_subscript(node: ast.Subscript) -> str:
    base, inner = _normal(node.value), node.slice
    if base == "Optional":
        return _union([_normal(inner), "None"])
    if base == "Union":
        members = inner.elts if isinstance(inner, ast.Tuple) else [inner]
        return _union([_normal(each) for each in members])
    if base == "Annotated" and isinstance(inner, ast.Tuple):
        return _normal(inner.elts[0])
    return f"{base}[{_normal(inner)}]"


def _union(members: list[str]) -> str:
    kinds = {kind for member in members for kind in member.split("|")}
    return "|".join(sorted(kinds))
