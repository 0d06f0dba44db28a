"""What a cycle works with: the protocol between the loop and the rooms that it composes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Protocol

from reverie.model.cycle import CycleDream, CycleHeader, Step
from reverie.model.dream import Dream
from reverie.model.promotion import Promotion
from reverie.stages.dreamer import Allowance, Dreamt, Target
from reverie.stages.sharpening import Tried


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What the repository is worth before any dream, and where a dream would be worth most."""

    targets: tuple[Target, ...]
    """Best first."""
    baseline: Mapping[str, Any]


class Workshop(Protocol):
    """One repository at one revision, with all that can be done to it. Threads share it."""

    @property
    def environment(self) -> Mapping[str, Any]:
        """Interpreter, isolation, versions and remarks, as plain values."""
        ...

    @property
    def executions(self) -> int:
        """How often the sandbox was used so far."""
        ...

    @property
    def revision(self) -> str | None:
        """The commit that everything is proven against; None where there is no git."""
        ...

    def survey(self) -> Surveyed:
        """Measure the repository as it stands."""
        ...

    def dream(self, step: Step, allowance: Allowance) -> Dreamt:
        """Let the step's dreamer loose on the step's module."""
        ...

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Tried:
        """Compare a dream, or as much of it as holds, with the baseline; score it, rule on it."""
        ...

    def choose_branch(self, day: date) -> str | None:
        """A branch that is not there yet; None where promotions are patches."""
        ...

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        """Offer a proven dream. Doing it again finds what is there, and adds nothing."""
        ...

    def close_up(self, header: CycleHeader, dreams: tuple[Dream, ...]) -> Mapping[str, Any]:
        """Measure the repository again, with all of these dreams come true together."""
        ...

    def abandon(self) -> None:
        """End what is under way, at once: nobody waits for it any more."""
        ...
