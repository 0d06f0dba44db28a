"""The trial of one refactoring: as stage B asks, or as far as a file alone can show."""

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from reverie.gates.gate import Matter
from reverie.gates.judge import judge, judge_callable, judge_statically
from reverie.gates.quality import clarity_of
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.measurements.attempts import RefactoringTried
from reverie.model.measurements.equivalence import Equivalence
from reverie.model.ruling import Answer, Evidence, Judgement
from reverie.model.sections import EquivalenceSection
from reverie.model.settings.judgement import GuardSection
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan, baseline_of, surroundings_of, write_trees
from reverie.trials.refactoring_trial import RefactoringTrial


@dataclass(frozen=True, slots=True)
class Setting:
    """Where refactorings are tried: all files around, and whether their tests have a say."""

    files: Mapping[str, bytes]
    has_suite: bool
    guard: GuardSection = field(default_factory=GuardSection)
    equivalence: EquivalenceSection = field(default_factory=EquivalenceSection)
    seed: int = 0
    python: str | None = None
    cache: Path | None = None


@dataclass(frozen=True, slots=True)
class Idea:
    """One new text of one file."""

    path: str
    before: str
    after: str
    pattern: str
    title: str
    entry: str | None = None


def try_idea(sandbox: Sandbox, setting: Setting, idea: Idea, seconds: float) -> RefactoringTried:
    """Guardrails first; what they refuse is not tried."""
    edit = FileEdit(idea.path, idea.before, idea.after, mode_before="100644", mode_after="100644")
    change = Change((edit,))
    section = replace(setting.guard, budget_seconds=seconds)
    around = surroundings_of(setting.files, section)
    matter = Matter(Stage.B, change, None, section, around, baseline_of(setting.files))
    plan = TrialPlan(
        section,
        seed=setting.seed,
        python=setting.python,
        cache=setting.cache,
        equivalence=setting.equivalence,
    )
    if any(each.verdict is Answer.FAIL for each in judge_statically(matter)):
        command = ("reverie", "guard", "--stage", "B", "--static")
        hashes = {"change": change.digest}
        evidence = Evidence({}, setting.seed, sandbox.tier, command, hashes=hashes)
        return _tried(idea, edit, judge(matter), evidence, None)
    evidence, answers = _measure(sandbox, setting, change, plan)
    matter = replace(matter, evidence=evidence)
    ruled = judge(matter) if setting.has_suite else judge_callable(matter)
    compared = answers.get(idea.entry or "", next(iter(answers.values()), None))
    return _tried(idea, edit, ruled, evidence, compared)


def _measure(
    sandbox: Sandbox, setting: Setting, change: Change, plan: TrialPlan
) -> tuple[Evidence, Mapping[str, Equivalence]]:
    with tempfile.TemporaryDirectory() as scratch:
        trees = write_trees(setting.files, change, Path(scratch))
        trial = RefactoringTrial(trees, sandbox, plan)
        if setting.has_suite:
            trial.run()
        else:
            trial.found.note_complexity(change, plan.section)
            trial.note_equivalence()
            if not trial.is_settled:
                trial.note_effects(is_late=True)
        return trial.found.evidence(Stage.B, trees, sandbox, plan), trial.answers


def _tried(
    idea: Idea,
    edit: FileEdit,
    judgement: Judgement,
    evidence: Evidence,
    equivalence: Equivalence | None,
) -> RefactoringTried:
    told = f"{idea.path}\0{idea.after}".encode("utf-8", "surrogatepass")
    return RefactoringTried(
        id=hashlib.sha256(told).hexdigest()[:16],
        pattern=idea.pattern,
        title=idea.title,
        path=idea.path,
        source=idea.after,
        patch=edit.diff(),
        gain=clarity_of(idea.after).gain_over(clarity_of(idea.before)),
        equivalence=equivalence,
        evidence=evidence,
        judgement=judgement,
    )
