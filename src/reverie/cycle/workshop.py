"""What a cycle works with: the protocol between the loop and the rooms that it composes."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import Any, Protocol

from reverie.model.cycle import CycleBudget, CycleDream, CycleHeader, Sighting, Step, Trial
from reverie.model.dream import Dream
from reverie.model.promotion import Promotion

_NOTHING: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Target:
    """A module that a dreamer could be let loose on."""

    dreamer: str
    module: str
    path: str
    source_hash: str
    """The same as long as nothing changes that a dream about it depends on."""
    value: float | None = None
    content_hash: str = ""
    """Of the module's own source; empty where nobody told it."""


@dataclass(frozen=True, slots=True)
class Survey:
    """What the repository is worth before any dream, and where a dream would be worth most."""

    targets: tuple[Target, ...]
    """Best first."""
    baseline: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one step may spend; whoever spends it asks now and then whether to stop."""

    budget: CycleBudget
    is_stopped: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class Dreamt:
    """What a dreamer came up with."""

    dreams: tuple[Dream, ...]
    sightings: tuple[Sighting, ...] = ()
    executions: int = 0
    figures: Mapping[str, float] = field(default_factory=lambda: _NOTHING)
    note: str | None = None


class Stopped(Exception):
    """Somebody asked to stop, and a step gave up half-way: it is done again, or not at all."""


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

    def survey(self) -> Survey:
        """Measure the repository as it stands."""
        ...

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """Let the step's dreamer loose on the step's module."""
        ...

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Trial:
        """Compare a dream with the baseline, score it and rule on it."""
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
