"""The lines of a source: pieces of it as they are written, and how many hold code."""

import ast
from itertools import accumulate

_LONGEST_PIECE = 1000


class SourceLines:
    """The lines of a source in UTF-8, which is what the columns of a syntax tree count."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self._lines = source.splitlines()
        self._sums: list[int] | None = None

    @property
    def loc(self) -> int:
        """Lines that are neither blank nor only a comment."""
        return self.loc_between(1, len(self._lines))

    def loc_between(self, first: int, last: int) -> int:
        """The same for a span of lines, both ends included."""
        if self._sums is None:
            counted = (_holds_code(line) for line in self._lines)
            self._sums = list(accumulate(counted, initial=0))
        return self._sums[min(last, len(self._lines))] - self._sums[first - 1]

    def piece(self, node: ast.expr) -> str:
        """An expression as it is written, on one line."""
        if isinstance(node, ast.Name):
            return node.id
        if node.end_lineno == node.lineno:
            line = self._lines[node.lineno - 1]
            text = line[node.col_offset : node.end_col_offset].decode("utf-8", "replace")
        else:
            text = _unparsed(node)
        return text if len(text) <= _LONGEST_PIECE else "..."


def _holds_code(line: bytes) -> bool:
    text = line.strip()
    return bool(text) and text[0] != 35  # "#"


def _unparsed(node: ast.expr) -> str:
    """What is spread over several lines, on one; `...` when it is nested too deeply for that."""
    try:
        return " ".join(ast.unparse(node).split("\n"))
    except RecursionError:
        return "..."
