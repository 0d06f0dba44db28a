"""Which of several methods of one name ran: a test is named after that one."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace

from reverie.model.call import Scenario, Step
from reverie.syntax.nodes import Function


@dataclass(frozen=True, slots=True)
class Attribution:
    """The methods of a module whose name several of its classes have, by qualified name."""

    bodies: Mapping[str, range]
    """Their lines."""

    def of(self, scenario: Scenario) -> Scenario:
        """The same with every step said to be about the method that its steps show to have run."""
        lines = {line for arc in scenario.arcs for line in arc}
        steps = tuple(replace(each, callee=self._callee(each, lines)) for each in scenario.steps)
        return scenario if steps == scenario.steps else replace(scenario, steps=steps)

    def _callee(self, step: Step, lines: set[int]) -> str | None:
        told = step.callee
        if told is None or told not in self.bodies or lines & set(self.bodies[told]):
            return told
        name = told.rpartition(".")[2]
        ran = [
            other
            for other, body in self.bodies.items()
            if other.rpartition(".")[2] == name and lines & set(body)
        ]
        return ran[0] if len(ran) == 1 else told


def attribution_of(tree: ast.Module) -> Attribution:
    """Of a module."""
    bodies: dict[str, range] = {}
    for node in (each for each in tree.body if isinstance(each, ast.ClassDef)):
        for each in node.body:
            if isinstance(each, Function):
                first, last = each.body[0].lineno, each.end_lineno or each.lineno
                bodies[f"{node.name}.{each.name}"] = range(first, last + 1)
    names = [each.rpartition(".")[2] for each in bodies]
    return Attribution(
        {name: body for name, body in bodies.items() if names.count(name.rpartition(".")[2]) > 1}
    )
