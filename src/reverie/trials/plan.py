"""How a trial is run: seed, time, interpreter and what the settings ask for."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reverie.model.call import Call
from reverie.model.judgement_sections import GuardSection
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.spending import Spending

SEED = 1337
LEAST_SECONDS = 3.0
"""With less than this left no further step is begun."""


@dataclass(frozen=True, slots=True)
class TrialPlan:
    """What the trials of one change share. Its budget is CPU time."""

    section: GuardSection = field(default_factory=GuardSection)
    seed: int = SEED
    python: str | None = None
    """The interpreter with the project's dependencies; None: the one that runs Reverie."""
    fresh: str | None = None
    """The interpreter of an environment made from what is declared: new tests pass there, too."""
    cache: Path | None = None
    """Where baselines and mutants' verdicts are kept between trials."""
    equivalence: EquivalenceSection = field(default_factory=EquivalenceSection)
    samples: Mapping[str, Sequence[Call]] = field(default_factory=dict)
    """Calls of callables by name that are like real ones."""
    is_own: bool = False
    """Whether the tests were written here: then nobody has meant to deceive the old ones."""
    is_stopped: Callable[[], bool] = lambda: False
    """Asked between steps: once it says so, nothing more is measured."""
    spending: Spending = field(default_factory=Spending)

    @property
    def seconds_left(self) -> float:
        """What is left of the budget; nothing once the trial was stopped."""
        if self.is_stopped():
            return 0.0
        return self.section.budget_seconds - self.spending.seconds

    @property
    def wall_seconds_left(self) -> float:
        """How long one step may take: others may want the same machine."""
        return self.spending.patience * self.seconds_left
