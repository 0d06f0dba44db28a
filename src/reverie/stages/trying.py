"""One dream tried on a copy of the repository as it stands, ruled on and reckoned."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from reverie.errors import OutOfTime
from reverie.gates.gate import Matter, Surroundings
from reverie.gates.stages import judge, judge_statically
from reverie.model.change import Change
from reverie.model.cycle import Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.evidence import Evidence
from reverie.model.judgement_sections import GuardSection, RoiSection
from reverie.model.merging import together
from reverie.model.roi import Risk, TrackRecord
from reverie.model.ruling import Answer, Judgement, Ruling, Verdict
from reverie.promotion.scratch import scratch_folder
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.spending import IMPATIENT, PATIENCE, Spending
from reverie.scoring.completion import changed_entropy
from reverie.scoring.raroi import adjust_for_risk, severity_of
from reverie.scoring.roi import roi_of
from reverie.stages.grounds import Grounds
from reverie.stages.sharpening import Tried, settle
from reverie.stages.sources import reach_of
from reverie.trials.plan import LEAST_SECONDS, TrialPlan
from reverie.trials.stages import try_change
from reverie.trials.surroundings import baseline_of, surroundings_of
from reverie.trials.trees import write_trees

UNHURRIED_SECONDS = 3600.0
MOST_RUNS = 100
MANY = 100_000
_TRIAL_SHARE = 0.8
"""Of the time left that a trial plans with: the rest is for what takes longer than planned."""
_WITH_TESTS = (DreamKind.TEST, DreamKind.INTEGRATION)
"""Kinds whose tests Reverie wrote itself."""


@dataclass(frozen=True)
class Trying:
    """Trials of dreams of every kind on a copy of a repository. Threads share it."""

    grounds: Grounds
    sandbox: Sandbox
    guard: GuardSection
    roi: RoiSection
    seconds: float | None = None
    """What one trial may take; None where no clock may decide what is measured."""
    cache: Path | None = None
    """Where baselines and verdicts on mutants are kept from one trial to the next."""
    past: Callable[[Dream], TrackRecord] = lambda dream: TrackRecord()
    """What became of earlier changes of the same kind, or of the same files."""
    weights: Mapping[str, float] = field(default_factory=dict)
    """Of the parts of ROI, as learned from outcomes."""
    least_roi: Mapping[DreamKind, float] = field(default_factory=dict)
    """What a dream of a kind has to be worth at the least."""

    ends_at: float | None = None
    """By `time.monotonic`, when the sandbox ends whatever runs; None: never."""

    @property
    def baseline_seconds(self) -> float:
        """Time that the suite as it stands may take."""
        return self._section.budget_seconds

    def prove(self, dream: Dream, seed: int) -> Trial:
        """Guardrails first; what they refuse is not worth a trial."""
        began = time.monotonic()
        around, kept = self._surroundings, baseline_of(self._files)
        stage, section = dream.kind.stage, self._section
        matter = Matter(stage, dream.change, None, section, around, kept, is_own=True)
        refused = any(each.verdict is Answer.FAIL for each in judge_statically(matter))
        is_cut = False
        if refused:
            evidence = self._nothing(dream, seed)
        else:
            evidence, is_cut = self._try(dream, seed)
        judgement = judge(matter if refused else replace(matter, evidence=evidence))
        if is_cut and judgement.verdict is Verdict.BORDERLINE:
            raise OutOfTime("the time was over before everything was measured")
        seconds = time.monotonic() - began
        score = self._score(evidence, dream, seconds)
        return Trial(evidence, self._worth_enough(dream, judgement, score), score, seconds, 0)

    def settle(self, dream: Dream, seed: int) -> Tried:
        """Try a dream, and less of it where a part is in the way."""
        return settle(dream, lambda each: self.prove(each, seed))

    def rescored(self, tried: Tried) -> Tried:
        """The same trial, with its worth by what is known here."""
        dream, trial = tried.dream, tried.trial
        score = self._score(trial.evidence, dream, trial.seconds)
        return replace(tried, trial=replace(trial, score=score))

    def prove_longer(self, dream: Dream, seed: int, times: int) -> Trial:
        """The same with more repetitions, and more time for them."""
        runs = min(self.guard.runs * times, MOST_RUNS)
        seconds = None if self.seconds is None else self.seconds * times
        longer = replace(self, guard=replace(self.guard, runs=runs), seconds=seconds)
        return longer.prove(dream, seed)

    def prove_together(self, dreams: tuple[Dream, ...], seed: int) -> Trial:
        """Several dreams as one change, of any size: each was small enough by itself.

        It takes as long as all of them may.
        """
        first = dreams[0]
        title = f"{len(dreams)} changes together"
        both = replace(first, title=title, change=together(dream.change for dream in dreams))
        guard = replace(self.guard, files=MANY, test_files=MANY, lines=MANY)
        seconds = None if self.seconds is None else self.seconds * len(dreams)
        return replace(self, guard=guard, seconds=seconds).prove(both, seed)

    @contextmanager
    def laid_out(self, dreams: tuple[Dream, ...]) -> Iterator[Path]:
        """A folder in which all of these dreams have come true."""
        change = together(dream.change for dream in dreams)
        with scratch_folder(avoid=self.grounds.repository) as scratch:
            yield write_trees(self._files, change, scratch).head

    @property
    def _section(self) -> GuardSection:
        return replace(self.guard, budget_seconds=self.seconds or UNHURRIED_SECONDS)

    @cached_property
    def _files(self) -> Mapping[str, bytes]:
        """Every plain file of the copy, by path."""
        found = {}
        for place, _, names in os.walk(self.grounds.folder):
            for name in names:
                path = Path(place, name)
                if path.is_file() and not path.is_symlink():
                    found[path.relative_to(self.grounds.folder).as_posix()] = path.read_bytes()
        return found

    @cached_property
    def _surroundings(self) -> Surroundings:
        return surroundings_of(self._files, self._section)

    def _try(self, dream: Dream, seed: int) -> tuple[Evidence, bool]:
        """What was measured, and whether there was no time for more."""
        section, spending = self._hurried(self._section)
        plan = TrialPlan(
            section,
            seed=seed,
            spending=spending,
            python=self.grounds.interpreter.path,
            fresh=self.grounds.fresh,
            cache=self.cache,
            is_own=dream.kind in _WITH_TESTS,
        )
        with scratch_folder(avoid=self.grounds.repository) as scratch:
            trees = write_trees(self._files, dream.change, scratch)
            evidence = try_change(dream.kind.stage, trees, self.sandbox, plan)
        is_hurried = section.budget_seconds < self._section.budget_seconds
        return evidence, is_hurried and plan.seconds_left < LEAST_SECONDS

    def _hurried(self, section: GuardSection) -> tuple[GuardSection, Spending]:
        """With a clock on the wall where less time is left than a trial may take."""
        if self.ends_at is None:
            return section, Spending()
        left = _TRIAL_SHARE * max(self.ends_at - time.monotonic(), 0.0)
        if left >= PATIENCE * section.budget_seconds:
            return section, Spending()
        return replace(section, budget_seconds=max(left, 1.0)), Spending(IMPATIENT)

    def _nothing(self, dream: Dream, seed: int) -> Evidence:
        """Of a change that was refused unseen."""
        command = ("reverie", "guard", "--stage", str(dream.kind.stage), "--static")
        hashes = {"change": dream.change.digest}
        return Evidence({}, seed, self.sandbox.tier, command, hashes=hashes)

    def _worth_enough(
        self, dream: Dream, judgement: Judgement, score: Mapping[str, Any]
    ) -> Judgement:
        least, roi = self.least_roi.get(dream.kind), score.get("roi")
        if least is None or roi is None or roi >= least:
            return judgement
        said = f"an {dream.kind} has to be worth more"
        short = Ruling("roi", Answer.FAIL, "roi_below_minimum", said, roi, least)
        return Judgement((*judgement.rulings, short), judgement.needs)

    def _score(self, evidence: Evidence, dream: Dream, seconds: float) -> Mapping[str, Any]:
        """What the dream is worth, part by part, in minutes; nothing where nothing was measured."""
        if not evidence.measures:
            return {}
        # Not evidence: another machine takes another time.
        spent = replace(evidence, measures={**evidence.measures, "compute.minutes": seconds / 60})
        changed = dream.change.lines_changed
        roi = roi_of([spent], self.roi, lines_changed=changed, weights=self.weights)
        if roi.minutes is None:
            return {}
        past = self.past(dream)
        laid_down = self.roi.severity_of(edit.path for edit in dream.change.edits)
        severity = laid_down or severity_of(reach=self._reach(dream))
        risk = Risk(past.bad, past.kept, severity)
        adjusted = adjust_for_risk(roi.minutes, risk)
        parts = {f"benefit: {part.name}": part.minutes for part in roi.benefit}
        costs = {f"cost: {part.name}": part.minutes for part in roi.cost}
        chance = {"rollback_probability": adjusted.rollback_probability}
        entropy = _entropy_of(dream.change)
        known = {} if entropy is None else {"entropy": entropy}
        return {"roi": roi.minutes, "raroi": adjusted.minutes, **chance, **known, **parts, **costs}

    def _reach(self, dream: Dream) -> float:
        """The share of modules that what goes wrong reaches: nothing imports a test."""
        index = self.grounds.index
        changed = {edit.path for edit in dream.change.edits if edit.before is not None}
        names = (module.name for module in index.modules if module.path in changed)
        return max((reach_of(index, name) for name in names), default=0.0)


def _entropy_of(change: Change) -> float | None:
    """Over the kinds of syntax that a change adds or removes, in bits."""
    edits = [edit for edit in change.edits if edit.path.endswith(".py")]
    before = "\n".join(edit.before or "" for edit in edits)
    return changed_entropy(before, "\n".join(edit.after or "" for edit in edits))
