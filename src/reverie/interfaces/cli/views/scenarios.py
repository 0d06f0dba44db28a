"""The subcommands of `reverie workflow` about scenarios: `stress` and `trajectory`."""

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError, reason_of
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.measurements.stress import (
    Preset,
    ScenarioResult,
    StageMetrics,
    StressReport,
    Survival,
    Trajectory,
)
from reverie.model.workflow import Workflow

if TYPE_CHECKING:
    from reverie.learning.foresight_tracker import ForesightTracker
    from reverie.sandbox.engine import Sandbox
    from reverie.workflows.scenarios.stress import StressPlan

_STRESS = """
reverie workflow stress import_orders
reverie workflow stress import_orders --scenario flaky_upstream --level high --json
reverie workflow stress import_orders --preset-file calm.json --preset-file storm.json --runs 4
"""


@click.command("stress", cls=Command, example=_STRESS)
@click.argument("name", metavar="WORKFLOW")
@click.option("--scenario", metavar="NAME", multiple=True, help="Only this; may be repeated.")
@click.option("--level", metavar="LEVEL", multiple=True, help="Only this; may be repeated.")
@click.option("--preset-file", metavar="FILE", multiple=True, help="Presets; several take turns.")
@click.option("--runs", type=click.IntRange(1, 1000), help="Turns; otherwise one per file.")
@click.option("--upstream", metavar="FILE", help="JSON: what the upstream answers, by path.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where the faults fall.")
@click.option("--adaptive", is_flag=True, help="Make every preset harder while it holds.")
@click.option("--debug-log-file", metavar="FILE", help="Append what --preset-debug tells there.")
@setting_option("scenarios.preset_debug")
@setting_option("scenarios.mode")
@setting_option("scenarios.calls")
@setting_option("scenarios.deadline_seconds")
@setting_option("scenarios.fail_on_missing")
@setting_option("sandbox.tier")
@click.pass_obj
def stress(app: App, /, **given: Any) -> int:
    """Run a workflow while the world misbehaves, with proof that it did.

    Every scenario at every level: survived, failed, or not exercised when its fault never
    fired. The exit code is 1 unless what was exercised was survived.
    """

    return stress_one(app, given)


@click.command("trajectory", cls=Command, example="reverie workflow trajectory import_orders")
@click.argument("name", metavar="WORKFLOW")
@click.option("--level", type=click.Choice(("low", "high")), default="high", show_default=True)
@click.option("--upstream", metavar="FILE", help="JSON: what the upstream answers, by path.")
@click.option("--seed", type=int, default=0, show_default=True, help="Where the faults fall.")
@setting_option("scenarios.calls")
@setting_option("scenarios.deadline_seconds")
@setting_option("sandbox.tier")
@click.pass_obj
def trajectory(app: App, /, **given: Any) -> int:
    """Run a workflow through five stages, each worse, and show what is left of its worth.

    Stages are recorded as cycles of the workflow (`reverie forecast`) where there is a journal.
    The exit code is 1 when a stage failed.
    """

    return follow(app, given)


_ROUNDS = 6


def stress_one(app: App, given: Mapping[str, Any]) -> int:
    """Stress a workflow turn by turn and show what every scenario came to."""
    from reverie.bootstrap.workflows import find_workflow, open_stress_sandbox, texts_of
    from reverie.workflows.scenarios.presets import narrowed, turns_of_presets

    workflow = find_workflow(app.loaded, given["name"])
    section = app.settings.scenarios
    texts = texts_of(workflow, app.repository.path)
    turns = turns_of_presets(section, given["preset_file"], given["runs"], texts)
    turns = [narrowed(each, given["scenario"], given["level"]) for each in turns]
    if not all(turns):
        raise UsageError(f"no scenario is left to stress {workflow.name!r} with")
    plan = stress_plan(app, given)
    log = _log(app, given)
    with open_stress_sandbox(app.loaded, app.recording_url()) as sandbox:
        stressed = _Stressed(sandbox, workflow, str(app.repository.path), plan, log)
        reports = [stressed.run(each, adaptive=given["adaptive"]) for each in turns]
    missing = _missing(reports, turns) if section.fail_on_missing else ()
    survived = all(each.survived for each in reports) and not missing
    if app.json:
        emit_json(_stress_document(workflow, reports, survived, missing))
    else:
        _show_stress(reports, missing)
    return 0 if survived else 1


