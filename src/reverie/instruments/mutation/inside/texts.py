"""A change as text: which bytes of the file go, and what comes in their place."""

import ast
from typing import Any, cast

from .sites import Site

_BINDING = (
    ast.BinOp,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Compare,
    ast.Attribute,
    ast.Await,
    ast.IfExp,
    ast.Starred,
    ast.comprehension,
)
_ATOMS = (
    ast.Constant,
    ast.Name,
    ast.Call,
    ast.Attribute,
    ast.Subscript,
    ast.List,
    ast.Tuple,
    ast.Dict,
    ast.Set,
    ast.JoinedStr,
    ast.ListComp,
    ast.SetComp,
    ast.DictComp,
    ast.GeneratorExp,
)
_SYMBOLS = {
    "Lt": "<", "LtE": "<=", "Gt": ">", "GtE": ">=", "Eq": "==", "NotEq": "!=", "Is": "is",
    "IsNot": "is not", "In": "in", "NotIn": "not in", "And": "and", "Or": "or", "Add": "+",
    "Sub": "-", "Mult": "*", "Div": "/", "FloorDiv": "//", "Mod": "%", "Pow": "**", "BitAnd": "&",
    "BitOr": "|", "BitXor": "^", "LShift": "<<", "RShift": ">>", "MatMult": "@",
}  # fmt: skip


class Text:
    """The bytes of one file, by line and column as the parser counts them."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]
        for line in source.split(b"\n"):
            self.starts.append(self.starts[-1] + len(line) + 1)

    def span(self, node: ast.AST) -> "tuple[int, int]":
        """First byte of a node, and the one after its last."""
        at = cast(Any, node)
        start: int = self.starts[at.lineno - 1] + at.col_offset
        return start, self.starts[at.end_lineno - 1] + at.end_col_offset

    def of(self, node: ast.AST) -> str:
        """A node as it is written."""
        start, end = self.span(node)
        return self.source[start:end].decode()

    def replacing(self, site: Site) -> "str | None":
        """What is written instead; None when Python cannot write it."""
        site.locate()
        try:
            written = self._infix(site.node, site.replacement) or self._written(site)
        except ValueError:  # an f-string that this version can read but not write
            return None
        needs = isinstance(site.parent, _BINDING) or site.slot in ("func", "value")
        if needs and isinstance(site.node, ast.expr) and not self._is_atom(site.replacement):
            return f"({written})" if not isinstance(site.parent, ast.stmt) else written
        return written

    def _written(self, site: Site) -> str:
        node, new = site.node, site.replacement
        if isinstance(new, ast.UnaryOp) and new.operand is node:
            return f"not ({self.of(node)})"
        if isinstance(node, ast.UnaryOp) and new is node.operand:
            inner = self.of(new)
            return inner if self._is_atom(new) else f"({inner})"
        text = ast.unparse(new)
        indent = "\n" + " " * cast(Any, node).col_offset
        return text.replace("\n", indent)

    def _is_atom(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float, complex)):
            return isinstance(node.value, bool)
        return isinstance(node, _ATOMS)

    def _infix(self, old: ast.AST, new: ast.AST) -> "str | None":
        """Only the operator exchanged, everything else as its author wrote it."""
        if type(old) is not type(new):
            return None
        parts, before, after = _operands(old), _operators(old), _operators(new)
        if not parts or len(before) != len(after):
            return None
        written = self.of(old)
        begin = self.span(old)[0]
        encoded = bytearray(written.encode())
        for index in range(len(before) - 1, -1, -1):
            start, end = self.span(parts[index])[1] - begin, self.span(parts[index + 1])[0] - begin
            between = bytes(encoded[start:end]).decode()
            was, becomes = _SYMBOLS[before[index]], _SYMBOLS[after[index]]
            if between.strip(" ()\t\n\\") != was:
                return None  # a comment, or an operator written over several lines
            encoded[start:end] = between.replace(was, becomes).encode()
        return encoded.decode()


def _operands(node: ast.AST) -> "list[ast.expr]":
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    if isinstance(node, ast.BoolOp):
        return node.values
    return []


def _operators(node: ast.AST) -> "list[str]":
    if isinstance(node, ast.Compare):
        return [type(op).__name__ for op in node.ops]
    if isinstance(node, ast.BoolOp):
        return [type(node.op).__name__] * (len(node.values) - 1)
    if isinstance(node, ast.BinOp):
        return [type(node.op).__name__]
    return []
