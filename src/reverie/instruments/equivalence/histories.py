"""Several calls that share an object or a module: what a call leaves behind shows in later ones."""

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.errors import UsageError
from reverie.inputs import calls_for
from reverie.instruments.equivalence.facts import Facts
from reverie.instruments.equivalence.neighbours import kind_of
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.instruments.equivalence.shapes import shape_in
from reverie.model.call import Call, combine

_COMPANION_CALLS = 12
_PER_CALL = 5
_MOST_SHOWN = 6
_TUNED = 0.8
_LONG = 0.15
_LENGTHS = (4, 8, 20)


class Histories:
    """Makes scenarios in which other public functions are called before and after the callable."""

    def __init__(self, facts: Facts, chance: random.Random) -> None:
        self.chance = chance
        self.entry = facts.old.qualname
        self.makes_objects = isinstance(facts.old.node, ast.ClassDef)
        self.companions = {
            name: calls for name in facts.companions if (calls := _calls(facts, name))
        }

    def of(self, call: Call) -> Iterator[Scenario]:
        """A few histories around a call; none when nothing can show what it leaves."""
        if self.companions:
            for _ in range(_PER_CALL):
                yield self.around(call)

    def around(self, call: Call, others: Sequence[Call] = ()) -> Scenario:
        """Companions, the call, perhaps another call, and then whatever can show the outcome."""
        names = list(self.companions)
        steps = [self._companion(name, call) for name in self._some(names, (0, 0, 1, 1, 2, 3))]
        if not self.makes_objects:
            steps += self._repeated(call, others)
            if self.chance.random() < 0.5:
                steps.append(Step(self.chance.choice(others or (call,))))
            steps += [self._companion(name, call) for name in self._some(names, (0, 0, 1))]
            steps += [Step(call)] if self.chance.random() < 0.3 else []
        shown = self.chance.sample(names, min(_MOST_SHOWN, len(names)))
        steps += [self._companion(name, call) for name in shown]
        return Scenario(tuple(self._on_one_object(steps, call)))

    def _repeated(self, call: Call, others: Sequence[Call]) -> list[Step]:
        """The call; now and then many of its kind, until something that is limited is full."""
        if self.chance.random() >= _LONG:
            return [Step(call)]
        often = self.chance.choice(_LENGTHS)
        return [Step(self.chance.choice((call, *others[:often]))) for _ in range(often)]

    def _some(self, names: list[str], counts: tuple[int, ...]) -> list[str]:
        return self.chance.choices(names, k=self.chance.choice(counts))

    def _companion(self, name: str, call: Call) -> Step:
        """A companion, often with an argument of the call where one of its own has that form."""
        made = self.chance.choice(self.companions[name])
        args = list(made.args)
        for place, argument in enumerate(args):
            alike = [each for each in call.args if kind_of(each.source) == kind_of(argument.source)]
            if alike and self.chance.random() < _TUNED:
                args[place] = self.chance.choice(alike)
                break
        return Step(replace(made, args=tuple(args)), callee=name)

    def _on_one_object(self, steps: list[Step], call: Call) -> Iterator[Step]:
        """All methods on the object that the call is about."""
        receiver = call.receiver
        if self.makes_objects:
            receiver = combine(call.render(self.entry), call.expressions())
            receiver = replace(receiver, names=receiver.names | {self.entry})
        is_met = False
        for step in steps:
            if receiver is None or step.call.receiver is None:
                yield step
                continue
            yield replace(step, call=replace(step.call, receiver=receiver), is_shared=is_met)
            is_met = True


def _calls(facts: Facts, name: str) -> tuple[Call, ...]:
    try:
        return calls_for(shape_in(facts.old, name), seed=7, count=_COMPANION_CALLS)
    except UsageError:
        return ()  # it is made in a way that the source does not show
