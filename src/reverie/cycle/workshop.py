"""The workshop that a cycle works with: its protocol, on one machine, and spread over others.

The protocol stands between the loop and the rooms that it composes. On one machine dreamers,
trials and promotions work on a copy of a repository. A spread workshop dreams and proves
elsewhere; what is kept and offered stays here.
"""

import copyreg
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

from reverie import __version__
from reverie.cycle.author_budgets import AuthorBudgets
from reverie.cycle.governing import Pilots
from reverie.errors import MachineryError
from reverie.model.change import together
from reverie.model.cycle import CycleDream, CycleHeader, Promotion, Proven, Step
from reverie.model.dream import Dream, DreamKind, author_of
from reverie.model.events import Publish, unheard
from reverie.model.execution import Execution, Request
from reverie.model.repository.environment import SuitePart
from reverie.model.settings.promotion import AlignmentSection, PromotionSection
from reverie.promotion import BUNDLES, PATCHES
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.writing import Sealing, read_environment
from reverie.promotion.offering import offer_dream
from reverie.promotion.promoter import Offer, Promoter
from reverie.sandbox.engine import Recorder
from reverie.stages.dreamer import Allowance, Dreamer, Dreamt, Stopped, Survey, Target, dream_about
from reverie.stages.grounds import SuiteMeasured, covered_by, figures_of, measure_suite, own_code
from reverie.stages.strain import WORKFLOWS, Strained
from reverie.stages.trying import Tried, Trying


@dataclass(frozen=True, slots=True)
class Surveyed:
    """What the repository is worth before any dream, and where a dream would be worth most."""

    targets: tuple[Target, ...]
    """Best first."""
    baseline: Mapping[str, Any]
    budgets: AuthorBudgets = field(default_factory=AuthorBudgets)
    """What authors have of the stage."""


class Workshop(Protocol):
    """One repository at one revision, with all that can be done to it. Threads share it."""

    @property
    def environment(self) -> Mapping[str, Any]:
        """Interpreter, isolation, versions and remarks, as plain values."""
        ...

    @property
    def executions(self) -> int:
        """How often the sandbox was used so far."""
        ...

    @property
    def revision(self) -> str | None:
        """The commit that everything is proven against; None where there is no git."""
        ...

    def survey(self) -> Surveyed:
        """Measure the repository as it stands."""
        ...

    def dream(self, step: Step, allowance: Allowance) -> Dreamt:
        """Let the step's dreamer loose on the step's module."""
        ...

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Tried:
        """Compare a dream, or as much of it as holds, with the baseline; score it, rule on it."""
        ...

    def choose_branch(self, day: date) -> str | None:
        """A branch that is not there yet; None where promotions are patches."""
        ...

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        """Offer a proven dream. Doing it again finds what is there, and adds nothing."""
        ...

    def close_up(self, header: CycleHeader, dreams: tuple[Dream, ...]) -> Mapping[str, Any]:
        """Measure the repository again, with all of these dreams come true together."""
        ...

    def abandon(self) -> None:
        """End what is under way, at once: nobody waits for it any more."""
        ...


@dataclass(slots=True)
class Meter:
    """Counts executions on their way into the journal; threads share it."""

    recorder: Recorder | None = None
    count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __call__(self, request: Request, execution: Execution) -> None:
        """Count one, and hand it on."""
        with self._lock:
            self.count += 1
        if self.recorder is not None:
            self.recorder(request, execution)


@dataclass(frozen=True, slots=True)
class Offering:
    """Where promotions and their proofs go."""

    section: PromotionSection
    folder: Path
    """Of bundles and patches."""
    key: Callable[[], SigningKey]
    """Read, or made, when the first bundle is sealed."""
    alignment: AlignmentSection = field(default_factory=AlignmentSection)
    publish: Publish = unheard
    used: frozenset[str] = frozenset()
    """Names that branches of earlier promotions had."""