def stress_plan(app: App, given: Mapping[str, Any]) -> "StressPlan":
    """What settings and flags say about a stress run."""
    from reverie.bootstrap.workflows import plan_of, read_upstream

    return plan_of(app.loaded, read_upstream(given["upstream"]), given["seed"])


class _Stressed:
    """One workflow, turn after turn."""

    def __init__(
        self,
        sandbox: "Sandbox",
        workflow: Workflow,
        repository: str,
        plan: "StressPlan",
        log: Callable[[str], None],
    ) -> None:
        self.sandbox = sandbox
        self.workflow = workflow
        self.repository = repository
        self.plan = plan
        self.log = log

    def run(self, presets: Sequence[Preset], *, adaptive: bool) -> StressReport:
        """All presets; adaptive ones get harder while they hold."""
        if not adaptive:
            return self._stress(presets)
        from reverie.workflows.scenarios.presets import adapt

        reports: list[StressReport] = []

        def try_it(preset: Preset) -> ScenarioResult:
            reports.append(self._stress((preset,)))
            return reports[-1].results[0]

        easiest = {each.scenario: each for each in reversed(presets)}
        results: list[ScenarioResult] = []
        for scenario in dict.fromkeys(each.scenario for each in presets):
            results += adapt(easiest[scenario], try_it, _ROUNDS, self.log)[1]
        seconds = sum(each.seconds for each in reports)
        return replace(reports[0], results=tuple(results), seconds=seconds)

    def _stress(self, presets: Sequence[Preset]) -> StressReport:
        from reverie.workflows.scenarios.stress import stress_workflow

        plan = replace(self.plan, presets=tuple(presets))
        return stress_workflow(self.sandbox, self.workflow, self.repository, plan)


def _log(app: App, given: Mapping[str, Any]) -> Callable[[str], None]:
    """Where changes of presets are told: nowhere, on stderr, at the end of a file."""
    if not app.settings.scenarios.preset_debug:
        return lambda text: None
    path = given["debug_log_file"]
    if path is None:
        return lambda text: click.echo(printable(text), file=sys.stderr)
    try:
        with open(path, "a", encoding="utf-8"):
            pass
    except (OSError, ValueError) as error:
        raise UsageError(f"--debug-log-file {path!r}: {reason_of(error)}") from error
    return partial(_append, path)


