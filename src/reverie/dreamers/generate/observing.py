"""What a function does on probes, watched in the sandbox: results, errors, laws."""

from dataclasses import dataclass
from typing import Any

from reverie.dreamers.generate.laws import LAWS, Law
from reverie.dreamers.generate.program import ask
from reverie.sandbox.engine import Sandbox

_SECONDS = 15.0


@dataclass(frozen=True, slots=True)
class Seen:
    """One call: its result and the type of that, or the error that it raised."""

    args: tuple[Any, ...]
    result: Any = None
    type: str | None = None
    raises: str | None = None
    spares: bool = True
    """Whether it left its arguments as they were."""


@dataclass(frozen=True, slots=True)
class Observed:
    """All calls that gave something to hold on to, and the laws that their results keep."""

    seen: tuple[Seen, ...] = ()
    laws: tuple[Law, ...] = ()

    @property
    def results(self) -> tuple[Seen, ...]:
        """The calls that returned."""
        return tuple(each for each in self.seen if each.raises is None)


def observe(sandbox: Sandbox, source: str, name: str, calls: list[list[Any]]) -> Observed:
    """A function watched on calls; nothing when it cannot even be loaded."""
    laws = [each for each in LAWS if calls and each.arity == len(calls[0])]
    params = {
        "source": source,
        "name": name,
        "calls": calls,
        "laws": [[each.holds, each.tells] for each in laws],
    }
    execution = ask(sandbox, "_observe", params, _SECONDS)
    if not execution.succeeded:
        return Observed()
    outcomes = zip(calls, execution.output["outcomes"], strict=True)
    return Observed(
        tuple(Seen(tuple(args), **each) for args, each in outcomes if each is not None),
        tuple(laws[number] for number in execution.output["laws"]),
    )
