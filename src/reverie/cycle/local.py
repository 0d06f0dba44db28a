"""The workshop of one machine: dreamers, trials and promotions on a copy of a repository."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from reverie import __version__
from reverie.cycle.pilots import Pilots
from reverie.cycle.workshop import Surveyed
from reverie.errors import MachineryError
from reverie.model.alignment_section import AlignmentSection
from reverie.model.cycle import CycleDream, CycleHeader, Step
from reverie.model.dream import Dream
from reverie.model.execution import Execution, Request
from reverie.model.promotion import Promotion, Proven
from reverie.model.promotion_sections import PromotionSection
from reverie.model.published import Publish, unheard
from reverie.promotion.bundle.environment import read_environment
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.writing import Sealing
from reverie.promotion.offering import offer_dream
from reverie.promotion.promoter import Offer, Promoter
from reverie.sandbox.engine import Recorder
from reverie.stages.dreamer import Allowance, Dreamer, Dreamt, Survey, dream_about
from reverie.stages.sharpening import Tried
from reverie.stages.surveying import SuiteMeasured, covered_by, figures_of, measure_suite
from reverie.stages.trying import Trying

BUNDLES, PATCHES = "bundles", "patches"


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
    ) -> None:
        self.pilots = pilots
        self.grounds = survey.grounds
        self.sandbox = survey.sandbox
        self.trying = trying
        self.dreamers = {each.name: each for each in dreamers}
        self.surveyed = survey
        """What dreamers are told."""
        self._meter = meter
        self._offering = offering
        self._promoter = Promoter(
            self.grounds.repository, offering.section, offering.alignment, offering.publish
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
        suite = self._measure(self.grounds.folder)
        self.surveyed = replace(self.surveyed, suite=suite)
        targets = tuple(
            target for each in self.dreamers.values() for target in each.targets(self.surveyed)
        )
        paths = {each.module: each.path for each in targets}
        figures = figures_of(suite, covered_by(suite, self.grounds.folder, paths))
        return Surveyed(targets, {**figures, "notes": list(self.surveyed.remarks)})

    def close_up(self, header: CycleHeader, dreams: tuple[Dream, ...]) -> Mapping[str, Any]:
        """The suite once more, with all that was promoted."""
        paths = {module.name: module.path for module in self.grounds.index.modules}
        modules = set((header.baseline or {}).get("covered", ()))
        chosen = {name: path for name, path in paths.items() if name in modules}
        with self.trying.laid_out(dreams) as folder:
            suite = self._measure(folder)
            return figures_of(suite, covered_by(suite, folder, chosen))

    def _measure(self, folder: Path) -> SuiteMeasured:
        python, seconds = self.grounds.interpreter.path, self.trying.baseline_seconds
        return measure_suite(self.sandbox, folder, python, seconds, self.trying.cache)

    def dream(self, step: Step, allowance: Allowance) -> Dreamt:
        """Let the step's dreamer loose on the step's module."""
        about = self.surveyed.about(step.module, step.path)
        return dream_about(self.dreamers[step.dreamer], about, allowance)

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
            raise MachineryError(f"the dream {each.dream.id} was never tried")
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
