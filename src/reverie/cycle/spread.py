"""A workshop whose dreaming and proving are done elsewhere; what is kept and offered stays here."""

import copyreg
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any, Protocol

from reverie.cycle.local import LocalWorkshop
from reverie.cycle.workshop import Surveyed
from reverie.errors import MachineryError
from reverie.model.cycle import CycleDream, CycleHeader, Step
from reverie.model.dream import Dream
from reverie.model.promotion import Promotion
from reverie.stages.dreamer import Allowance, Dreamt, Stopped
from reverie.stages.sharpening import Tried

POLL_SECONDS = 0.2


@dataclass(frozen=True, slots=True)
class Work:
    """What came back for one step, or for one dream."""

    executions: int
    dreamt: Dreamt | None = None
    tried: Tried | None = None


class Job(Protocol):
    """Work under way elsewhere."""

    def wait(self, seconds: float) -> Work | None:
        """What came back; None when it takes longer. Whatever was lost was begun again."""
        ...

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        ...


class Crew(Protocol):
    """Workers that have the same files, and a sandbox each."""

    @property
    def workers(self) -> int:
        """How many jobs are worked on at once."""
        ...

    def dream(self, step: Step, seed: int) -> Job:
        """Have a step's dreamer let loose."""
        ...

    def prove(self, dream: Dream, seed: int) -> Job:
        """Have a dream tried."""
        ...


class SpreadWorkshop:
    """Steps go to a crew; a result is counted when it comes back, once, whoever was lost before."""

    def __init__(self, here: LocalWorkshop, crew: Crew) -> None:
        self._here = here
        self._crew = crew
        self._elsewhere = 0
        self._counting = threading.Lock()

    @property
    def environment(self) -> Mapping[str, Any]:
        """Of this machine, which makes every worker's the same."""
        return self._here.environment

    @property
    def executions(self) -> int:
        """Here, and in results that came back."""
        return self._here.executions + self._elsewhere

    @property
    def revision(self) -> str | None:
        """The commit that everything is proven against."""
        return self._here.revision

    def survey(self) -> Surveyed:
        """Measured here: every worker's plan is the same one."""
        return self._here.survey()

    def dream(self, step: Step, allowance: Allowance) -> Dreamt:
        """Elsewhere."""
        dreamt = self._done(self._crew.dream(step, allowance.seed), allowance.is_stopped).dreamt
        if dreamt is None:
            raise MachineryError(f"a worker did not dream about {step.module}")
        return dreamt

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Tried:
        """Elsewhere; worth and pilots are reckoned here, by the past that is known here."""
        tried = self._done(self._crew.prove(dream, seed), is_stopped).tried
        if tried is None:
            raise MachineryError(f"a worker did not try the dream {dream.id}")
        return self._here.piloted(self._here.trying.rescored(tried))

    def choose_branch(self, day: date) -> str | None:
        """Promotions are offered here."""
        return self._here.choose_branch(day)

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        """Sealed and committed here."""
        return self._here.promote(each, header)

    def close_up(self, header: CycleHeader, dreams: tuple[Dream, ...]) -> Mapping[str, Any]:
        """Measured here."""
        return self._here.close_up(header, dreams)

    def abandon(self) -> None:
        """End what is under way here; whoever waits for a job gives it up by itself."""
        self._here.abandon()

    def _done(self, job: Job, is_stopped: Callable[[], bool]) -> Work:
        while (work := job.wait(POLL_SECONDS)) is None:
            if is_stopped():
                job.cancel()
                raise Stopped
        with self._counting:
            self._elsewhere += work.executions
        return work


def _proxied(values: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(values)


def _reduced(proxy: "MappingProxyType[Any, Any]") -> tuple[Any, tuple[dict[Any, Any]]]:
    return _proxied, (dict(proxy),)


# Values of ours travel between processes of ours; a read-only mapping has no form for that.
copyreg.pickle(MappingProxyType, _reduced)
