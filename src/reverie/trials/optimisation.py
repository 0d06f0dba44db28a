"""The trial of a faster variant of one callable: the same answers first, then paired times.

What stage C measures and asks, without the suite of a repository, which a file alone has not.
"""

import hashlib
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from reverie.errors import MachineryError, UsageError
from reverie.gates.gate import Matter
from reverie.gates.stages import judge_callable
from reverie.instruments.benchmark.instrument import compare_speed, measure_growth
from reverie.instruments.benchmark.plan import Effort
from reverie.instruments.benchmark.rounds import Comparison
from reverie.instruments.benchmark.target import Inputs, parse_target
from reverie.model.benchmark import Benchmark, SpeedVerdict
from reverie.model.call import Call
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.judgement_sections import GuardSection
from reverie.model.optimisation import OptimisationTrial
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan
from reverie.trials.speeds import note_speeds, required_gain
from reverie.trials.stage_b import RefactoringTrial
from reverie.trials.trees import Trees, write_trees

_TIMING_SHARE = 0.6
"""Of what is left after comparing; the rest is for the growth."""
_GROWTH_SECONDS = 15.0
_LEAST_SECONDS = 6.0
"""What was found to behave alike is timed, however late it is."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is to be made faster: a callable in a file among its relatives, and its inputs."""

    files: Mapping[str, bytes]
    path: str
    """Of its file, among `files`."""
    source: str
    entry: str
    inputs: Inputs
    size: int
    seed: int
    samples: tuple[Call, ...] = ()
    """Calls that are like real ones: compared before those that are made up."""
    section: GuardSection = field(default_factory=GuardSection)


def try_variant(
    sandbox: Sandbox, question: Question, source: str, pattern: str, seconds: float
) -> OptimisationTrial:
    """Judge one variant. Times are only taken where the answers are the same."""
    edit = FileEdit(
        question.path, question.source, source, mode_before="100644", mode_after="100644"
    )
    change = Change((edit,))
    section = replace(question.section, budget_seconds=seconds)
    with tempfile.TemporaryDirectory() as scratch:
        trees = write_trees(question.files, change, Path(scratch))
        plan = TrialPlan(section, seed=question.seed, samples={question.entry: question.samples})
        trial = RefactoringTrial(trees, sandbox, plan)
        trial.found.note_complexity(change, section)
        trial.note_equivalence()
        benchmark = None
        if not trial.is_settled and not trial.found.measures.get("equivalence.unknown"):
            benchmark = _compare_speed(sandbox, question, trees, plan)
            note_speeds(trial.found, [(question.entry, benchmark)])
        evidence = trial.found.evidence(Stage.C, trees, sandbox, plan)
    return OptimisationTrial(
        hashlib.sha256(source.encode()).hexdigest()[:16],
        pattern,
        source,
        edit.diff(),
        trial.answers.get(question.entry),
        benchmark,
        judge_callable(Matter(Stage.C, change, evidence, section)),
    )


def _compare_speed(
    sandbox: Sandbox, question: Question, trees: Trees, plan: TrialPlan
) -> Benchmark | None:
    old, new = (
        parse_target(f"{tree / question.path}:{question.entry}")
        for tree in (trees.base, trees.head)
    )
    comparison = Comparison(old, new, question.inputs, question.size, question.seed)
    effort = Effort(budget_seconds=max(_LEAST_SECONDS, _TIMING_SHARE * plan.seconds_left))
    try:
        found = compare_speed(sandbox, comparison, required_gain(plan.section), effort)
        if found.judgement.verdict is SpeedVerdict.FASTER:
            seconds = min(_GROWTH_SECONDS, max(1.0, plan.seconds_left))
            effort = replace(effort, budget_seconds=seconds)
            found = replace(found, growth=measure_growth(sandbox, comparison, effort))
    except (UsageError, MachineryError):
        return None
    return found
