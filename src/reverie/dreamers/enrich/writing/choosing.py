"""Few tests that notice much: the cheapest lines that keep every kill and every step.

A greedy cover, then a look back: what later choices have made superfluous goes. The price of a
check is the lines that it adds. A further row of a table is nearly free, a new test is not.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

_STEP_WORTH = 0.3
_TEST_LINES = 2.5
_ROW_LINES = 1.2


@dataclass(frozen=True, slots=True)
class Offer:
    """One check of one candidate: what it notices, and where it would stand."""

    candidate: int
    number: int
    kills: int
    """A bit for each mutant."""
    steps: int
    """A bit for each step through the module."""
    shape: str
    body_lines: int
    oddness: float
    callee: str = ""
    """What it is about; one test is about one thing."""


@dataclass(slots=True)
class Choice:
    """What was chosen so far: checks by candidate, and how many share a shape."""

    checks: dict[int, list[Offer]] = field(default_factory=dict)
    shapes: dict[str, int] = field(default_factory=dict)

    def price(self, offer: Offer) -> float:
        """The lines that it would add."""
        mine = self.checks.get(offer.candidate)
        if mine and mine[0].callee == offer.callee:
            companions = self.shapes.get(mine[0].shape, 0)
            return 1.0 + offer.oddness + (2.0 if companions > 1 else 0.0)
        if self.shapes.get(offer.shape, 0):
            return _ROW_LINES + offer.oddness
        return offer.body_lines + _TEST_LINES + offer.oddness

    def add(self, offer: Offer) -> None:
        """Take it."""
        mine = self.checks.setdefault(offer.candidate, [])
        if not mine:
            self.shapes[offer.shape] = self.shapes.get(offer.shape, 0) + 1
        mine.append(offer)

    def remove(self, offer: Offer) -> None:
        """Give it back."""
        self.checks[offer.candidate].remove(offer)
        if not self.checks[offer.candidate]:
            del self.checks[offer.candidate]
            self.shapes[offer.shape] -= 1

    @property
    def taken(self) -> list[Offer]:
        """Everything chosen, in the order of the candidates."""
        return [offer for place in sorted(self.checks) for offer in self.checks[place]]


def choose(offers: Sequence[Offer]) -> dict[int, tuple[int, ...]]:
    """Candidates by place, with the numbers of the checks to keep."""
    choice = Choice()
    kills = _union(offers, lambda offer: offer.kills)
    steps = _union(offers, lambda offer: offer.steps)
    waiting = list(offers)
    while waiting := [each for each in waiting if each.kills & kills or each.steps & steps]:
        best = max(waiting, key=lambda offer: _worth(offer, choice, kills, steps))
        choice.add(best)
        kills &= ~best.kills
        steps &= ~best.steps
    _look_back(choice)
    return {
        place: tuple(sorted(offer.number for offer in taken))
        for place, taken in choice.checks.items()
    }


def _worth(offer: Offer, choice: Choice, kills: int, steps: int) -> float:
    gain = (offer.kills & kills).bit_count() + _STEP_WORTH * (offer.steps & steps).bit_count()
    return gain / choice.price(offer)


def _look_back(choice: Choice) -> None:
    """Give back what the others notice without it, the dearest first."""
    taken = sorted(choice.taken, key=lambda each: (each.body_lines, each.oddness))
    kept_kills = kept_steps = 0  # of those that are looked at later, which are cheaper
    later: list[tuple[int, int]] = []
    for offer in taken:
        later.append((kept_kills, kept_steps))
        kept_kills |= offer.kills
        kept_steps |= offer.steps
    kept_kills = kept_steps = 0
    for offer, (kills, steps) in zip(reversed(taken), reversed(later), strict=True):
        if offer.kills & ~(kills | kept_kills) or offer.steps & ~(steps | kept_steps):
            kept_kills |= offer.kills
            kept_steps |= offer.steps
        else:
            choice.remove(offer)


def _union(offers: Sequence[Offer], of: Callable[[Offer], int]) -> int:
    found = 0
    for offer in offers:
        found |= of(offer)
    return found
