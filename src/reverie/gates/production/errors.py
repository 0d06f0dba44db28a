"""Does the change hide errors that were seen before?"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.reading import rewritten_files
from reverie.gates.python import dotted
from reverie.model.ruling import Answer, Ruling

_BROAD = frozenset({"Exception", "BaseException", "builtins.Exception", "builtins.BaseException"})


@dataclass(frozen=True, slots=True)
class ErrorsGate:
    """Refuses a handler that catches everything, and errors that are thrown away."""

    name: str = "errors"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each new place that does."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(self.name, self._objections(matter), "no error is caught that was not")

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in rewritten_files(matter):
            allowed = sum(1 for _ in _catching(file.before.tree))
            found = list(_catching(file.after.tree))
            for node in found[allowed:]:
                said = "it catches every error, also those that nobody thought of"
                place = file.after.place(node)
                yield Ruling(self.name, Answer.FAIL, "broad_except", said, place)


def _catching(tree: ast.AST) -> Iterator[ast.AST]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            if any(kind is None or dotted(kind) in _BROAD for kind in kinds):
                yield node
        elif isinstance(node, ast.Call) and dotted(node.func).endswith("suppress"):
            if any(dotted(each) in _BROAD for each in node.args):
                yield node
        elif isinstance(node, ast.Try) and any(
            isinstance(each, ast.Return | ast.Break | ast.Continue)
            for part in node.finalbody
            for each in ast.walk(part)
        ):
            yield node
