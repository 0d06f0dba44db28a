"""Every refactoring that fits a module, each a change of its own."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from reverie.dreamers.refactor.gaps import without_gaps
from reverie.dreamers.refactor.patterns import catalogue
from reverie.dreamers.refactor.refactoring import Elsewhere, Place
from reverie.dreamers.rewriting.scene import Function
from reverie.dreamers.rewriting.source import Source
from reverie.model.change import FileEdit

_NOWHERE = Elsewhere()
MOST_LINES = 40
"""What stage B allows; a larger change would be refused unseen."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A module with one coherent change made."""

    pattern: str
    title: str
    """One line for people: it becomes the subject of a commit."""
    source: str
    lines_changed: int
    touches: frozenset[int]
    """Lines of the module as it is that the change rewrites, with those right beside them."""

    def goes_with(self, others: Iterable["Proposal"]) -> bool:
        """Whether it can be made beside others, in any order."""
        return all(not self.touches & other.touches for other in others)


def imagine_refactorings(
    text: str, entry: str | None = None, elsewhere: Elsewhere = _NOWHERE
) -> list[Proposal]:
    """Proposals for a module, or for one function of it; the plainest first."""
    try:
        source = Source(text)
    except (SyntaxError, ValueError, RecursionError):
        return []
    found = []
    for place in _places(source, entry, elsewhere):
        for refactoring in catalogue():
            for edits in refactoring.propose(place):
                title = refactoring.title(place.qualname)
                new = source.applied(edits)
                found.append(proposal_of(refactoring.name, title, text, new))
    return distinct(found)


def distinct(found: Iterable[Proposal | None]) -> list[Proposal]:
    """Each text once, without those that are too large."""
    unique = {each.source: each for each in reversed([e for e in found if e is not None])}
    return [each for each in reversed(unique.values()) if each.lines_changed <= MOST_LINES]


def functions_of(tree: ast.Module) -> dict[str, Function]:
    """Functions and methods of a module by qualified name."""
    return dict(_functions(tree.body))


def _functions(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    for node in body:
        if isinstance(node, Function):
            yield f"{prefix}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")


def _places(source: Source, entry: str | None, elsewhere: Elsewhere) -> Iterator[Place]:
    for qualname, function in functions_of(source.tree).items():
        if entry is None or qualname == entry or qualname.startswith(f"{entry}."):
            yield Place(source, function, qualname, elsewhere)


def proposal_of(pattern: str, title: str, before: str, after: str | None) -> Proposal | None:
    """A change of a whole text; None when it is none, or no Python.

    The same tree is layout, a formatter's matter, unless it stands less deep: `else: if` as `elif`.
    """
    if after is None or after == before:
        return None
    try:
        is_layout = ast.dump(ast.parse(after)) == ast.dump(ast.parse(before))
        if is_layout and _depth(after) >= _depth(before):
            return None
        after = without_gaps(before, after)
    except (SyntaxError, ValueError, RecursionError):
        return None
    edit = FileEdit("module.py", before, after)
    changed = edit.lines_added + edit.lines_removed
    return Proposal(pattern, title, after, changed, frozenset(_touched(edit)))


def _depth(text: str) -> int:
    return sum(len(line) - len(line.lstrip()) for line in text.splitlines())


def _touched(edit: FileEdit) -> Iterator[int]:
    line = 0
    for each in edit.hunks().splitlines():
        if each.startswith("@@"):
            line = int(each.split()[1].lstrip("-").partition(",")[0])
        elif each.startswith("-"):
            yield from (line - 1, line, line + 1)
            line += 1
        elif each.startswith("+"):
            yield from (line - 1, line)
        elif not each.startswith("\\"):
            line += 1
