"""Whether a stressed run passed, and what a scenario came to."""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reverie.model.stress import Preset, ScenarioResult, Survival
from reverie.scoring.resilience import degradation, p95
from reverie.workflows.expectations import first_unmet
from reverie.workflows.scenarios.runs import Raised, StressedRun, StressedStep

_ADDRESS = re.compile(r"0x[0-9a-f]+")
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
