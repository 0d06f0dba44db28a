"""Does a change write what was declared, in its place, and do its examples hold?"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.rewritten_files import Rewritten, rewritten_files
from reverie.gates.proof import Bound, objections
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import Function, is_stub

_BOUNDS = (
    Bound("stubs.examples", "no_example", "no example says what is wanted", least=1),
    Bound("stubs.broken_examples", "example_fails", "examples that do not hold", most=0),
)


def filled_stubs(before: ast.Module, after: ast.Module) -> tuple[Function, ...] | None:
    """The functions that were declared and are written now; None where anything else differs.

    Imports may come in: what is written may need them.
    """
    waiting, found = list(before.body), []
    for node in after.body:
        if waiting and ast.dump(waiting[0]) == ast.dump(node):
            waiting.pop(0)
        elif waiting and _is_filled(waiting[0], node):
            waiting.pop(0)
            found.append(node)
        elif not _imported(node):
            return None
    return None if waiting else tuple(each for each in found if isinstance(each, Function))


def _is_filled(before: ast.stmt, after: ast.stmt) -> bool:
    return (
        isinstance(before, Function)
        and isinstance(after, Function)
        and is_stub(before)
        and not is_stub(after)
        and _head(before) == _head(after)
    )


def _head(node: Function) -> tuple[str, str]:
    """All of a function but what it does."""
    whole = (type(node).__name__, node.name, ast.get_docstring(node, clean=False) or "")
    around = [ast.dump(each) for each in node.decorator_list]
    returns = "" if node.returns is None else ast.dump(node.returns)
    return "\0".join((*whole, *around, returns)), ast.dump(node.args)


def _imported(node: ast.stmt) -> tuple[str, ...]:
    """Top-level names of what a plain import brings in; nothing for any other statement."""
    match node:
        case ast.Import(names=names):
            return tuple(each.name.partition(".")[0] for each in names)
        case ast.ImportFrom(module=str(module), level=0):
            return (module.partition(".")[0],)
    return ()


@dataclass(frozen=True, slots=True)
class FillingGate:
    """Refuses any change of code but the body of a function that was declared and not written."""

    name: str = "filling"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each file in which anything else is other than it was."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        files = tuple(rewritten_files(matter))
        filled = [filled_stubs(each.before.tree, each.after.tree) for each in files]
        found = tuple(self._objections(files, filled, matter.surroundings.modules))
        if not found and not any(filled):
            said = "no function that was declared is written"
            return (Ruling(self.name, Answer.FAIL, "nothing_filled", said, 0, 1),)
        return ruled(self.name, found, "only functions that were declared are written")

    def _objections(
        self,
        files: tuple[Rewritten, ...],
        filled: list[tuple[Function, ...] | None],
        known: frozenset[str],
    ) -> Iterator[Ruling]:
        for file, found in zip(files, filled, strict=True):
            place = file.after.path
            if found is None:
                said = "more is other than the bodies of functions that were declared"
                yield Ruling(self.name, Answer.FAIL, "more_than_a_stub", said, place)
            new = {name for node in file.after.tree.body for name in _imported(node)}
            new -= {name for node in file.before.tree.body for name in _imported(node)}
            if strange := sorted(new - known):
                said = f"it would need what is not there yet: {', '.join(strange[:3])}"
                yield Ruling(self.name, Answer.FAIL, "new_requirement", said, place)


@dataclass(frozen=True, slots=True)
class ExamplesHoldGate:
    """Refuses what is written unless every example of its docs holds, one at the least."""

    name: str = "shown"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """On the examples that were run."""
        count = matter.measured("stubs.examples") or 0
        said = f"{count:.0f} of {count:.0f} examples hold"
        return ruled(self.name, objections(self.name, matter, _BOUNDS), said)
