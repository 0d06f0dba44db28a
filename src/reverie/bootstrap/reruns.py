"""Runs the trial of a proven dream again: what `reverie verify` compares a bundle with."""

from collections.abc import Mapping
from dataclasses import fields, replace
from functools import partial
from pathlib import Path
from typing import Any

from reverie.bootstrap import open_sandbox
from reverie.bootstrap.environments import generated_beside
from reverie.gates.gate import Matter
from reverie.gates.stages import judge
from reverie.model.environment import Surroundings
from reverie.model.judgement_sections import GuardSection
from reverie.model.promotion import Proven
from reverie.promotion.bundle.verification import Rerun, Rerunner
from reverie.promotion.generated import lay_files
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trial_tree import read_files
from reverie.settings import Loaded
from reverie.trials.plan import TrialPlan
from reverie.trials.stages import try_change
from reverie.trials.surroundings import surroundings_of
from reverie.trials.trees import write_trees

UNHURRIED_SECONDS = 1800.0
"""A slower machine gets at least so much: time is no part of a claim."""


def rerun_trials(loaded: Loaded, around: Surroundings) -> Rerunner:
    """Same stage, seed and limits as in the proof, in the sandbox of this machine."""
    return partial(_rerun, loaded, around)


def _rerun(loaded: Loaded, around: Surroundings, proven: Proven, folder: Path) -> Rerun:
    settings = loaded.settings
    section = under(settings.guard, proven.evidence.limits)
    files, change = read_files(folder), proven.dream.change
    with scratch_folder(avoid=folder) as scratch, open_sandbox(settings.sandbox) as sandbox:
        plan = TrialPlan(
            section,
            seed=proven.evidence.seed,
            python=around.python,
            cache=scratch / "cache",
            equivalence=settings.equivalence,
        )
        trees = write_trees(files, change, scratch / "trees")
        generated = generated_beside(loaded.repository, around, change)
        for each in (trees.base, trees.head):
            lay_files(each, generated)
        evidence = try_change(proven.stage, trees, sandbox, plan)
    beside = surroundings_of(files, section)
    matter = Matter(proven.stage, change, evidence, section, beside, is_own=True)
    return Rerun(evidence, judge(matter))


def under(section: GuardSection, limits: Mapping[str, float]) -> GuardSection:
    """The section with the numbers that a trial ran under, where it told them."""
    told: dict[str, Any] = {
        each.name: type(value)(limits[each.name])
        for each in fields(section)
        if each.name in limits and isinstance(value := getattr(section, each.name), int | float)
    }
    patient = max(told.get("budget_seconds", 0.0), UNHURRIED_SECONDS)
    return replace(section, **{**told, "budget_seconds": patient})
