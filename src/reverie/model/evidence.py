"""Facts that a trial gathered about one dream. Facts only: judging them is for `gates`."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from reverie.model.outcome import IsolationTier

_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was measured, by name, and all it takes to measure it again.

    A measure that was not taken is absent. It is never zero, and never a default.
    """

    measures: Mapping[str, float]
    """`coverage.branches.before`, `tests.passed_runs`, `mutants.newly_killed` …"""
    seed: int
    isolation: IsolationTier
    command: tuple[str, ...]
    """What reproduces it, run in the repository."""
    limits: Mapping[str, float] = field(default_factory=dict)
    hashes: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    """sha256 of what went in: `change`, `suite`, `environment` …"""
    versions: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    details: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Names behind the numbers: mutants newly killed, tests that fail …"""

    def get(self, measure: str) -> float | None:
        """The value measured, or None when nobody measured it."""
        return self.measures.get(measure)
