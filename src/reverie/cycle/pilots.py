"""Micro-pilots: the trial of a dream on the border again, four times as long, with a fresh seed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from reverie.errors import MachineryError
from reverie.learning.governance.borderline_bucket import Candidate, PilotResult
from reverie.model.cycle import Trial
from reverie.model.dream import Dream
from reverie.model.ruling import Verdict

TIMES = 4
_FRESH = 7919
"""Added to the seed of a dream, so that no pilot repeats the trial it is to check."""

Prove = Callable[[Dream, int, int], Trial]
"""Tries a dream with a seed and so many times the usual repetitions."""


@dataclass(frozen=True, slots=True)
class MicroPilot:
    """Tries queued dreams again."""

    dreams: Mapping[str, Dream]
    """By id."""
    prove: Prove

    def __call__(self, candidate: Candidate) -> PilotResult:
        """What the trial came to. A trial that still doubts shows no confidence."""
        dream = self.dreams.get(candidate.subject)
        if dream is None:
            raise MachineryError(f"the bucket names a dream that nobody has: {candidate.subject}")
        seed = dream.seed + _FRESH * (1 + len(candidate.raroi))
        trial = self.prove(dream, seed, TIMES)
        raroi = trial.score.get("raroi")
        is_proven = trial.judgement.verdict is Verdict.PROMOTE and raroi is not None
        return PilotResult(float(raroi or 0.0), 1.0 if is_proven else 0.0)
