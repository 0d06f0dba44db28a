"""What production code must keep: errors that were seen, examples in docstrings, and its clarity.

Examples are tests wherever somebody runs them.
"""

import ast
import doctest
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.rewritten_files import rewritten_files
from reverie.gates.quality import decisions_of, nesting_of
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling
from reverie.syntax.nodes import dotted

_BROAD = frozenset({"Exception", "BaseException", "builtins.Exception", "builtins.BaseException"})


@dataclass(frozen=True, slots=True)
class ErrorsGate:
    """Refuses a handler that catches everything, and errors that are thrown away."""

    name: str = "errors"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """One ruling for each new place that does."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        return ruled(
            self.name, self._objections(matter), "it catches no errors that it did not catch before"
        )

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
        said = "examples in docstrings are as they were"
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


@dataclass(frozen=True, slots=True)
class ComplexityGate:
    """Refuses a refactoring that is harder to follow; an optimisation may add a few decisions.

    What it gains pays for more of them, one for each time that it doubles the speed. Beyond that it
    is held, not refused: whether the gain is worth it is for a person, who sees both figures.
    There are two ways to count, and honest work moves points between them: a branch becomes part
    of a condition, a loop goes round what was written out twice. More by both is more.
    """

    name: str = "complexity"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Decisions in all changed files together, before and after, plain and by nesting."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        before = after = deep_before = deep_after = 0
        for file in rewritten_files(matter):
            before += decisions_of(file.before.tree)
            after += decisions_of(file.after.tree)
            deep_before += nesting_of(file.before.tree)
            deep_after += nesting_of(file.after.tree)
        is_c = matter.stage is Stage.C
        more = matter.section.added_decisions + _paid_for(matter) if is_c else 0
        found = []
        if after > before + more and deep_after > deep_before + more:
            said = "there are more decisions to follow than before"
            if is_c:
                said += ": a person has to find the gain worth it"
            answer = Answer.HOLD if is_c else Answer.FAIL
            found.append(Ruling(self.name, answer, "complexity_up", said, after, before + more))
        return ruled(self.name, found, f"decisions: {before} before, {after} after")


def _paid_for(matter: Matter) -> int:
    """Decisions for the speed that was measured, by the callable that gains most at the least."""
    gain = matter.measured("speed.p50")
    return int(math.log2(gain)) if gain is not None and gain > 1 else 0
