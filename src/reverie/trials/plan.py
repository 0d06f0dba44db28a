"""How a trial is run: seed, time, interpreter and what the settings ask for."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from reverie.model.judgement_sections import GuardSection
from reverie.model.sections import EquivalenceSection

SEED = 1337
LEAST_SECONDS = 3.0
"""With less than this left no further step is begun."""


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """What the trials of one change share. The clock starts when the plan is made."""

    section: GuardSection = field(default_factory=GuardSection)
    seed: int = SEED
    python: str | None = None
    """The interpreter with the project's dependencies; None: the one that runs Reverie."""
    cache: Path | None = None
    """Where baselines and mutants' verdicts are kept between trials."""
    equivalence: EquivalenceSection = field(default_factory=EquivalenceSection)
    is_stopped: Callable[[], bool] = lambda: False
    """Asked between steps: once it says so, nothing more is measured."""
    began: float = field(default_factory=time.monotonic)

    @property
    def seconds_left(self) -> float:
        """What is left of the budget; nothing once the trial was stopped."""
        if self.is_stopped():
            return 0.0
        return self.section.budget_seconds - (time.monotonic() - self.began)
