"""The trial of an optimisation: everything of a refactoring, then time and memory.

evidence = try_optimisation(trees, sandbox, plan)
"""

from reverie.errors import MachineryError, UsageError
from reverie.instruments.benchmark.instrument import compare_speed
from reverie.instruments.benchmark.plan import Effort
from reverie.model.benchmark import Benchmark, RequiredGain, SpeedVerdict
from reverie.model.change import FileEdit
from reverie.model.dream import Stage
from reverie.model.evidence import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.trials.large import comparison_of
from reverie.trials.plan import TrialPlan
from reverie.trials.stage_b import RefactoringTrial
from reverie.trials.trees import Trees

_SIZE = 400
_LEAST_SECONDS = 4.0
_MOST_SECONDS = 30.0
_SMALL_BYTES = 1 << 18
"""What calls need less than this is not worth weighing."""


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
    by_verdict: dict[SpeedVerdict, list[str]] = {each: [] for each in SpeedVerdict}
    measured: list[Benchmark] = []
    for number, (edit, name) in enumerate(pairs):
        found = _measure(trial, edit, name, len(pairs) - number)
        if found is None:
            by_verdict[SpeedVerdict.HOLD].append(f"{name}: no inputs that grow")
            continue
        if found.difference is not None:
            trial.found.note_names("equivalence.different", [f"{name}: {found.difference}"[:160]])
        measured.append(found)
        by_verdict[found.judgement.verdict].append(f"{name}: {found.judgement.reason}"[:160])
    trial.found.note_names("speed.faster", by_verdict[SpeedVerdict.FASTER])
    trial.found.note_names("speed.slower", by_verdict[SpeedVerdict.SLOWER])
    trial.found.note_names("speed.same", by_verdict[SpeedVerdict.NO_DIFFERENCE])
    trial.found.note_names("speed.unknown", by_verdict[SpeedVerdict.HOLD])
    _note_figures(trial, measured)


def _note_figures(trial: RefactoringTrial, measured: list[Benchmark]) -> None:
    gains = [each.judgement.speedup for each in measured if each.judgement.speedup is not None]
    for percentile in (50, 95, 99):
        lows = [low.low for gain in gains if (low := gain.at(percentile)) is not None]
        if lows:
            trial.found.note(f"speed.p{percentile}", max(lows))
    ratios = [ratio for each in measured if (ratio := _memory(each)) is not None]
    if ratios and len(ratios) == len(measured):
        trial.found.note("memory.ratio", max(ratios))


def _memory(found: Benchmark) -> float | None:
    """New over old of what calls allocate at most; 1 where both need next to nothing."""
    if found.new is None or found.new.peak_bytes is None:
        return None
    if found.new.peak_bytes <= _SMALL_BYTES:
        return 1.0
    return found.memory_ratio


def _measure(trial: RefactoringTrial, edit: FileEdit, name: str, left: int) -> Benchmark | None:
    seconds = min(_MOST_SECONDS, trial.plan.seconds_left / left)
    if seconds < _LEAST_SECONDS:
        return None
    section = trial.plan.section
    required = RequiredGain(section.gain_p50, section.gain_p95, section.gain_p99)
    try:
        comparison = comparison_of(trial.trees, edit, name, _SIZE, trial.plan.seed)
        if comparison is None:
            return None
        return compare_speed(trial.sandbox, comparison, required, Effort(budget_seconds=seconds))
    except (UsageError, MachineryError):
        return None
