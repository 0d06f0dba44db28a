"""A scenario: one call, or several in one process, performed alike on both versions."""

from dataclasses import dataclass, field, replace
from typing import Any

from reverie.model.call import Call
from reverie.model.equivalence import Observation


@dataclass(frozen=True, slots=True)
class Step:
    """One call of a scenario."""

    call: Call
    callee: str | None = None
    """Another function of the module; None is the callable that is compared."""
    aliased: tuple[int, int] | None = None
    """Positions of two arguments that are one object."""
    is_retyped: bool = False
    """A list was made an iterator to see what happens; what is left in it says nothing."""
    is_large: bool = False
    """Far longer or deeper than usual; its neighbours would cost more than they show."""
    is_partial: bool = False
    """A question fails on some values; only that the old version got by without asking counts."""
    is_raising: bool = False
    """Every question raises, and says so; only what becomes of the error counts."""
    is_late: bool = False
    """Arguments change after the call, before an iterator that it returned is drawn from."""
    is_brief: bool = False
    """Of an iterator that is returned one item is drawn; then it is closed."""
    is_shared: bool = False
    """On the object that the scenario's first step was called on, as that one left it."""
    zone: str = ""
    """The time zone of the machine; of a scenario, the first step's counts."""

    def document(self, recorded: tuple[tuple[int, str], ...]) -> dict[str, Any]:
        """As the program inside reads it."""
        call = self.call
        return {
            "preamble": call.preamble,
            "args": [each.source for each in call.args],
            "kwargs": [[name, value.source] for name, value in call.kwargs],
            "receiver": None if call.receiver is None else call.receiver.source,
            "is_property": call.is_property,
            "callee": self.callee,
            "aliased": self.aliased,
            "is_shared": self.is_shared,
            "zone": self.zone,
            "is_late": self.is_late,
            "is_brief": self.is_brief,
            "is_retyped": self.is_retyped,
            "recorded": [list(each) for each in recorded] if self.callee is None else [],
        }


@dataclass(frozen=True, slots=True)
class Scenario:
    """Steps performed one after the other in one process."""

    steps: tuple[Step, ...]

    @classmethod
    def of(cls, *calls: Call) -> "Scenario":
        """Plain calls of the callable, one after the other."""
        return cls(tuple(Step(call) for call in calls))

    @property
    def objects(self) -> frozenset[str]:
        """Names of the module's own that its arguments are made of."""
        given = (
            each
            for step in self.steps
            for each in (*step.call.args, *(value for _, value in step.call.kwargs))
        )
        return frozenset(name for each in given for name in each.names)

    @property
    def call(self) -> Call:
        """The call that the scenario is about: its last one."""
        return self.steps[-1].call

    def with_call(self, number: int, call: Call) -> "Scenario":
        """The same scenario with another call at one step."""
        steps = list(self.steps)
        steps[number] = replace(steps[number], call=call)
        return Scenario(tuple(steps))


@dataclass(frozen=True, slots=True)
class Trace:
    """What one version did in a scenario."""

    steps: tuple[Observation, ...]
    taken: frozenset[int] = frozenset()
    operands: tuple[tuple[str, str], ...] = field(default=())
    """Pairs of plain values that it compared, as source."""
