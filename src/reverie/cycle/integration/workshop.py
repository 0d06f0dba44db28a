"""A cycle that integrates: what nothing uses, tested, tried and promoted like anything else."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import ClassVar

from reverie.cycle.integration.candidates import Candidate, Rules, find_candidates
from reverie.cycle.integration.dreaming import DREAMER, IntegrationDreaming, front_of, without_front
from reverie.cycle.proving import TestProving
from reverie.cycle.sources import reach_of
from reverie.cycle.stage_a import StageAWorkshop
from reverie.cycle.surveying import covered_by, figures_of
from reverie.cycle.workshop import Allowance, Dreamt, Survey, Target
from reverie.model.change import Change
from reverie.model.cycle import Step, Trial
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.ruling import Answer, Judgement, Ruling, Verdict
from reverie.promotion.scratch import scratch_folder
from reverie.trials.integration import ReadTree, tree_of, try_integration
from reverie.trials.plan import TrialPlan
from reverie.trials.trees import write_trees


@dataclass(frozen=True)
class IntegrationProving(TestProving):
    """Trials of integrations on a copy of a repository."""

    stage: ClassVar[Stage] = Stage.INTEGRATION

    min_roi: float = 0.0

    def prove(self, dream: Dream, seed: int) -> Trial:
        """As for any dream; what is worth too little is refused besides."""
        trial = super().prove(dream, seed)
        roi = trial.score.get("roi")
        if roi is None or roi >= self.min_roi:
            return trial
        said = "an integration has to be worth more"
        short = Ruling("roi", Answer.FAIL, "roi_below_minimum", said, roi, self.min_roi)
        judged = Judgement((*trial.judgement.rulings, short), trial.judgement.needs)
        return replace(trial, judgement=judged)

    def _try(self, change: Change, seed: int) -> Evidence:
        python = self.grounds.interpreter.path
        with scratch_folder(avoid=self.grounds.repository) as scratch:
            plan = TrialPlan(self._section, seed=seed, python=python, cache=self.cache, is_own=True)
            return try_integration(write_trees(self._files, change, scratch), self.sandbox, plan)

    def _reach(self, dream: Dream) -> float:
        """Whoever imports the package whose front is changed."""
        changed = {edit.path for edit in dream.change.edits if edit.before is not None}
        index = self.grounds.index
        fronts = (module.name for module in index.modules if module.path in changed)
        return max((reach_of(index, name) for name in fronts), default=0.0)


class IntegrationWorkshop(StageAWorkshop):
    """One repository at one revision, and the rooms that integrate what nothing uses."""

    stage: ClassVar[Stage] = Stage.INTEGRATION
    integrating: IntegrationDreaming
    integration: IntegrationProving
    rules: Rules
    with_tests: bool = False
    """Whether tests are dreamt up besides, as at stage A."""

    @cached_property
    def tree(self) -> ReadTree:
        """The copy, read for its orphans."""
        return tree_of(self.grounds.index, self.grounds.folder, self.rules.orphans)

    @cached_property
    def candidates(self) -> dict[str, Candidate]:
        """By path."""
        ground = str(self.grounds.interpreter.path)
        found = find_candidates(self.tree, self.rules, ground)
        return {each.module.path: each for each in found}

    @cached_property
    def _first_of(self) -> dict[str, str]:
        """By the front of a package: two changes of it in one cycle would meet."""
        found: dict[str, str] = {}
        for path, each in self.candidates.items():
            found.setdefault(front_of(each), path)
        return found

    def survey(self) -> Survey:
        """The suite once with coverage, and every module that nothing uses."""
        own = tuple(
            Target(DREAMER, each.module.name, path, each.source_hash, each.value)
            for path, each in self.candidates.items()
        )
        if self.with_tests:
            survey = super().survey()
            return replace(survey, targets=(*own, *survey.targets))
        suite = self._measure(self.grounds.folder)
        paths = {each.module: each.path for each in own}
        figures = figures_of(suite, covered_by(suite, self.grounds.folder, paths))
        return Survey(own, {**figures, "notes": []})

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """The step's module tested, and told as a dream when that went well."""
        if step.dreamer != DREAMER:
            return super().dream(step, seed, allowance)
        candidate = self.candidates[step.path]
        is_first = self._first_of[front_of(candidate)] == step.path
        dreamt = self.integrating.dream(candidate, seed, allowance, with_front=is_first)
        return replace(dreamt, dreams=tuple(self._settled(each, seed) for each in dreamt.dreams))

    def _settled(self, dream: Dream, seed: int) -> Dream:
        """With the front of the package if that holds; else the tests alone."""
        whole = self._sharpen(dream, seed)
        bare = without_front(whole)
        if bare is None or self._trials[whole.id].judgement.verdict is Verdict.PROMOTE:
            return whole
        bare = self._sharpen(bare, seed)
        is_better = self._trials[bare.id].judgement.verdict is Verdict.PROMOTE
        return bare if is_better else whole

    def prove(self, dream: Dream, seed: int, is_stopped: Callable[[], bool]) -> Trial:
        """Guardrails, trial, rulings and worth."""
        if dream.kind is not DreamKind.INTEGRATION:
            return super().prove(dream, seed, is_stopped)
        return self._trials.pop(dream.id, None) or self.integration.prove(dream, seed)

    def _prover(self, dream: Dream) -> TestProving:
        return self.integration if dream.kind is DreamKind.INTEGRATION else self._proving

    def stage_of(self, dream: Dream) -> Stage:
        """What a dream has to go through: tests of their own are stage A."""
        return Stage.INTEGRATION if dream.kind is DreamKind.INTEGRATION else Stage.A
