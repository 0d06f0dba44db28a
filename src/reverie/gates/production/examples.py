"""Are the examples in docstrings still there? They are tests wherever somebody runs them."""

import ast
import doctest
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.reading import rewritten_files
from reverie.model.ruling import Answer, Ruling

_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
_SHOWN = 100


@dataclass(frozen=True, slots=True)
class ExamplesGate:
    """Holds a change of production code that takes out or rewrites an example with its result."""

    name: str = "examples"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each file that loses some."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        said = "every example in a docstring says what it said"
        return ruled(self.name, self._objections(matter), said)

    def _objections(self, matter: Matter) -> Iterator[Ruling]:
        for file in rewritten_files(matter):
            lost = _examples(file.before.tree) - _examples(file.after.tree)
            if lost:
                said = f"an example is gone or says something else: {next(iter(lost))[:_SHOWN]}"
                place = file.after.path
                yield Ruling(self.name, Answer.HOLD, "example_changed", said, place)


def _examples(tree: ast.Module) -> Counter[str]:
    """What is asked and what is promised; layout and words around them make no difference."""
    found: Counter[str] = Counter()
    for node in ast.walk(tree):
        words = ast.get_docstring(node) if isinstance(node, _DOCUMENTED) else None
        if words and ">>>" in words:
            found.update(_read(words))
    return found


def _read(words: str) -> Iterator[str]:
    try:
        for example in doctest.DocTestParser().get_examples(words):
            yield f"{example.source.strip()} -> {example.want.strip()}"
    except ValueError:  # no doctest, only something like it
        yield words
