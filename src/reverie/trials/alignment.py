"""The same mutants of two versions of a file: matched by the syntax they change, not by number.

    pairs = align_mutants(mutants_before, root_before, mutants_after, root_after)

Two mutants are the same when they make the same change of the same expression in the same
surroundings. What stands in one version only has no counterpart, and is not compared.
"""

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from reverie.instruments.mutation.mutated import source_of
from reverie.model.mutation import Mutant

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A mutant with what it changes and what stands around that, as text."""

    mutant: Mutant
    changed: Key
    around: str
    statement: str


_PASSES: tuple[Callable[[_Placed], Key], ...] = (
    lambda each: (each.mutant.scope, *each.changed, each.around, each.statement),
    lambda each: (each.mutant.scope, *each.changed, each.around),
    lambda each: (*each.changed, each.around, each.statement),
)
"""From near to far: the same statement, the same expression, a statement that has moved."""


def align_mutants(
    before: Sequence[Mutant],
    root_before: str,
    after: Sequence[Mutant],
    root_after: str,
    renamed: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Ids of mutants before, each with the id of the same mutant after.

    `renamed`: files that have another name after.
    """
    pairs: dict[str, str] = {}
    for file in dict.fromkeys(each.file for each in before):
        other = (renamed or {}).get(file, file)
        old = _placed([each for each in before if each.file == file], root_before)
        new = _placed([each for each in after if each.file == other], root_after)
        for key in _PASSES:
            found = _matched(old, new, key)
            pairs |= {one.mutant.id: two.mutant.id for one, two in found}
            old = [each for each in old if each.mutant.id not in pairs]
            known = {two.mutant.id for _, two in found}
            new = [each for each in new if each.mutant.id not in known]
    return pairs


def _matched(
    old: list[_Placed], new: list[_Placed], key: Callable[[_Placed], Key]
) -> list[tuple[_Placed, _Placed]]:
    """Those of equal keys, in an order that both sides share."""
    matcher = SequenceMatcher(None, [key(e) for e in old], [key(e) for e in new], autojunk=False)
    return [
        (old[block.a + number], new[block.b + number])
        for block in matcher.get_matching_blocks()
        for number in range(block.size)
    ]


def _placed(mutants: Sequence[Mutant], root: str) -> list[_Placed]:
    if not mutants:
        return []
    source = source_of(root, mutants[0].file)
    lines = source.decode("utf-8", "replace").split("\n")
    around = _Enclosing(source)
    return [
        _Placed(
            each,
            (each.operator, _plain(source[each.start : each.end]), _plain(each.replacement)),
            around.of(each.start, each.end),
            _plain(" ".join(lines[each.first_line - 1 : each.last_line])),
        )
        for each in mutants
    ]


def _plain(text: str | bytes) -> str:
    """As Python would write it; layout makes no difference."""
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    try:
        return ast.unparse(ast.parse(said.strip()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return " ".join(said.split())  # the head of a compound statement


class _Enclosing:
    """What a place of a file stands in: the smallest larger expression, else its statement."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0]
        for line in source.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._spans: list[tuple[int, int, ast.expr | ast.stmt]] = []
        self._collect(ast.parse(source))

    def of(self, start: int, end: int) -> str:
        """As text; of a statement only its kind, for the rest of it may have changed."""
        larger = [
            (last - first, node)
            for first, last, node in self._spans
            if first <= start and end <= last and (first, last) != (start, end)
        ]
        if not larger:
            return ""
        node = min(larger, key=lambda each: each[0])[1]
        return ast.unparse(node) if isinstance(node, ast.expr) else type(node).__name__

    def _collect(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.stmt) and node.end_lineno is not None:
                first = self._starts[node.lineno - 1] + node.col_offset
                last = self._starts[node.end_lineno - 1] + (node.end_col_offset or 0)
                self._spans.append((first, last, node))
