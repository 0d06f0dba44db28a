"""In how many other repositories a dream would work: tried beside what they have for it."""

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.dreamers.procedures.procedure import Procedure, parsed
from reverie.dreamers.procedures.slicing import Slice
from reverie.dreamers.procedures.synthesis import partners
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.procedure import DreamProcedure
from reverie.sandbox.engine import Sandbox
from reverie.trials.procedures import ProcedureTrials

_CALLS = 12
_MOST_PARTNERS = 2
"""Of one repository."""
_LEAST_ALIKE = 0.5
_CALL_SECONDS = 2.0
_Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Counterparts:
    """Procedures of other repositories that dreams are tried beside."""

    sandbox: Sandbox
    others: Sequence[Procedure]

    def counted(self, dreams: Sequence[DreamProcedure]) -> list[DreamProcedure]:
        """The dreams with the number of other repositories that they work in."""
        trials = ProcedureTrials(Behaviours(self.sandbox, _CALL_SECONDS), _CALLS)
        return [replace(each, cross_project_matches=self._count(each, trials)) for each in dreams]

    def _count(self, dream: DreamProcedure, trials: ProcedureTrials) -> int:
        fitting = self._fitting(dream)
        repositories = dict.fromkeys(each.repository for each in fitting)
        return sum(
            any(
                _works(dream, other, trials)
                for other in [each for each in fitting if each.repository == place][:_MOST_PARTNERS]
            )
            for place in repositories
        )

    def _fitting(self, dream: DreamProcedure) -> list[Procedure]:
        base = dream.base_code or dream.code
        functions = [
            each
            for each in parsed(base).body
            if isinstance(each, _Function) and each.name == dream.entry
        ]
        if not functions:
            return []
        own = Slice("", ast.unparse(functions[-1]) + "\n")
        return partners(Procedure("", dream.entry, own, (), dream.repository), self.others)


def _works(dream: DreamProcedure, other: Procedure, trials: ProcedureTrials) -> bool:
    """Whether it passes the trial beside a counterpart, and comes to the same half of the time."""
    roots = tuple(dict.fromkeys((*dream.import_roots, *other.import_roots)))
    beside = replace(dream, base_code=_named(other, dream.entry), import_roots=roots)
    test = trials.try_dream(beside).test
    return test.passed and test.inputs > 0 and test.same >= _LEAST_ALIKE * test.inputs


def _named(other: Procedure, name: str) -> str:
    tree = parsed(other.code)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == other.name:
            node.id = name
        elif isinstance(node, _Function) and node.name == other.name:
            node.name = name
    return ast.unparse(tree) + "\n"
