"""A workflow under scenarios: the baseline first, then every scenario, runs side by side."""

import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.errors import UsageError
from reverie.model.stress import Preset, ScenarioResult, StressReport
from reverie.model.workflow import Workflow
from reverie.sandbox.engine import Sandbox
from reverie.scoring.resilience import degradation
from reverie.workflows.scenarios.faults import Faults, Usual, plan_runs
from reverie.workflows.scenarios.judging import (
    Baseline,
    conclude,
    describe_raised,
    judge,
    judge_burst,
    output_of,
)
from reverie.workflows.scenarios.runs import StressBench, StressedRun

_FEWEST_CALLS = 6
_BURST_SECONDS = 4.0
_NONE = Preset("normal", "none")


@dataclass(frozen=True, slots=True)
class StressPlan:
    """How a workflow is stressed."""

    presets: Sequence[Preset]
    calls: int = 20
    seed: int = 0
    deadline_seconds: float = 10.0
    budget_seconds: float = 50.0
    """Of one core, over all scenarios: a slow workflow is run fewer times."""
    upstream: Mapping[str, Any] = field(default_factory=dict)


def stress_workflow(
    sandbox: Sandbox,
    workflow: Workflow,
    repository: str,
    plan: StressPlan,
    progress: Callable[[str], None] = lambda text: None,
) -> StressReport:
    """Run a workflow under every preset; `UsageError` when it fails without any fault."""
    began = time.monotonic()
    bench = StressBench(sandbox, workflow, repository, plan.deadline_seconds, plan.upstream)
    with ThreadPoolExecutor(sandbox.section.slots, thread_name_prefix="stress") as pool:
        stress = _Stress(bench, plan, pool)
        stress.measure_baseline()
        progress(f"{stress.calls} calls per scenario")
        results = stress.run_all()
    return StressReport(
        workflow.name,
        stress.calls,
        stress.baseline.p95_seconds,
        stress.baseline.is_repeatable,
        results,
        str(sandbox.tier),
        plan.seed,
        time.monotonic() - began,
    )


class _Stress:
    """One stress run: what is known so far, and the pool that runs work in."""

    def __init__(self, bench: StressBench, plan: StressPlan, pool: ThreadPoolExecutor) -> None:
        self.bench = bench
        self.plan = plan
        self.pool = pool
        self.calls = plan.calls
        self.usual = Usual()
        self.baseline = Baseline("", (), True, {})

    def measure_baseline(self) -> None:
        """Run without faults: it has to work, and tells what there is to hit."""
        first, second = (self._clean(run) for run in range(2))
        self.usual = second.usual
        cost = sum(each.run.duration_ms for each in second.steps) / 1000
        most = self.plan.budget_seconds / max(len(self.plan.presets), 1) / max(cost, 1e-3)
        self.calls = max(min(self.plan.calls, _FEWEST_CALLS), min(self.plan.calls, int(most)))
        runs = [self.pool.submit(self._clean, run) for run in range(self.calls)]
        seconds = tuple(each.result().seconds for each in runs)
        outputs = {output_of(first), output_of(second), *(output_of(r.result()) for r in runs)}
        expected = self.bench.workflow.expected_outputs
        self.baseline = Baseline(output_of(first), seconds, len(outputs) == 1, expected)

    def _clean(self, run: int) -> StressedRun:
        found = self._run(Faults(run, _NONE, self.plan.seed))
        last = found.steps[-1]
        why = None if last.raised is None else describe_raised(last.raised)
        if not last.run.execution.succeeded:
            error = last.run.execution.error
            why = str(last.run.execution.outcome if error is None else error.message)
        if why is not None:
            name = self.bench.workflow.name
            raise UsageError(
                f"workflow {name!r} fails without any fault, in {last.run.name}: {why}"
            )
        return found

    def _run(self, faults: Faults) -> StressedRun:
        return self.bench.run(faults, self.usual, self.calls)

    def run_all(self) -> tuple[ScenarioResult, ...]:
        """Every preset; all runs wait for a slot at once, for many of them only wait."""
        begun = [(preset, self._begin(preset)) for preset in self.plan.presets]
        return tuple(self._finish(preset, runs) for preset, runs in begun)

    def _begin(self, preset: Preset) -> list[Future[StressedRun]]:
        if _is_burst(preset):
            burst = Faults(0, self._bearable(preset), self.plan.seed)
            pair = (burst, replace(burst, in_turn=True))
            return [self.pool.submit(self._run, each) for each in pair]
        planned = plan_runs(preset, self.calls, self.plan.seed)
        return [self.pool.submit(self._run, each) for each in planned]

    def _finish(self, preset: Preset, begun: list[Future[StressedRun]]) -> ScenarioResult:
        runs = [each.result() for each in begun]
        if not _is_burst(preset):
            verdicts = [judge(each, self.baseline) for each in runs]
            return conclude(preset, runs, verdicts, self.baseline)
        at_once, in_turn = runs
        verdict = judge_burst(at_once, in_turn, self.baseline)
        made = at_once.faults.preset
        found = conclude(preset, [at_once], [verdict], self.baseline, _cut(preset, made))
        calls = made.threads + made.tasks
        passed = calls if verdict.passed else max(0, calls - _wrong(at_once, in_turn))
        worse = degradation(passed / calls, in_turn.seconds, at_once.seconds)
        return replace(found, calls=calls, passed=passed, degradation=worse)

    def _bearable(self, preset: Preset) -> Preset:
        """As many tasks as can be made in time; threads are never fewer."""
        cost = statistics.median(self.baseline.seconds)
        most = math.floor(_BURST_SECONDS / max(cost, 1e-3))
        return replace(preset, tasks=min(preset.tasks, max(0, most - preset.threads)))


def _is_burst(preset: Preset) -> bool:
    return bool(preset.threads or preset.tasks) and not preset.is_mix


def _wrong(at_once: StressedRun, in_turn: StressedRun) -> int:
    """Calls of a burst that came to something else; at least one."""
    errors = sum(each.errors for each in at_once.steps)
    missing = 0
    for step, other in zip(at_once.steps, in_turn.steps, strict=False):
        mine, theirs = step.results or {}, other.results or {}
        missing += sum(max(0, times - mine.get(each, 0)) for each, times in theirs.items())
    return max(1, errors, missing)


def _cut(preset: Preset, made: Preset) -> str | None:
    if made.tasks == preset.tasks:
        return None
    return f"{made.tasks} of {preset.tasks} tasks: the workflow is slow"
