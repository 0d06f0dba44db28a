"""Stage C: hot callables made faster, tried beside the suite, held until two people approve."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from reverie.cycle.grounds import Grounds
from reverie.cycle.hotspots import LEAST_SECONDS, Hotspot, find_hotspots, optimise_hotspots
from reverie.cycle.sources import content_hashes, source_hashes
from reverie.cycle.stage_a import StageAWorkshop
from reverie.cycle.stage_b import RefactorProving
from reverie.cycle.surveying import covered_by, figures_of
from reverie.cycle.workshop import Allowance, Dreamt, Survey, Target
from reverie.instruments.profiling import profile_suite
from reverie.model.analysis_sections import CandidatesSection
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Step
from reverie.model.dream import Dream, DreamKind, Stage
from reverie.model.evidence import Evidence
from reverie.model.judgement_sections import GuardSection
from reverie.model.optimisation import Optimisation
from reverie.model.profile import Profile
from reverie.promotion.scratch import scratch_folder
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan
from reverie.trials.stage_c import try_optimisation
from reverie.trials.trees import write_trees

_UNHURRIED_SECONDS = 120.0


@dataclass(frozen=True)
class OptimiseDreaming:
    """The optimising dreamer on a copy of a repository. Threads share it."""

    grounds: Grounds
    sandbox: Sandbox
    guard: GuardSection
    candidates: CandidatesSection

    @property
    def name(self) -> str:
        """As it stands in the journal."""
        return "optimise"

    @cached_property
    def profile(self) -> Profile:
        """Where the suite spends its time."""
        python = self.grounds.interpreter.path
        return profile_suite(self.sandbox, self.grounds.index, self.candidates, python)

    @cached_property
    def spots(self) -> Mapping[str, tuple[Hotspot, ...]]:
        """Callables that can be timed and that a rewrite fits, by path, hottest first."""
        found: dict[str, list[Hotspot]] = {}
        for spot in find_hotspots(self.grounds.index, self.profile):
            if spot.has_inputs:
                found.setdefault(spot.path, []).append(spot)
        return {path: tuple(spots) for path, spots in found.items()}

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """A dream for each callable of the module that was proven faster by itself."""
        began = time.monotonic()
        seconds = allowance.budget.seconds or _UNHURRIED_SECONDS
        dreams: list[Dream] = []
        tried = 0
        for spot in self.spots.get(step.path, ()):
            left = seconds - (time.monotonic() - began)
            if allowance.is_stopped() or (tried and left < LEAST_SECONDS):
                break
            tried += 1
            for found in optimise_hotspots(
                self.sandbox, self.grounds.folder, (spot,), left, self.guard, seed
            ):
                dreams += self._told(found, spot, step, seed)
        note = None if dreams else f"nothing was proven faster in {tried} callables"
        return Dreamt(tuple(dreams), figures={"callables": float(tried)}, note=note)

    def _told(self, found: Optimisation, spot: Hotspot, step: Step, seed: int) -> list[Dream]:
        best = found.best
        if best is None:
            return []
        before = Path(self.grounds.folder, spot.path).read_bytes().decode("utf-8-sig")
        edit = FileEdit(spot.path, before, best.source, mode_before="100644", mode_after="100644")
        title = f"Speed up {spot.qualname} ({best.pattern})"
        return [Dream(DreamKind.OPTIMISATION, self.name, step.module, title, Change((edit,)), seed)]


class OptimiseProving(RefactorProving):
    """Trials of optimisations on a copy of a repository."""

    stage: ClassVar[Stage] = Stage.C

    def _try(self, change: Change, seed: int) -> Evidence:
        python = self.grounds.interpreter.path
        with scratch_folder(avoid=self.grounds.repository) as scratch:
            plan = TrialPlan(self._section, seed=seed, python=python, cache=self.cache)
            return try_optimisation(write_trees(self._files, change, scratch), self.sandbox, plan)


class StageCWorkshop(StageAWorkshop):
    """One repository at one revision, and the rooms that make it faster."""

    stage: ClassVar[Stage] = Stage.C
    optimising: OptimiseDreaming

    def survey(self) -> Survey:
        """The suite with coverage and under a profiler; modules with hot callables first."""
        suite = self._measure(self.grounds.folder)
        hashes = source_hashes(self.grounds.index, str(self.grounds.interpreter.path))
        names = {module.path: module.name for module in self.grounds.index.modules}
        spots = {path: each for path, each in self.optimising.spots.items() if path in names}
        own = content_hashes(self.grounds.index)
        targets = [
            Target(
                self.optimising.name,
                names[path],
                path,
                hashes[names[path]],
                _heat(each),
                own[names[path]],
            )
            for path, each in spots.items()
        ]
        targets.sort(key=lambda each: (-(each.value or 0.0), each.path))
        paths = {names[path]: path for path in spots}
        figures = figures_of(suite, covered_by(suite, self.grounds.folder, paths))
        problem = self.optimising.profile.problem
        notes = [] if problem is None else [f"the suite could not be profiled: {problem}"]
        return Survey(tuple(targets), {**figures, "notes": notes})

    def dream(self, step: Step, seed: int, allowance: Allowance) -> Dreamt:
        """Faster callables of the step's module."""
        return self.optimising.dream(step, seed, allowance)


def _heat(spots: tuple[Hotspot, ...]) -> float:
    """Seconds of their own that the callables take in one run of the suite."""
    return sum(each.cost.own_seconds for each in spots if each.cost is not None)
