"""Scenarios, their traces, and the first difference between what two versions did.

A scenario is one call, or several in one process, performed alike on both versions. Comparing is
pure: texts in, a difference out. `Shown` is what calls made elsewhere have shown already, as a
search takes it for its own.
"""

import re
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.model.call import Call
from reverie.model.measurements.equivalence import DifferenceKind, Observation


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


_QUICK_SHARE = 0.2
"""The old version has ended well within the time limit that the new one does not keep."""

CHANNELS = (
    (DifferenceKind.VALUE, "value"),
    (DifferenceKind.ARGUMENTS, "arguments"),
    (DifferenceKind.STDOUT, "stdout"),
    (DifferenceKind.STDERR, "stderr"),
    (DifferenceKind.EFFECTS, "effects"),
    (DifferenceKind.FILES, "files"),
    (DifferenceKind.GLOBALS, "globals"),
    (DifferenceKind.ALIASING, "aliases"),
)
_ENDED = ("returned", "raised")
_AT_ONCE_SHARE = 0.05
"""So quick, within the time limit, that little memory can have been filled."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where two traces part."""

    kind: DifferenceKind
    step: int
    old: Observation
    new: Observation
    failed: tuple[int, ...] = ()
    """Steps before it that raised, in both."""


@dataclass(frozen=True, slots=True)
class Lens:
    """What counts as a difference between these two versions."""

    excuses_misfits: bool = True
    """Arguments that the old version chokes on by their shape are outside of its contract."""
    ignored: frozenset[DifferenceKind] = frozenset()
    """Kinds in which the old version differs from itself."""
    step_seconds: float = 1.0


def first_difference(old: Trace, new: Trace, lens: Lens) -> Difference | None:
    """The first step at which the versions part, if they do so within the old one's contract."""
    for number, (before, after) in enumerate(zip(old.steps, new.steps, strict=False)):
        if not is_conclusive(before, after, lens):
            return None
        kind = _kind(before, after, lens)
        if kind is not None:
            failed = (n for n, step in enumerate(old.steps[:number]) if step.outcome == "raised")
            return Difference(kind, number, before, after, tuple(failed))
        if "timeout" in (before.outcome, after.outcome):
            return None
    return None


def is_conclusive(old: Observation, new: Observation, lens: Lens) -> bool:
    """Whether a difference here would say anything about the versions."""
    if "unmade" in (old.outcome, new.outcome) or _is_out_of_memory(old) or _is_too_deep(old):
        return False
    if lens.excuses_misfits and old.is_misfit:
        return False
    return not _is_out_of_memory(new) or _ended_at_once(old, lens)


def _is_out_of_memory(seen: Observation) -> bool:
    is_refused = seen.outcome == "raised" and seen.value == "MemoryError"
    return is_refused or seen.outcome == "lost"


def _is_too_deep(seen: Observation) -> bool:
    """Whether the stack came to its end: how deep it is, is nobody's promise."""
    is_at_end = seen.outcome == "raised" and seen.value == "RecursionError"
    return is_at_end and not seen.is_deliberate


def _ended_at_once(seen: Observation, lens: Lens) -> bool:
    return seen.outcome in _ENDED and seen.seconds <= _AT_ONCE_SHARE * lens.step_seconds


def _kind(old: Observation, new: Observation, lens: Lens) -> DifferenceKind | None:
    found = _outcome_kind(old, new, lens)
    if found is None and old.outcome in _ENDED and old.outcome == new.outcome:
        found = next(
            (
                kind
                for kind, channel in CHANNELS
                if kind not in lens.ignored and getattr(old, channel) != getattr(new, channel)
            ),
            None,
        )
    return None if found in lens.ignored else found


def _outcome_kind(old: Observation, new: Observation, lens: Lens) -> DifferenceKind | None:
    if _is_out_of_memory(new):
        return DifferenceKind.MEMORY
    if "timeout" in (old.outcome, new.outcome):
        if old.outcome == "timeout":
            return None  # it is slow, or it hangs; a new version that ends may well be better
        has_ended = old.seconds <= _QUICK_SHARE * lens.step_seconds
        return DifferenceKind.TERMINATION if has_ended else None
    if old.outcome != new.outcome:
        return DifferenceKind.EXCEPTION
    if old.outcome == "raised" and old.value != new.value:
        return DifferenceKind.EXCEPTION
    return None


_EQUALS = {"True": "1", "1.0": "1", "False": "0", "0.0": "0"}
_TEXT = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\""
_TOLD = re.compile(rf"{_TEXT}|(?<![\w.-])(?:True|False|[01](?:\.0)?)(?![\w.])")


def is_which_of_equals(found: Difference) -> bool:
    """Whether they part only in which of several equal numbers of their arguments was taken.

    Sets and keys keep the first of `True`, `1` and `1.0`, a search may find another: who has them
    in what is handed over has said that they are the same. Given by themselves, they are not.
    """
    if found.kind is DifferenceKind.VALUE:
        pairs = [(found.old.value, found.new.value)]
    elif found.kind is DifferenceKind.ARGUMENTS:
        pairs = list(zip(found.old.arguments, found.new.arguments, strict=False))
    else:
        return False
    held = [each for each in found.old.arguments if _TOLD.fullmatch(each) is None]
    given = {number for each in held for number in _numbers(each)}
    parting = [each for pair in pairs for each in zip(*map(_numbers, pair), strict=False)]
    is_given = all(one == other or {one, other} <= given for one, other in parting)
    return is_given and all(_levelled(old) == _levelled(new) for old, new in pairs)


def _numbers(text: str) -> list[str]:
    """The numbers of a canonical text that are equal to others of another type."""
    return [each for each in _TOLD.findall(text) if each[0] not in "'\""]


def _levelled(text: str) -> str:
    """A canonical text in which equal numbers read the same; texts within it stay."""
    return _TOLD.sub(lambda found: _EQUALS.get(found[0], found[0]), text)


Sides = tuple[frozenset[str], frozenset[str]]
"""Names of mutants, of old and of new."""


@dataclass(frozen=True, slots=True)
class Shown:
    """Calls on which both versions did the same: which ways they went, what they would notice."""

    inputs: int = 0
    taken: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    """Ways of branches, numbered as the probes of the whole module number them."""
    noticed: Sides = (frozenset(), frozenset())
    idle: Sides = (frozenset(), frozenset())
    """They made a difference to their own statement again and again, and to nothing else."""


NOTHING = Shown()
