"""Is the code harder to follow than before?"""

import ast
from dataclasses import dataclass

from reverie.gates.gate import Matter, nothing_to_judge, ruled
from reverie.gates.production.reading import rewritten_files
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling

_ONE = (ast.If, ast.For, ast.AsyncFor, ast.While, ast.IfExp, ast.ExceptHandler, ast.Assert)


@dataclass(frozen=True, slots=True)
class ComplexityGate:
    """Refuses a refactoring that adds decisions; an optimisation may add a few."""

    name: str = "complexity"

    def judge(self, matter: Matter) -> tuple[Ruling, ...]:
        """Decisions in all changed files together, before and after."""
        if not matter.change.edits:
            return nothing_to_judge(self.name)
        before = after = 0
        for file in rewritten_files(matter):
            before += decisions(file.before.tree)
            after += decisions(file.after.tree)
        most = before + (matter.section.added_decisions if matter.stage is Stage.C else 0)
        found = []
        if after > most:
            said = "there are more decisions to follow than before"
            found.append(Ruling(self.name, Answer.FAIL, "complexity_up", said, after, most))
        return ruled(self.name, found, f"{before} decisions before, {after} after")


def decisions(tree: ast.AST) -> int:
    """How often the way through a piece of code parts: cyclomatic complexity without its one."""
    total = 0
    for node in ast.walk(tree):
        if isinstance(node, _ONE):
            total += 1
        elif isinstance(node, ast.BoolOp):
            total += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            total += 1 + len(node.ifs)
        elif isinstance(node, ast.match_case):
            total += 1
    return total
