"""The trial of an optimisation: everything of a refactoring, then time and memory.

evidence = try_optimisation(trees, sandbox, plan)
"""

from reverie.errors import MachineryError, UsageError
from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.plan import Effort
from reverie.instruments.benchmark.rounds import NotMeasured
from reverie.model.benchmark import Benchmark
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.evidence import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.trials.large import fitting_calls
from reverie.trials.plan import TrialPlan
from reverie.trials.speeds import note_speeds, required_gain
from reverie.trials.stage_b import RefactoringTrial
from reverie.trials.trees import Trees

_SIZE = 400
_LEAST_SECONDS = 4.0
_MOST_SECONDS = 30.0


def try_optimisation(trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything that stage C asks for, as far as the budget goes."""
    trial = RefactoringTrial(trees, sandbox, plan)
    trial.run()
    if not trial.is_settled and not trial.found.measures.get("equivalence.unknown"):
        _note_speed(trial)
    return trial.found.evidence(Stage.C, trees, sandbox, plan)


def _note_speed(trial: RefactoringTrial) -> None:
    pairs = [(edit, name) for edit, code in trial.changed.items() for name in code.compare]
    if not pairs:
        return
    trial.proofs.require("benchmark")
    measured = [
        (name, _measure(trial, edit, name, len(pairs) - number))
        for number, (edit, name) in enumerate(pairs)
    ]
    note_speeds(trial.found, measured)


def _measure(trial: RefactoringTrial, edit: FileEdit, name: str, left: int) -> Benchmark | None:
    seconds = min(_MOST_SECONDS, trial.plan.seconds_left / left)
    if seconds < _LEAST_SECONDS:
        return None
    required = required_gain(trial.plan.section)
    try:
        calls = fitting_calls(trial.trees, edit, name, trial.sandbox, trial.plan.section)
        if calls is None:
            return None
        comparison = calls.for_speed(_SIZE, trial.plan.seed)
        return compare_speed(trial.sandbox, comparison, required, Effort(budget_seconds=seconds))
    except (UsageError, MachineryError, NotMeasured):
        return None
