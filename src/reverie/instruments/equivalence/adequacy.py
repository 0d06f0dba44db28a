"""Whether the tried inputs would have noticed a change of the code that they are to vouch for."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from reverie.instruments.equivalence.laboratory import Laboratory
from reverie.instruments.equivalence.mutants import Mutant, mutants_of
from reverie.instruments.equivalence.scenario import Scenario
from reverie.instruments.equivalence.shown import NOTHING, Shown
from reverie.instruments.equivalence.targets import Version
from reverie.instruments.mutation.sampling import spread_sample
from reverie.model.equivalence import Adequacy, Survivor

_MOST_MUTANTS = 60
"""Of each version; which ones, the seed decides."""
_FIRST_SCENARIOS = 160
_AT_ONCE = 400
_MOST_FURTHER = 800
_MOST_LARGE = 12
_IDLE = 5
"""Scenarios in which a mutant has to make a difference of its own that nothing comes of."""
_MOST_SHOWN = 10


@dataclass(slots=True)
class _Side:
    """One version, and which of its mutants nobody has noticed so far."""

    name: str
    version: Version
    mutants: list[Mutant]
    alive: list[Mutant]
    reached: dict[Mutant, int] = field(default_factory=dict)
    """In how many scenarios a survivor made a difference to its own statement."""

    @property
    def unseen(self) -> list[Mutant]:
        """Survivors whose change no input has made a difference of."""
        return [each for each in self.alive if self.reached.get(each, 0) < _IDLE]


class Weighing:
    """Mutants of both versions, held against more and more scenarios."""

    def __init__(self, laboratory: Laboratory, seed: int, shown: Shown = NOTHING) -> None:
        self.laboratory = laboratory
        self.chance = random.Random(f"adequacy {seed}")
        old, new = laboratory.facts.versions
        self._sides = [_side("old", old, new, seed), _side("new", new, old, seed)]
        for side, noticed, idle in zip(self._sides, shown.noticed, shown.idle, strict=True):
            side.alive = [each for each in side.alive if each.name not in noticed]
            side.reached = {each: _IDLE for each in side.alive if each.name in idle}

    def weigh(self, corpus: Sequence[Scenario], tried: Sequence[Scenario]) -> Adequacy:
        """With the calls that brought news first, then with the rest for those who survive."""
        known = set(corpus)
        rest = [each for each in tried if each not in known]
        self.chance.shuffle(rest)
        large = [each for each in rest if _is_large(each)][:_MOST_LARGE]
        rest = [each for each in rest if not _is_large(each)]
        first = [*corpus, *rest[: max(0, _FIRST_SCENARIOS - len(corpus))], *large]
        rest = rest[max(0, _FIRST_SCENARIOS - len(corpus)) :]
        self.hold_against(first)
        for start in range(0, min(len(rest), _MOST_FURTHER), _AT_ONCE):
            if not any(each.unseen or (not start and each.alive) for each in self._sides):
                break
            self.hold_against(rest[start : start + _AT_ONCE])
        return self.found()

    def hold_against(self, scenarios: Sequence[Scenario]) -> None:
        """Survivors meet further scenarios."""
        for side in self._sides:
            if side.alive:
                self._notice(side, scenarios)
            marked = [each for each in side.unseen if each.marked is not None]
            if marked:
                self._mark(side, marked, scenarios)

    def found(self) -> Adequacy:
        """As things stand."""
        alive = sum(len(each.alive) for each in self._sides)
        total = sum(len(each.mutants) for each in self._sides)
        unseen = [(side.name, each) for side in self._sides for each in side.unseen]
        shared = sum(each.is_shared for _, each in unseen)
        unseen = [each for each in unseen if not each[1].is_shared]
        total, alive = total - shared, alive - shared
        return Adequacy(
            mutants=total,
            noticed=total - alive,
            idle=alive - len(unseen),
            survivors=tuple(
                Survivor(name, each.line, each.operator, each.shown)
                for name, each in unseen[:_MOST_SHOWN]
            ),
        )

    def _notice(self, side: _Side, scenarios: Sequence[Scenario]) -> None:
        orders = [(each.top, each.text, False) for each in side.alive]
        answers = self.laboratory.notice(side.version, orders, scenarios)
        side.alive = [
            each for each, answer in zip(side.alive, answers, strict=True) if answer is None
        ]

    def _mark(self, side: _Side, mutants: list[Mutant], scenarios: Sequence[Scenario]) -> None:
        orders = [(each.top, each.marked or "", True) for each in mutants]
        answers = self.laboratory.notice(side.version, orders, scenarios)
        for each, answer in zip(mutants, answers, strict=True):
            side.reached[each] = side.reached.get(each, 0) + (answer or 0)


def _side(name: str, version: Version, other: Version, seed: int) -> _Side:
    made = spread_sample(
        mutants_of(version, other), _MOST_MUTANTS, lambda each: f"{seed} {each.name}"
    )
    return _Side(name, version, made, made)


def _is_large(scenario: Scenario) -> bool:
    return any(step.is_large for step in scenario.steps)