class LocalWorkshop:
    """One repository at one revision, and the rooms that work on it here."""

    def __init__(
        self,
        survey: Survey,
        meter: Meter,
        dreamers: tuple[Dreamer, ...],
        trying: Trying,
        offering: Offering,
        pilots: Pilots | None = None,
        budgets: AuthorBudgets | None = None,
        strained: Callable[[], Iterable[Strained]] = tuple,
    ) -> None:
        self.pilots = pilots
        self._strained = strained
        self.budgets = budgets or AuthorBudgets()
        self.grounds = survey.grounds
        self.sandbox = survey.sandbox
        self.trying = trying
        self.dreamers = {each.name: each for each in dreamers}
        self.surveyed = survey
        """What dreamers are told."""
        self._meter = meter
        self._offering = offering
        self._promoter = Promoter(
            self.grounds.repository,
            offering.section,
            offering.alignment,
            offering.publish,
            offering.used,
        )

    @property
    def environment(self) -> Mapping[str, Any]:
        """Interpreter, isolation, versions and remarks."""
        return self.grounds.environment(self.sandbox.tier.value)

    @property
    def revision(self) -> str | None:
        """The commit that the copy was made of."""
        return self.grounds.source.revision

    @property
    def executions(self) -> int:
        """How often the sandbox was used."""
        return self._meter.count

    def survey(self) -> Surveyed:
        """The suite once with coverage, then what every dreamer would dream about."""
        part = self.grounds.part
        left_out = frozenset[str]() if part is None else part.partly_asked
        suite = self._measure(self.grounds.folder, () if part is None else part.files)
        self.surveyed = replace(self.surveyed, suite=suite)
        targets = tuple(
            target
            for each in self.dreamers.values()
            for target in each.targets(self.surveyed)
            if each.kind is not DreamKind.TEST or target.path not in left_out
        )
        if part is not None:
            self.surveyed.remarks.append(_told_of(part))
        paths = own_code(self.grounds) | {each.module: each.path for each in targets}
        figures = figures_of(suite, covered_by(suite, self.grounds.folder, paths))
        found = {each.workflow: each for each in self._strained()}
        self.surveyed.remarks.extend(each.said for each in found.values())
        workflows = {name: each.document() for name, each in found.items()}
        baseline = {**figures, "notes": list(self.surveyed.remarks), WORKFLOWS: workflows}
        return Surveyed(targets, baseline, self.budgets)

    def close_up(self, header: CycleHeader, dreams: tuple[Dream, ...]) -> Mapping[str, Any]:
        """The suite once more, with all that was promoted."""
        paths = {module.name: module.path for module in self.grounds.index.modules}
        modules = set((header.baseline or {}).get("covered", ()))
        chosen = {name: path for name, path in paths.items() if name in modules}
        asked = self.trying.asked
        if asked is not None:
            asked = asked.beside(together(dream.change for dream in dreams))
        with self.trying.laid_out(dreams) as folder:
            suite = self._measure(folder, () if asked is None else asked.files)
            return figures_of(suite, covered_by(suite, folder, chosen))

    def _measure(self, folder: Path, files: tuple[str, ...]) -> SuiteMeasured:
        python, seconds = self.grounds.interpreter.path, self.trying.baseline_seconds
        return measure_suite(self.sandbox, folder, python, seconds, self.trying.cache, files)

    def dream(self, step: Step, allowance: Allowance) -> Dreamt:
        """Let the step's dreamer loose on the step's module."""
        dreamer = self.dreamers.get(step.dreamer)
        if dreamer is None:  # planned by a run that was left, with other authors
            return Dreamt((), note=f"{author_of(step.dreamer)} takes no part any more")
        about = self.surveyed.about(step.module, step.path)
        return dream_about(dreamer, about, allowance)

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Tried:
        """Guardrails, trial, rulings and worth."""
        return self.piloted(self.trying.settle(dream, seed))

    def piloted(self, tried: Tried) -> Tried:
        """The trial, or that of a pilot where the dream is on the border."""
        if self.pilots is None:
            return tried
        return replace(tried, trial=self.pilots.settle(tried.dream, tried.trial))

    def choose_branch(self, day: date) -> str | None:
        """The next free name of the day."""
        return self._promoter.choose_branch(day)

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        """Seal the proof, then commit the change to the branch of the cycle."""
        if each.trial is None:
            raise MachineryError(f"the change {each.dream.id} was never tried")
        proven = Proven(
            dream=each.dream,
            stage=each.dream.kind.stage,
            source=self.grounds.source,
            evidence=each.trial.evidence,
            judgement=each.trial.judgement,
            roi=each.trial.score.get("roi"),
            raroi=each.trial.score.get("raroi"),
            warnings=self.grounds.warnings,
        )
        now, folder = datetime.now(UTC), self._offering.folder
        offer = Offer(at=now, branch=header.branch, patches=folder / PATCHES)
        return offer_dream(self._promoter, proven, offer, self._sealing(now), folder / BUNDLES)

    def _sealing(self, now: datetime) -> Sealing:
        python = self.grounds.interpreter.path
        return Sealing(
            key=self._offering.key(),
            at=now,
            environment=read_environment(None if python is None else Path(python)),
            version=__version__,
            with_archive=self._offering.section.archive,
        )

    def abandon(self) -> None:
        """End every slot of the sandbox: what runs there fails, and nobody waits for it."""
        self.sandbox.close()


def _told_of(part: SuitePart) -> str:
    return (
        f"{part.told} were run: all of them take too long for this budget. No code is changed, and "
        "tests are written only for modules that none of the others is about "
        f"({len(part.partly_asked)} are left out): give more time with --budget"
    )


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
