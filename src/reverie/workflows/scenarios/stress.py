"""A workflow under scenarios: the baseline first, then every scenario, runs side by side.

Whether a stressed run passed, and what a scenario came to, is judged here.
"""

import json
import math
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import Any

from reverie.errors import UsageError
from reverie.model.measurements.stress import Preset, ScenarioResult, StressReport, Survival
from reverie.model.workflow import Workflow
from reverie.sandbox.engine import Sandbox
from reverie.scoring.workflows import degradation, p95
from reverie.workflows.answers import first_unmet
from reverie.workflows.scenarios.runs import (
    Faults,
    Raised,
    StressBench,
    StressedRun,
    StressedStep,
    Usual,
    plan_runs,
)

_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_DRIFTS = frozenset({"dropped", "renamed", "retyped"})


@dataclass(frozen=True, slots=True)
class Baseline:
    """The workflow without faults."""

    output: str
    seconds: tuple[float, ...]
    is_repeatable: bool
    expected: Mapping[str, Any]

    @property
    def p95_seconds(self) -> float:
        """What 95 of 100 runs stay below."""
        return p95(self.seconds) or 0.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """What one run came to; `why` is None when it passed."""

    why: str | None = None
    step: str | None = None
    is_changed: bool = False
    """Whether it returned something else than without faults."""

    @property
    def passed(self) -> bool:
        """Whether it passed."""
        return self.why is None


def output_of(run: StressedRun) -> str:
    """What the last step returned, as text that can be compared."""
    last = run.steps[-1].run
    if last.output_text is not None:
        return _ADDRESS.sub("0x", f"{last.output_type} {last.output_text}")
    return json.dumps(last.output, sort_keys=True)


def judge(run: StressedRun, baseline: Baseline) -> Verdict:
    """A run passes when it returns, or refuses input that was changed; and does no harm."""
    for step in run.steps:
        if step.harm:
            return Verdict(step.harm[0], step.run.name)
    last = run.steps[-1]
    is_tainted = run.faults.changes_input or bool(_DRIFTS & run.fired.keys())
    if last.raised is not None:
        if is_tainted and last.raised.refused:
            return Verdict()
        return Verdict(describe_raised(last.raised), last.run.name)
    if not last.run.execution.succeeded:
        return Verdict(_outcome(last), last.run.name)
    if is_tainted:
        return Verdict()
    unmet = first_unmet(baseline.expected, [each.run for each in run.steps], run.files)
    if unmet is not None:
        return Verdict(unmet)
    return Verdict(is_changed=baseline.is_repeatable and output_of(run) != baseline.output)


def judge_burst(at_once: StressedRun, in_turn: StressedRun, baseline: Baseline) -> Verdict:
    """A burst passes when it comes to what the same calls come to one after another."""
    for step, other in zip(at_once.steps, in_turn.steps, strict=False):
        name = step.run.name
        if step.raised is not None and (step.errors > other.errors or other.raised is None):
            return Verdict(describe_raised(step.raised), name)
        if not step.run.execution.succeeded and other.run.execution.succeeded:
            return Verdict(_outcome(step), name)
        if baseline.is_repeatable and step.results != other.results:
            lost = sum((Counter(other.results) - Counter(step.results)).values())
            return Verdict(f"{lost} of the results are not those of calls in turn", name)
    if baseline.is_repeatable and _lines(at_once.files) != _lines(in_turn.files):
        return Verdict("the files are not those that calls in turn leave")
    return Verdict()


def _lines(files: Mapping[str, bytes]) -> dict[str, list[bytes]]:
    """Files as they compare when the order of lines does not count."""
    return {name: sorted(data.splitlines()) for name, data in files.items()}


def _outcome(step: StressedStep) -> str:
    execution = step.run.execution
    said = "" if execution.error is None else f": {execution.error.message}"
    return f"{execution.outcome}{said}"[:300]


def describe_raised(raised: Raised) -> str:
    """An exception in a line."""
    where = f" at {raised.where}" if raised.where else ""
    return f"{raised.type_name}: {raised.message}{where}"


def conclude(
    preset: Preset,
    runs: Sequence[StressedRun],
    verdicts: Sequence[Verdict],
    baseline: Baseline,
    note: str | None = None,
) -> ScenarioResult:
    """The result of a scenario from all of its runs."""
    fired = sum((Counter(run.fired) for run in runs), Counter[str]())
    if not fired:
        return ScenarioResult(
            preset, Survival.NOT_EXERCISED, calls=len(runs), note=why_not(preset, runs)
        )
    failures = [each for each in verdicts if not each.passed]
    passed = len(verdicts) - len(failures)
    own = p95([each.seconds for each in runs]) or 0.0
    return ScenarioResult(
        preset,
        Survival.FAILED if failures else Survival.SURVIVED,
        dict(sorted(fired.items())),
        calls=len(verdicts),
        passed=passed,
        p95_seconds=own,
        degradation=degradation(passed / len(verdicts), baseline.p95_seconds, own),
        failure=failures[0].why if failures else None,
        failed_step=failures[0].step if failures else None,
        note=note or _changed(verdicts),
    )


def _changed(verdicts: Sequence[Verdict]) -> str | None:
    changed = sum(each.is_changed for each in verdicts)
    return f"{changed} of {len(verdicts)} calls returned something else" if changed else None


def why_not(preset: Preset, runs: Sequence[StressedRun]) -> str:
    """Why a fault could not fire."""
    if preset.latency_ms or preset.loss or preset.upstream_failures:
        if not any(step.has_network for run in runs for step in run.steps):
            return "there is no loopback network for the workflow to use"
        return "the workflow makes no connection"
    if preset.schema_drift:
        return "the workflow reads no records"
    if preset.hostile or preset.misuse:
        return "the workflow takes no input"
    if preset.cpu_quota < 1 or preset.memory < 1:
        return "the workflow is over too soon, or processes cannot be stopped here"
    return "no fault fired"


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
