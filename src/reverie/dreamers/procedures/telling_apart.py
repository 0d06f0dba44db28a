"""Which variants do something else than their base and their siblings: seen in the sandbox.

A variant counts when on some call it returns something else, raises something else, or comes to
the same everywhere with clearly fewer steps, and does so again when it is looked at again. A call
on which the base does not do the same twice tells nothing, nor does one that a limit cuts off.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from reverie.dreamers.procedures.procedure import Procedure
from reverie.instruments.behaviour.instrument import Behaviours
from reverie.model.behaviour import Seen, Subject
from reverie.model.call import Call
from reverie.scoring.comparison import compare

_CHEAPER = 0.9
_QUICKER = 0.75
_LEAST_WAIT_SECONDS = 0.05

Profile = tuple[tuple[str, ...], ...]


class Fate(StrEnum):
    """What became of a variant."""

    KEPT = "kept"
    SAME = "same_as_base"
    TWIN = "same_as_sibling"
    BROKEN = "never_returns"
    HANGS = "cut_off"
    WAVERS = "not_the_same_twice"


@dataclass(frozen=True, slots=True)
class Finding:
    """A variant's fate, and the call that shows the difference."""

    fate: Fate
    is_sound: bool = False
    """Whether it returned on every usual call that its base returned on."""
    witness: Call | None = None
    base_did: str = ""
    it_did: str = ""
    is_cheaper: bool = False
    agreement: float = 1.0
    """The share of the base's results that are also its own."""


@dataclass(slots=True)
class Lineup:
    """One base with its calls; variants come before it one after another."""

    behaviours: Behaviours
    calls: Sequence[Call]
    base: tuple[Seen, ...]
    base_again: tuple[Seen, ...]
    steady: tuple[int, ...]
    """Calls on which the base does the same every time."""
    known: set[tuple[Profile, bool]] = field(default_factory=set)

    @classmethod
    def of(cls, behaviours: Behaviours, procedure: Procedure, calls: Sequence[Call]) -> "Lineup":
        """Look at the base, twice."""
        first, again = (behaviours.look(procedure.subject, calls) for _ in range(2))
        steady = tuple(
            place
            for place, (one, other) in enumerate(zip(first, again, strict=True))
            if one.is_conclusive and other.is_conclusive and one.behaviour == other.behaviour
        )
        return cls(behaviours, calls, first, again, steady)

    @property
    def is_telling(self) -> bool:
        """Whether the base returns on any call that counts."""
        return any(self.base[place].succeeded for place in self.steady)

    def meet(self, subjects: Sequence[Subject]) -> None:
        """Remember what earlier variants do, so that they are not imagined again."""
        for seen in self.behaviours.look_at_all(subjects, [self.calls] * len(subjects)):
            self.known.add((self._profile(seen), self._is_cheaper(seen)))

    def judge(self, subjects: Sequence[Subject]) -> list[Finding]:
        """The fate of each variant, in order; a kept one is a sibling of those after it."""
        looked = self.behaviours.look_at_all(subjects, [self.calls] * len(subjects))
        return [self._judge(*each) for each in zip(subjects, looked, strict=True)]

    def _judge(self, subject: Subject, seen: tuple[Seen, ...]) -> Finding:
        counted = [(self.base[place], seen[place]) for place in self.steady]
        if any(not mine.is_conclusive for _, mine in counted):
            return Finding(Fate.HANGS)
        is_sound = compare(*map(list, zip(*counted, strict=True))).less_robust == 0
        if not any(mine.succeeded for _, mine in counted):
            return Finding(Fate.BROKEN)
        profile, is_cheaper = self._profile(seen), self._is_cheaper(seen)
        differing = [
            place for place in self.steady if self.base[place].behaviour != seen[place].behaviour
        ]
        if not differing and not is_cheaper:
            return Finding(Fate.SAME, is_sound)
        if (profile, is_cheaper) in self.known:
            return Finding(Fate.TWIN, is_sound)
        again = self.behaviours.look(subject, self.calls)
        if (self._profile(again), self._is_cheaper(again)) != (profile, is_cheaper):
            return Finding(Fate.WAVERS, is_sound)
        self.known.add((profile, is_cheaper))
        if not differing:
            base, mine = (f"{each} steps" for each in self._steps(seen))
            return Finding(Fate.KEPT, is_sound, None, base, mine, is_cheaper=True)
        place = differing[0]
        return Finding(
            Fate.KEPT,
            is_sound,
            self.calls[place],
            base_did=_told(self.base[place]),
            it_did=_told(seen[place]),
            is_cheaper=is_cheaper,
            agreement=self._agreement(seen),
        )

    def _agreement(self, seen: tuple[Seen, ...]) -> float:
        """The share of calls that the base returns from on which both did the same."""
        counted = [place for place in self.steady if self.base[place].succeeded]
        alike = [each for each in counted if self.base[each].behaviour == seen[each].behaviour]
        return len(alike) / len(counted) if counted else 0.0

    def _profile(self, seen: tuple[Seen, ...]) -> Profile:
        return tuple(seen[place].behaviour for place in self.steady)

    def _is_cheaper(self, seen: tuple[Seen, ...]) -> bool:
        """Clearly fewer steps, or clearly less waiting, on the calls that both return from."""
        base, mine = self._steps(seen)
        return mine < _CHEAPER * base or self._waits_less(seen)

    def _steps(self, seen: tuple[Seen, ...]) -> tuple[int, int]:
        """Of the base and of the variant."""
        both = [
            (self.base[place].steps or 0, seen[place].steps or 0)
            for place in self.steady
            if self.base[place].succeeded and seen[place].succeeded
        ]
        return sum(one for one, _ in both), sum(other for _, other in both)

    def _waits_less(self, seen: tuple[Seen, ...]) -> bool:
        """Only calls on which the base really waits, both times, say so: machines are busy."""
        waiting = [
            (min(_waited(self.base[place]), _waited(self.base_again[place])), _waited(seen[place]))
            for place in self.steady
            if seen[place].succeeded
        ]
        counted = [pair for pair in waiting if pair[0] >= _LEAST_WAIT_SECONDS]
        return bool(counted) and all(mine < _QUICKER * base for base, mine in counted)


def _waited(seen: Seen) -> float:
    """Time that passed without work being done."""
    return max(0.0, (seen.wall_seconds or 0.0) - (seen.cpu_seconds or 0.0))


def _told(seen: Seen) -> str:
    how = "returned" if seen.succeeded else "raised"
    return f"{how} {seen.value}"[:200]
