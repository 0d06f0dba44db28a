"""Micro-pilots: the trial of a dream on the border again, four times as long, with a fresh seed."""

from collections.abc import Callable
from dataclasses import dataclass

from reverie.learning.governance.borderline_bucket import BorderlineBucket, PilotResult
from reverie.model.cycle import Trial
from reverie.model.dream import Dream
from reverie.model.governance import MicropilotMode
from reverie.model.ruling import Verdict

TIMES = 4
_FRESH = 7919
"""Added to the seed of a dream, so that no pilot repeats the trial it is to check."""
_SAMPLES = 5.0

Prove = Callable[[Dream, int, int], Trial]
"""Tries a dream with a seed and so many times the usual repetitions."""


@dataclass(frozen=True, slots=True)
class Pilots:
    """What is done about dreams on the border, as the settings say."""

    bucket: BorderlineBucket
    prove: Prove
    runs: int
    """Repetitions of a trial."""
    raroi: float
    confidence: float

    def settle(self, dream: Dream, trial: Trial) -> Trial:
        """The trial, or that of a pilot which has proven the dream.

        A dream whose worth nobody could measure is not queued: there is nothing to compare.
        """
        worth = trial.score.get("raroi")
        is_on_the_border = trial.judgement.verdict is Verdict.BORDERLINE
        if self.bucket.mode is MicropilotMode.OFF or not is_on_the_border or worth is None:
            return trial
        self.bucket.enqueue(dream.id, worth, self._trust(self.runs), {"module": dream.module})
        return self.pilot(dream, trial)

    def pilot(self, dream: Dream, trial: Trial) -> Trial:
        """What becomes of a dream in the bucket: with `auto` it is tried again, at once."""
        if self.bucket.mode is not MicropilotMode.AUTO:
            return trial
        again = self.prove(dream, dream.seed + _FRESH, TIMES)
        decided = self.bucket.decide(dream.id, self._result(again), self.raroi, self.confidence)
        return again if decided == "promoted" else trial

    def _result(self, trial: Trial) -> PilotResult:
        """A pilot that still doubts shows no confidence."""
        worth = trial.score.get("raroi")
        if worth is None or trial.judgement.verdict is not Verdict.PROMOTE:
            return PilotResult(0.0 if worth is None else worth, 0.0)
        return PilotResult(worth, self._trust(TIMES * self.runs))

    def _trust(self, repetitions: int) -> float:
        return repetitions / (repetitions + _SAMPLES)
