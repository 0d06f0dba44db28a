"""Heats of a race: a glance for everybody, the whole course for who still hopes, a second look.

Who gives other answers, or is plainly slower at smaller sizes already, is dropped at once; who does
not gain there is kept as a stepping stone, and not timed any further.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reverie.dreamers.optimise.race import Course, Lap, lap_order, run_laps
from reverie.model.evolution import Fate, Individual
from reverie.sandbox.engine import Sandbox

_SHORTER = 2
"""Sizes that a glance leaves out: the largest ones cost most."""
_PLAIN = 1.05
"""At a glance: whoever gains less is not sent over the whole course."""
_CONTENDER = 0.5
"""Of the best gain: whoever has less is not looked at a second time."""
_NO_GAIN = 0.7
"""A detour may cost a little: whoever costs more has no children."""
_SLACK_SECONDS = 6.0
"""For imports, on a machine that is busy."""
_SLOWER_THAN_ORIGINAL = 4.0
_WHOLE_SECONDS = 20.0


@dataclass(slots=True)
class Heats:
    """The course, and the best times of the original on it so far."""

    sandbox: Sandbox
    course: Course
    original: str
    begun: Lap
    best: float = 1.0
    """The largest gain that was seen."""

    def run(self, children: Sequence[Individual]) -> list[Individual]:
        """How each child did."""
        if not children:
            return []
        glanced = self._laps(children, max(2, len(self.begun.sizes) - _SHORTER))
        judged = {
            child.id: self._glance(child, lap) for child, lap in zip(children, glanced, strict=True)
        }
        hoping = [each for each in judged.values() if each.fate is Fate.BORN]
        whole = self._laps(hoping, len(self.begun.sizes))
        seen = [self._finish(child, lap) for child, lap in zip(hoping, whole, strict=True)]
        self.best = max([self.best, *(each.gain or 0.0 for each in seen)])
        near = [each for each in seen if (each.gain or 0.0) >= _CONTENDER * self.best]
        judged |= {each.id: each for each in (*seen, *self._again(near))}
        return [judged[each.id] for each in children]

    def _again(self, alive: Sequence[Individual]) -> list[Individual]:
        """A second look beside the original: what else the cores do may double a time."""
        if not alive:
            return []
        order = self._order(len(self.begun.sizes))
        sources = [self.original, *(each.source for each in alive)]
        first, *laps = run_laps(self.sandbox, self.course, order, sources, self._wall())
        old = self.begun.seconds
        self.begun = self.begun.or_faster(first)
        found = []
        for child, lap in zip(alive, laps, strict=True):
            # What was seen before, in seconds again, so that the better of two looks counts.
            before = [
                was / max(child.gains.get(size, 1.0), 1e-9)
                for size, was in zip(self.begun.sizes, old, strict=True)
            ]
            known = replace(self.begun, seconds=before).or_faster(lap)
            found.append(self._timed(child, known.seconds))
        return found

    def _glance(self, child: Individual, lap: Lap | None) -> Individual:
        fate = self._answered(lap)
        if lap is None or fate is not Fate.BORN:
            return child.with_fate(fate)
        seen = self._timed(child, lap.seconds)
        return seen if (seen.gain or 0.0) < _PLAIN else child

    def _finish(self, child: Individual, lap: Lap | None) -> Individual:
        fate = self._answered(lap)
        if lap is None or fate is not Fate.BORN:
            return child.with_fate(fate)
        return self._timed(child, lap.seconds)

    def _timed(self, child: Individual, seconds: Sequence[float]) -> Individual:
        gains = {
            size: old / max(new, 1e-9)
            for size, old, new in zip(self.begun.sizes, self.begun.seconds, seconds, strict=False)
        }
        found = replace(child, gains=gains)
        return found.with_fate(Fate.ALIVE if (found.gain or 0.0) > _NO_GAIN else Fate.SLOWER)

    def _answered(self, lap: Lap | None) -> Fate:
        if lap is None:
            return Fate.FAILED
        count = len(lap.sizes)
        is_same = (
            lap.sizes == self.begun.sizes[:count] and lap.digests == self.begun.digests[:count]
        )
        return Fate.BORN if is_same else Fate.DIFFERENT

    def _laps(self, children: Sequence[Individual], sizes: int) -> list[Lap | None]:
        if not children:
            return []
        sources = [each.source for each in children]
        return run_laps(self.sandbox, self.course, self._order(sizes), sources, self._wall())

    def _order(self, sizes: int) -> dict[str, object]:
        enough = {"most_sizes": sizes, "enough_seconds": _WHOLE_SECONDS}
        return lap_order(self.course) | enough

    def _wall(self) -> float:
        """Early stopping: whoever needs many times what the original needs has lost."""
        spent = sum(self.begun.seconds)
        return min(_WHOLE_SECONDS, _SLACK_SECONDS + _SLOWER_THAN_ORIGINAL * spent)
