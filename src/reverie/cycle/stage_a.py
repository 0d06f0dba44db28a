"""Stage A: tests dreamt up for a module, tried beside the suite, promoted with their proof."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any, ClassVar

from reverie import __version__
from reverie.cycle.dreaming import TestDreaming
from reverie.cycle.grounds import Grounds
from reverie.cycle.pilots import Pilots
from reverie.cycle.proving import TestProving
from reverie.cycle.sharpening import without_objectionable
from reverie.cycle.surveying import (
    Rank,
    SuiteMeasured,
    covered_by,
    figures_of,
    measure_suite,
    survey_grounds,
)
from reverie.cycle.workshop import Allowance, Dreamt, Survey
from reverie.errors import MachineryError
from reverie.model.alignment_section import AlignmentSection
from reverie.model.cycle import CycleDream, CycleHeader, Step, Trial
from reverie.model.dream import Dream, Stage
from reverie.model.execution import Execution, Request
from reverie.model.promotion import Promotion, Proven
from reverie.model.promotion_sections import PromotionSection
from reverie.model.published import Publish, unheard
from reverie.promotion.bundle.environment import read_environment
from reverie.promotion.bundle.keys import SigningKey
from reverie.promotion.bundle.writing import Sealing
from reverie.promotion.offering import offer_dream
from reverie.promotion.promoter import Offer, Promoter
from reverie.sandbox.engine import Recorder, Sandbox

BUNDLES, PATCHES = "bundles", "patches"
_SHARPENINGS = 4
"""A round each for what can be read, what fails, and what notices nothing; and the last word."""


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


class StageAWorkshop:
    """One repository at one revision, and the rooms that write tests for it."""

    stage: ClassVar[Stage] = Stage.A

    def __init__(
        self,
        grounds: Grounds,
        sandbox: Sandbox,
        meter: Meter,
        rank: Rank,
        dreaming: TestDreaming,
        proving: TestProving,
        offering: Offering,
        pilots: Pilots | None = None,
    ) -> None:
        self.pilots = pilots
        self.grounds = grounds
        self.sandbox = sandbox
        self._meter = meter
        self._rank = rank
        self._dreaming = dreaming
        self._proving = proving
        self._offering = offering
        self._promoter = Promoter(
            grounds.repository, offering.section, offering.alignment, offering.publish
        )
        self._trials: dict[str, Trial] = {}
        """Of dreams that were tried while they were made; threads have keys of their own."""

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

    @property
    def proving(self) -> TestProving:
        """Whoever tries what is dreamt."""
        return self._proving

    def survey(self) -> Survey:
        """The suite once with coverage, then the ranking."""
        suite = self._measure(self.grounds.folder)
        return survey_grounds(self.grounds, suite, self._rank, self._dreaming.name)

    def close_up(self, header: CycleHeader, dreams: tuple[Dream, ...]) -> Mapping[str, Any]:
        """The suite once more, with all of the new tests."""
        paths = {module.name: module.path for module in self.grounds.index.modules}
        modules = set((header.baseline or {}).get("covered", ()))
        chosen = {name: path for name, path in paths.items() if name in modules}
        with self._proving.laid_out(dreams) as folder:
            suite = self._measure(folder)
            return figures_of(suite, covered_by(suite, folder, chosen))

    def _measure(self, folder: Path) -> SuiteMeasured:
        python, seconds = self.grounds.interpreter.path, self._proving.baseline_seconds
        return measure_suite(self.sandbox, folder, python, seconds, self._proving.cache)

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """Tests for the step's module, without those that prove nothing of their own."""
        dreamt = self._dreaming.dream(step, seed, allowance)
        return replace(dreamt, dreams=tuple(self._sharpen(each, seed) for each in dreamt.dreams))

    def _sharpen(self, dream: Dream, seed: int) -> Dream:
        """One test that is refused would cost all the others their promotion: it is left out."""
        for _ in range(_SHARPENINGS):
            trial = self._prover(dream).prove(dream, seed)
            self._trials[dream.id] = trial
            sharper = without_objectionable(dream, trial)
            if sharper is None:
                break
            dream = sharper
        return dream

    def _prover(self, dream: Dream) -> TestProving:
        """Whoever tries a dream of this kind."""
        return self._proving

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Trial:
        """Guardrails, trial, rulings and worth."""
        trial = self.try_once(dream, seed)
        return trial if self.pilots is None else self.pilots.settle(dream, trial)

    def prove_together(self, dreams: tuple[Dream, ...], seed: int) -> Trial:
        """Several dreams as one change."""
        return self._proving.prove_together(dreams, seed)

    def try_once(self, dream: Dream, seed: int) -> Trial:
        """The trial that was made while the dream was, or one made now."""
        return self._trials.pop(dream.id, None) or self._proving.prove(dream, seed)

    def has_tried(self, dream: Dream) -> bool:
        """Whether a trial waits to be asked for."""
        return dream.id in self._trials

    def take_over(self, dream: Dream, trial: Trial) -> None:
        """Keep a trial that was made elsewhere; what it is worth is reckoned by the past here."""
        self._trials[dream.id] = self._proving.rescored(dream, trial)

    def choose_branch(self, day: date) -> str | None:
        """The next free name of the day."""
        return self._promoter.choose_branch(day)

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        """Seal the proof, then commit the tests to the branch of the cycle."""
        if each.trial is None:
            raise MachineryError(f"the dream {each.dream.id} was never tried")
        proven = Proven(
            dream=each.dream,
            stage=self.stage_of(each.dream),
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

    def stage_of(self, dream: Dream) -> Stage:
        """What a dream has to go through."""
        return self.stage

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
