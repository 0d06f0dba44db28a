"""The trial of a function that was declared and is written now: its tests, then its examples.

    evidence = try_filling(trees, sandbox, plan)

What the code under test answers to an example is a text, and compared here.
"""

import ast
import doctest
from collections.abc import Iterator
from typing import ClassVar

from reverie.gates.filling import filled_stubs
from reverie.gates.paths import is_test_path
from reverie.gates.python import parse
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.execution import Call
from reverie.model.ruling import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.syntax.nodes import Function
from reverie.syntax.parsing import parse_expression
from reverie.trials.integration import ImportingTrial, ask_alone, import_name, read_tree
from reverie.trials.mutants import Lines, MutantsCompared, judge_mutants, unnoticed
from reverie.trials.plan import Trees, TrialPlan
from reverie.trials.suites import MeasuredTree

_PROGRAM = """import importlib


def answers(name, sources):
    names = vars(importlib.import_module(name))
    return [_answer(source, dict(names)) for source in sources]


def _answer(source, names):
    try:
        return repr(eval(source, names))
    except Exception as error:
        return f"{type(error).__name__}: {error}"
"""


def try_filling(trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything that a written stub has to show, measured on both trees."""
    return _FillingTrial(trees, sandbox, plan).run()


class _FillingTrial(ImportingTrial):
    """The trial of the tests, and the examples that said what is wanted."""

    stage: ClassVar[Stage] = Stage.STUBS

    def note_more(self) -> None:
        """Each example of each function, run in a process that has imported nothing else."""
        tried, broken, mended = 0, [], 0
        modules = read_tree(self.trees.head).graph.modules
        for edit, functions in self._filled():
            shown = [each for function in functions for each in _examples(function)]
            name = import_name(modules[edit.path])
            params = {"name": name, "sources": [source for source, _ in shown]}
            call = Call(_PROGRAM, "answers", params)
            seen = ask_alone(
                self.sandbox, self.trees.head, modules[edit.path], call, self.plan.python
            )
            told = seen.output if seen.succeeded and isinstance(seen.output, list) else []
            tried += len(shown)
            wrong = [
                f"{edit.path}: {source}"
                for number, (source, wanted) in enumerate(shown)
                if number >= len(told) or not _is_same(str(told[number]), wanted)
            ]
            broken += wrong
            mended += sum(not wrong and _is_shown(each) for each in functions)
        self.found.note("stubs.examples", tried)
        self.found.note("findings.removed", mended)  # their docs said what no call of them did
        self.found.note_names("stubs.broken_examples", broken)
        self.note_effects()

    def _compared(
        self, base: MeasuredTree, head: MeasuredTree, lines: Lines, doubted: list[str]
    ) -> MutantsCompared:
        """The mutants of what is written now: nothing noticed them, for they were not there."""
        own = {
            edit.path: frozenset(
                line
                for each in functions
                for line in range(each.lineno, (each.end_lineno or each.lineno) + 1)
            )
            for edit, functions in self._filled()
        }
        there = {path: found & own[path] for path, found in lines.items() if path in own}
        after = judge_mutants(head, self.sandbox, self.plan, there, doubted=doubted)
        return MutantsCompared(unnoticed(after), after)

    def _filled(self) -> Iterator[tuple[FileEdit, tuple[Function, ...]]]:
        for edit in self.trees.change.edits:
            if is_test_path(edit.path, self.plan.section):
                continue
            before, after = (parse(edit.path, text or "") for text in (edit.before, edit.after))
            if before is not None and after is not None:
                yield edit, filled_stubs(before.tree, after.tree) or ()


def _is_shown(function: Function) -> bool:
    return next(_examples(function), None) is not None


def _examples(function: Function) -> Iterator[tuple[str, str]]:
    """The calls that its docs show, with their results."""
    said = ast.get_docstring(function) or ""
    for each in doctest.DocTestParser().get_examples(said):
        yield each.source.strip(), each.want.strip()


def _is_same(answer: str, wanted: str) -> bool:
    """Whether an answer reads as what was shown, or is the same value written otherwise."""
    if answer == wanted:
        return True
    try:
        told, shown = (ast.literal_eval(parse_expression(each)) for each in (answer, wanted))
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return False
    return type(told) is type(shown) and bool(told == shown)
