"""Attempts to make a callable faster or code easier to read, and what became of them."""

from dataclasses import dataclass

from reverie.model.measurements.benchmark import Benchmark
from reverie.model.measurements.equivalence import Equivalence
from reverie.model.ruling import Evidence, Judgement, Verdict


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


@dataclass(frozen=True, slots=True)
class RefactoringTried:
    """One change, tried and ruled on."""

    id: str
    pattern: str
    title: str
    path: str
    """Of the file, from its repository or its import root."""
    source: str
    """The whole new file."""
    patch: str
    gain: tuple[int, int]
    """Points of nesting and pieces of syntax that are saved."""
    equivalence: Equivalence | None
    evidence: Evidence
    judgement: Judgement

    @property
    def is_promoted(self) -> bool:
        """Whether all that evidence can say speaks for it."""
        return self.judgement.verdict is Verdict.PROMOTE


@dataclass(frozen=True, slots=True)
class Refactored:
    """All that was tried on one target."""

    target: str
    trials: tuple[RefactoringTried, ...]
    imagined: int
    """Changes that were thought of, tried or not."""
    has_suite: bool
    """Whether the tests of a repository had their say."""
    seconds: float
    note: str | None = None

    @property
    def best(self) -> RefactoringTried | None:
        """The one that passed and saves a reader most."""
        passed = [each for each in self.trials if each.is_promoted]
        return max(passed, key=lambda each: each.gain, default=None)
