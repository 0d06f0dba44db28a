"""Which input comes next: made anew, changed, crossed, or solved for a way not taken."""

import random
from typing import Any

from reverie.dreamers.enrich.search.inside.nodes import Line, Node, form
from reverie.dreamers.enrich.search.inside.solving import Solver

from .board import Group
from .drawing import Drawer
from .values import sorted_display


class Proposer:
    """Proposes inputs for a group of laws."""

    def __init__(
        self,
        drawer: Drawer,
        solver: Solver,
        parameters: "dict[tuple[str, str], Any]",
        chance: random.Random,
    ) -> None:
        self.drawer = drawer
        self.solver = solver
        self.parameters = parameters
        self.chance = chance
        self.is_fresh = True
        """Whether the last input was made anew."""

    def propose(self, group: Group) -> "list[Node]":
        """The next input: solved for, crossed, changed or new."""
        draw = self.chance.random()
        self.is_fresh = False
        if group.near and draw < 0.2:
            args = self._solved(*self.chance.choice(group.near))
        elif group.accepted and draw < 0.4:
            args = self._crossed(group)
        elif group.corpus and draw < 0.6:
            args = list(self.chance.choice(group.corpus))
            for _ in range(self.chance.choice((1, 1, 2))):
                at = self.chance.randrange(len(args))
                args[at] = self.drawer.changed(args[at])
        else:
            self.is_fresh = True
            args = self._fresh(group)
        return [
            sorted_display(each) if f"{variable[1]}:{variable[2]}" in self.drawer.ordered else each
            for variable, each in zip(group.variables, args)  # noqa: B905  as many
        ]

    def _crossed(self, group: Group) -> "list[Node]":
        """Arguments of inputs that were not refused, put together anew; one of them changed."""
        args = [self.chance.choice(group.accepted)[place] for place in range(len(group.variables))]
        at = self.chance.randrange(len(args))
        if self.chance.random() < 0.3 and len(args) > 1:
            other = self.chance.randrange(len(args))
            if self._hint(group, at) == self._hint(group, other):
                args[at] = args[other]
        if self.chance.random() < 0.7:
            args[at] = self.drawer.changed(args[at])
        return args

    def _hint(self, group: Group, place: int) -> Any:
        _, owner, parameter = group.variables[place]
        return self.parameters[owner, parameter].hint

    def _solved(self, args: "list[Node]", pair: Any, wanted: bool) -> "list[Node]":
        call = form("f(" + ", ".join("·" for _ in args) + ")", *args)
        lines = self.solver.solve([Line(call, "call", None, 0)], pair, wanted=wanted)
        return list(lines[0].node.items)

    def _fresh(self, group: Group) -> "list[Node]":
        made: list[Node] = []
        for _, owner, parameter in group.variables:
            made.append(self.drawer.argument(owner, self.parameters[owner, parameter], made))
        return made
