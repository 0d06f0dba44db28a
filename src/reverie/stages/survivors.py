"""Planted faults of one module that no test of its repository notices.

found = find_survivors(survey, Effort(cpu_seconds=5.0))
found.alive         # the mutants; None where there is no suite to ask
"""

import math
from dataclasses import dataclass

from reverie.errors import MachineryError, SandboxLost, UsageError
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sandbox_side import FarSide
from reverie.model.measurements.suite import JudgedMutant, MutantVerdict
from reverie.stages.dreamer import Survey

_ALIVE = (MutantVerdict.SURVIVED, MutantVerdict.NOT_COVERED)


@dataclass(frozen=True, slots=True)
class Effort:
    """What looking for them may cost."""

    cpu_seconds: float = math.inf
    baseline_seconds: float = 120.0
    sample: int | None = None
    """How many mutants at most; None: as many as there is time for."""
    workers: int = 1


@dataclass(frozen=True, slots=True)
class Survivors:
    """What was asked of a suite about one module."""

    alive: tuple[JudgedMutant, ...]
    judged: int
    """How many mutants have a verdict that counts."""
    root: str
    """The tree that they were planted in."""


def find_survivors(survey: Survey, effort: Effort) -> Survivors | None:
    """Those of the module in mind; None where no suite can be asked."""
    folder, python = survey.grounds.folder, survey.grounds.interpreter.path
    try:
        lines = (folder / survey.path).read_bytes().count(b"\n") + 1
        part = survey.grounds.part
        tests = () if part is None else tuple(f"{folder}/{each}" for each in part.files)
        project = find_project(folder, tests=tests, python=python)
        far = FarSide(
            survey.sandbox,
            project,
            exhaustive=False,
            baseline_seconds=effort.baseline_seconds,
            looks_alone=False,
        )
        wishes = Wishes(
            only_lines={survey.path: frozenset(range(1, lines + 1))},
            sample=effort.sample,
            verified_share=0.0,
            shams=0,
            workers=effort.workers,
            cpu_seconds=effort.cpu_seconds,
            cache=VerdictCache(survey.cache),
        )
        report = Campaign(far, wishes).run()
    except SandboxLost:
        raise
    except (UsageError, MachineryError):
        return None
    counted = [each for each in report.judged if each.verdict.counts]
    alive = tuple(each for each in counted if each.verdict in _ALIVE)
    return Survivors(alive, len(counted), project.root)