def _append(path: str, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        print(printable(text), file=file)


def _missing(reports: Sequence[StressReport], turns: Sequence[Sequence[Preset]]) -> tuple[str, ...]:
    """Scenarios that no turn exercised, and canonical ones that none was to."""
    from reverie.workflows.scenarios.presets import absent_scenarios

    seen = {
        each.preset.scenario
        for report in reports
        for each in report.results
        if each.survival is not Survival.NOT_EXERCISED
    }
    asked = dict.fromkeys(each.scenario for presets in turns for each in presets)
    absent = absent_scenarios(each for presets in turns for each in presets)
    return tuple(name for name in (*asked, *absent) if name not in seen)


def result_document(result: ScenarioResult) -> dict[str, Any]:
    """One scenario at one level as JSON."""
    from reverie.workflows.scenarios.presets import preset_document

    return pick(
        result,
        "preset.scenario preset.level outcome=survival proof fired calls passed pass_rate "
        "p95_seconds degradation resilience failed_step failure note preset",
        preset=preset_document(result.preset),
    )


def _stress_document(
    workflow: Workflow, reports: Sequence[StressReport], survived: bool, missing: Sequence[str]
) -> dict[str, Any]:
    turns = [
        pick(
            each,
            "calls baseline_p95_seconds repeatable=is_repeatable isolation seed seconds",
            scenarios=[result_document(result) for result in each.results],
        )
        for each in reports
    ]
    named = {"workflow": workflow.name, "digest": workflow.digest}
    return {**named, "survived": survived, "missing": list(missing), "turns": turns}


def _show_stress(reports: Sequence[StressReport], missing: Sequence[str]) -> None:
    for report in reports:
        emit_table(
            ("scenario", "level", "outcome", "fired", "passed", "p95", "resilience", "what"),
            [_stress_row(each) for each in report.results],
        )
        click.echo(
            f"{report.calls} calls per scenario in {report.seconds:.1f} s, "
            f"without faults p95 {report.baseline_p95_seconds * 1000:.0f} ms"
        )
    if missing:
        click.echo(f"not exercised: {', '.join(printable(each) for each in missing)}")


def _stress_row(result: ScenarioResult) -> tuple[str, ...]:
    told = result.failure or result.note or ""
    return (
        result.preset.scenario,
        result.preset.level,
        str(result.survival),
        str(result.proof),
        f"{result.passed}/{result.calls}" if result.proof else "-",
        "-" if result.p95_seconds is None else f"{result.p95_seconds * 1000:.0f} ms",
        "-" if result.resilience is None else f"{result.resilience:.2f}",
        told if len(told) <= 100 else f"{told[:99]}…",
    )


def follow(app: App, given: Mapping[str, Any]) -> int:
    """Run a workflow through the five stages and show what each leaves of it."""
    from reverie.bootstrap.workflows import find_workflow, open_stress_sandbox
    from reverie.workflows.scenarios.trajectory import run_trajectory

    workflow = find_workflow(app.loaded, given["name"])
    with ExitStack() as stack:
        tracker = _tracker(app, stack)
        sandbox = stack.enter_context(open_stress_sandbox(app.loaded, app.recording_url()))
        found = run_trajectory(
            sandbox,
            workflow,
            str(app.repository.path),
            stress_plan(app, given),
            level=given["level"],
            worth_minutes=app.settings.scenarios.worth_minutes,
            compute_minute=app.settings.roi.compute_minute,
            foresight_tracker=tracker,
        )
    if app.json:
        emit_json(_trajectory_document(found, tracker is not None))
    else:
        _show_trajectory(found)
    return 1 if any(each.survival is Survival.FAILED for each in found.stages) else 0


def _tracker(app: App, stack: ExitStack) -> "ForesightTracker | None":
    """What records the stages; None where there is no journal to record them in."""
    from reverie.bootstrap.governance import open_foresight_tracker
    from reverie.store import Journal

    url = app.recording_url()
    if url is None:
        return None
    journal = stack.enter_context(Journal.open(url))
    return open_foresight_tracker(journal, app.repository.path, app.settings)


def _trajectory_document(found: Trajectory, recorded: bool) -> dict[str, Any]:
    return pick(
        found,
        "workflow level stages recorded seconds",
        stages=[pick(each, _STAGE) for each in found.stages],
        recorded=recorded,
    )


_STAGE = "stage outcome=survival fired roi roi_drop resilience degradation stability"


def _show_trajectory(found: Trajectory) -> None:
    head = ("stage", "outcome", "fired", "ROI", "drop", "resilience", "degradation", "stability")
    emit_table(head, [_trajectory_row(each) for each in found.stages])
    click.echo(f"at {found.level}, in {found.seconds:.1f} s; ROI is minutes per run")


def _trajectory_row(stage: StageMetrics) -> tuple[str, ...]:
    figures = (stage.roi, stage.roi_drop, stage.resilience, stage.degradation, stage.stability)
    told = ("-" if each is None else f"{each:.2f}" for each in figures)
    return (stage.stage, str(stage.survival), str(sum(stage.fired.values())), *told)
