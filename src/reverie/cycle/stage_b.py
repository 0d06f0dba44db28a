"""Stage B: refactorings of a module, each tried by itself, promoted with its proof."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from reverie.cycle.grounds import Grounds
from reverie.cycle.proving import TestProving
from reverie.cycle.refactoring import Target as RefactorTarget
from reverie.cycle.refactoring import among, imagine
from reverie.cycle.sources import content_hashes, reach_of, source_hashes
from reverie.cycle.stage_a import StageAWorkshop
from reverie.cycle.surveying import covered_by, figures_of
from reverie.cycle.workshop import Allowance, Dreamt, Survey, Target
from reverie.dreamers.refactor.proposals import Proposal, proposal_of
from reverie.errors import UsageError
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Step
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.judgement_sections import GuardSection
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trial_tree import read_files
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan
from reverie.trials.refactoring import Idea, Setting
from reverie.trials.stage_b import try_refactoring
from reverie.trials.trees import write_trees

_MOST_DREAMS = 20
"""Of one module in one cycle: a night has other modules too."""


@dataclass(frozen=True)
class RefactorDreaming:
    """The refactoring dreamer on a copy of a repository. Threads share it."""

    grounds: Grounds
    sandbox: Sandbox
    guard: GuardSection

    @property
    def name(self) -> str:
        """As it stands in the journal."""
        return "refactor"

    @cached_property
    def ideas(self) -> Mapping[str, tuple[Idea, ...]]:
        """By path, those first that save a reader most."""
        files = read_files(self.grounds.folder)
        try:
            target: RefactorTarget = among(files, self.grounds.folder, "", None, self.guard)
        except UsageError:
            return {}
        found: dict[str, list[Idea]] = {}
        for idea in imagine(self.sandbox, target, Setting(files, True, self.guard)):
            found.setdefault(idea.path, []).append(idea)
        return {path: tuple(ideas) for path, ideas in found.items()}

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """Changes of one module that can be made beside one another."""
        ideas = self.ideas.get(step.path, ())
        most = min(allowance.budget.dreams or _MOST_DREAMS, _MOST_DREAMS)
        chosen = _beside_one_another(ideas)[:most]
        note = None if chosen else "nothing that is known to be clearer fits"
        dreams = tuple(self._told(idea, step, seed) for idea in chosen)
        return Dreamt(dreams, figures={"imagined": float(len(ideas))}, note=note)

    def _told(self, idea: Idea, step: Step, seed: int) -> Dream:
        edit = FileEdit(
            idea.path, idea.before, idea.after, mode_before="100644", mode_after="100644"
        )
        return Dream(DreamKind.REFACTOR, self.name, step.module, idea.title, Change((edit,)), seed)


def _beside_one_another(ideas: tuple[Idea, ...]) -> list[Idea]:
    chosen: list[Idea] = []
    taken: list[Proposal] = []
    for idea in ideas:
        proposal = proposal_of(idea.pattern, idea.title, idea.before, idea.after)
        if proposal is not None and proposal.goes_with(taken):
            chosen.append(idea)
            taken.append(proposal)
    return chosen


class RefactorProving(TestProving):
    """Trials of refactorings on a copy of a repository."""

    stage: ClassVar[Stage] = Stage.B

    def _try(self, change: Change, seed: int) -> Evidence:
        python = self.grounds.interpreter.path
        with scratch_folder(avoid=self.grounds.repository) as scratch:
            plan = TrialPlan(self._section, seed=seed, python=python, cache=self.cache)
            return try_refactoring(write_trees(self._files, change, scratch), self.sandbox, plan)

    def _reach(self, dream: Dream) -> float:
        """The share of modules that import it, directly or not."""
        return reach_of(self.grounds.index, dream.module)


class StageBWorkshop(StageAWorkshop):
    """One repository at one revision, and the rooms that refactor it."""

    stage: ClassVar[Stage] = Stage.B
    refactoring: RefactorDreaming

    def survey(self) -> Survey:
        """The suite once with coverage, and every module that a refactoring is known for."""
        suite = self._measure(self.grounds.folder)
        hashes = source_hashes(self.grounds.index, str(self.grounds.interpreter.path))
        names = {module.path: module.name for module in self.grounds.index.modules}
        ideas = {p: found for p, found in self.refactoring.ideas.items() if p in names}
        own = content_hashes(self.grounds.index)
        targets = [
            Target(
                self.refactoring.name,
                names[path],
                path,
                hashes[names[path]],
                float(len(found)),
                own[names[path]],
            )
            for path, found in ideas.items()
        ]
        targets.sort(key=lambda each: (-(each.value or 0.0), each.path))
        paths = {names[path]: path for path in ideas}
        figures = figures_of(suite, covered_by(suite, self.grounds.folder, paths))
        return Survey(tuple(targets), {**figures, "notes": []})

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """Refactorings of the step's module."""
        return self.refactoring.dream(step, seed, allowance)
