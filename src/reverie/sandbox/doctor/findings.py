"""The doctor's values: checks of the machine, probes of a tier, and both together."""

from dataclasses import dataclass
from enum import StrEnum

from reverie.model.outcome import IsolationTier


class State(StrEnum):
    """How well the machine serves one need."""

    OK = "ok"
    LIMITED = "limited"  # there, but something is weaker or slower for it
    MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Check:
    """One fact about the machine."""

    name: str
    state: State
    seen: str
    why: str  # what it is needed for
    fix: str | None = None  # None when there is nothing to fix


@dataclass(frozen=True, slots=True)
class Probe:
    """One attack on a sandbox of a tier; passed when it was contained."""

    name: str
    passed: bool
    detail: str


@dataclass(frozen=True, slots=True)
class TierReport:
    """Whether a tier works here, shown by attacking it."""

    tier: IsolationTier
    available: bool
    reason: str | None
    probes: tuple[Probe, ...] = ()

    @property
    def is_sound(self) -> bool:
        """Whether it is there and held against every probe."""
        return self.available and all(probe.passed for probe in self.probes)


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Everything the doctor found."""

    tier: IsolationTier | None  # what `auto` takes
    checks: tuple[Check, ...]
    tiers: tuple[TierReport, ...]

    @property
    def is_sound(self) -> bool:
        """Whether `auto` has a tier that held against every probe."""
        return any(report.is_sound for report in self.tiers if report.tier is self.tier)
