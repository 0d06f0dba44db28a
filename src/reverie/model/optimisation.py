"""What became of attempts to make a callable faster."""

from dataclasses import dataclass

from reverie.model.benchmark import Benchmark
from reverie.model.equivalence import Equivalence
from reverie.model.ruling import Judgement, Verdict


@dataclass(frozen=True, slots=True)
class OptimisationTrial:
    """One variant, compared with the original: are the answers the same, is it faster."""

    id: str
    pattern: str
    source: str
    patch: str
    equivalence: Equivalence | None
    benchmark: Benchmark | None
    judgement: Judgement

    @property
    def is_promoted(self) -> bool:
        """Whether all that evidence can say speaks for it."""
        return self.judgement.verdict is Verdict.PROMOTE


@dataclass(frozen=True, slots=True)
class Optimisation:
    """All that was tried on one callable."""

    callable: str
    trials: tuple[OptimisationTrial, ...]
    imagined: int
    """Variants that were thought of; most fall out before a trial."""
    seconds: float
    note: str | None = None

    @property
    def best(self) -> OptimisationTrial | None:
        """The fastest that passed."""
        passed = [each for each in self.trials if each.is_promoted]
        return max(passed, key=_gain, default=None)


def _gain(trial: OptimisationTrial) -> float:
    found = trial.benchmark.judgement.speedup if trial.benchmark else None
    return found.p50.low if found else 0.0
