"""What somebody who watches a cycle sees: counted from what was journaled, shown by interfaces."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field

from reverie.model.cycle import CycleDream, Step, StepState
from reverie.model.dream import DreamStatus
from reverie.model.worth import gains_of

DONE = "done"
"""The last phase of every cycle."""


@dataclass(frozen=True, slots=True)
class Glance:
    """A cycle at one moment."""

    phase: str
    steps: int = 0
    over: int = 0
    """Steps that were worked on and need no more work."""
    under_way: tuple[str, ...] = ()
    """What is being done, a line per worker."""
    promoted: int = 0
    waiting: int = 0
    """Proven, and needs the word of people."""
    rejected: int = 0
    sightings: int = 0
    best: str | None = None
    """The most worthwhile promotion so far, and what it brings."""
    seconds_left: float | None = None
    skipped: int = 0
    """Steps whose turn did not come: the time was up."""


Watch = Callable[[Glance], None]


@dataclass(slots=True)
class Tally:
    """Counts as things happen; several threads tell it."""

    watch: Watch
    seconds_left: Callable[[], float | None]
    phase: str = "starting"
    steps: int = 0
    over: int = 0
    skipped: int = 0
    promoted: int = 0
    waiting: int = 0
    rejected: int = 0
    sightings: int = 0
    _best: tuple[float, str] | None = None
    _doing: dict[int, str] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def enter(self, phase: str, steps: tuple[Step, ...] = ()) -> None:
        """Another phase begins; with the steps of the plan, if there is one."""
        with self._lock:
            self.phase = phase
            if steps:
                self.steps = sum(step.state is not StepState.SKIPPED for step in steps)
                ended = (StepState.DONE, StepState.FAILED)
                self.over = sum(step.state in ended for step in steps)
                self.skipped = 0
        self._tell()

    def resume(self, dreams: tuple[CycleDream, ...], sightings: int) -> None:
        """Count what an earlier process had decided on and seen."""
        with self._lock:
            self.sightings = sightings
            for each in dreams:
                if each.known_from is None and each.status is not DreamStatus.PENDING_TEST:
                    self._count(each)

    def doing(self, what: str | None) -> None:
        """What this thread is about; None: nothing."""
        me = threading.get_ident()
        with self._lock:
            if what is None:
                self._doing.pop(me, None)
            else:
                self._doing[me] = what
        self._tell()

    def ended(self) -> None:
        """A step needs no more work."""
        with self._lock:
            self.over += 1
        self._tell()

    def skip(self) -> None:
        """A step is left out: the time was up before it, or before it was tried."""
        with self._lock:
            self.skipped += 1
        self._tell()

    def saw(self, count: int) -> None:
        """Behaviour that looks like a fault."""
        with self._lock:
            self.sightings += count
        self._tell()

    def decided(self, each: CycleDream) -> None:
        """A dream was promoted, waits for people, or will not be promoted."""
        with self._lock:
            self._count(each)
        self._tell()

    def _count(self, each: CycleDream) -> None:
        if each.status is DreamStatus.PROMOTED:
            self.promoted += 1
            worth = None if each.promotion is None else each.promotion.raroi
            candidate = (worth or 0.0, _told(each))
            self._best = max(self._best or candidate, candidate)
        elif each.status is DreamStatus.TESTED:
            self.waiting += 1
        else:
            self.rejected += 1

    def _tell(self) -> None:
        with self._lock:
            glance = Glance(
                phase=self.phase,
                steps=self.steps,
                over=self.over,
                under_way=tuple(self._doing.values()),
                promoted=self.promoted,
                waiting=self.waiting,
                rejected=self.rejected,
                sightings=self.sightings,
                best=None if self._best is None else self._best[1],
                seconds_left=self.seconds_left(),
                skipped=self.skipped,
            )
            self.watch(glance)  # inside: what is shown last is what happened last


def _told(each: CycleDream) -> str:
    measures = {} if each.trial is None else each.trial.evidence.measures
    gains = gains_of(measures)
    return f"{each.dream.title} ({gains[0]})" if gains else each.dream.title
