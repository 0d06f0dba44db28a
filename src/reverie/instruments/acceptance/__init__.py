"""Which calls a function accepts: made from its source, tried in the sandbox, kept if they fit.

    with Sandbox() as sandbox:
        found = accepted_calls(sandbox, shape, "package.module", policy=policy, count=5)

Accepted means: the arguments can be made, and the call does not raise `TypeError`. Any other error
is an answer of the function. What was accepted teaches the next round: a receiver or an argument
that worked once is used again in the place of one that never did.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from reverie.inputs import CallableShape, Literals, draw_call
from reverie.inputs.calls import calls_for
from reverie.inputs.dice import Dice
from reverie.inputs.neighbours import with_expression
from reverie.inputs.values.plain import Tactic
from reverie.model.call import Call, Expression
from reverie.model.execution import Execution, Limits, Policy
from reverie.model.outcome import TestOutcome
from reverie.sandbox.bundle import source_of
from reverie.sandbox.engine import Sandbox

_ROUNDS = 7
_PER_ROUND = 12
_TACTICS = tuple(Tactic)
_REUSED = 0.8
_WALL_SECONDS = 10.0
_RECEIVER = "the receiver"


@dataclass(frozen=True, slots=True)
class Attempt:
    """One call and what became of it."""

    call: Call
    is_made: bool
    error: str | None
    message: str = ""

    @property
    def is_accepted(self) -> bool:
        """Whether the function took it."""
        return self.is_made and self.error != "TypeError"


@dataclass(slots=True)
class Acceptance:
    """All attempts, in order; the first ones are as they were made, without having learned."""

    attempts: list[Attempt] = field(default_factory=list)

    @property
    def calls(self) -> list[Call]:
        """The accepted ones, each once."""
        return list(dict.fromkeys(each.call for each in self.attempts if each.is_accepted))

    def known(self) -> dict[str, list[Expression]]:
        """What worked, by its place in a call."""
        found: dict[str, list[Expression]] = {}
        for call in self.calls:
            for place, each in zip(_places(call), call.expressions(), strict=True):
                found.setdefault(place, []).append(each)
        return found


def accepted_calls(
    sandbox: Sandbox,
    shape: CallableShape,
    module: str,
    *,
    policy: Policy | None = None,
    count: int = 5,
    seed: int | str = 42,
) -> Acceptance:
    """Try calls until `count` different ones are accepted, or `_ROUNDS` rounds are over."""
    acceptance = Acceptance()
    hints = Literals.from_nodes([shape.node])
    candidates = calls_for(shape, seed=seed, count=count)
    wanted = len(candidates)  # a flag has two values, however many are asked for
    for turn in range(1, _ROUNDS + 1):
        acceptance.attempts += _attempt(sandbox, shape, module, candidates, policy)
        if len(acceptance.calls) >= wanted:
            break
        dice = Dice(f"{seed}:{shape.qualname}:round {turn}")
        drawn = (
            draw_call(
                shape,
                turn * _PER_ROUND + index,
                seed=seed,
                hints=hints,
                tactic=_TACTICS[index % len(_TACTICS)],
            )
            for index in range(_PER_ROUND)
        )
        candidates = tuple(_taught(each, acceptance, dice) for each in drawn)
    return acceptance


def _taught(call: Call, acceptance: Acceptance, dice: Dice) -> Call:
    """The call with parts that have worked elsewhere, but for one argument of its own."""
    known = acceptance.known()
    places = _places(call)
    own = dice.pick(places) if places else ""
    for index, place in enumerate(places):
        is_kept = place == own and place != _RECEIVER
        if place in known and not is_kept and dice.chance(_REUSED):
            call = with_expression(call, index, dice.pick(known[place]))
    return call


def _places(call: Call) -> list[str]:
    """The places of a call's expressions: the receiver, positions, names."""
    receiver = [] if call.receiver is None else [_RECEIVER]
    return [*receiver, *(str(i) for i in range(len(call.args))), *(name for name, _ in call.kwargs)]


def _attempt(
    sandbox: Sandbox,
    shape: CallableShape,
    module: str,
    calls: Sequence[Call],
    policy: Policy | None,
) -> list[Attempt]:
    code = source_of("reverie.instruments.acceptance.inside")
    inputs = [_request(call, shape, module) for call in calls]
    limits = Limits(wall_seconds=_WALL_SECONDS)
    done = sandbox.execute_many(code, "perform", inputs, limits=limits, policy=policy)
    return [_seen(call, each) for call, each in zip(calls, done, strict=True)]


def _request(call: Call, shape: CallableShape, module: str) -> dict[str, Any]:
    document = {
        "preamble": call.preamble,
        "names": sorted(call.names),
        "receiver": call.receiver.source if call.receiver else None,
        "arguments": call.arguments,
        "is_property": call.is_property,
    }
    return {
        "module": module,
        "qualname": shape.qualname,
        "call": document,
        "is_async": shape.is_async,
    }


def _seen(call: Call, execution: Execution) -> Attempt:
    """A time-out came after the arguments were made; what else ended it says nothing of them."""
    answer = execution.output
    if execution.succeeded and isinstance(answer, dict):
        error, message = answer.get("error"), str(answer.get("message", ""))
        return Attempt(call, answer.get("unmade") is False, error, message)
    told = execution.error.message if execution.error is not None else ""
    return Attempt(call, execution.outcome is TestOutcome.TIMEOUT, execution.outcome.value, told)
