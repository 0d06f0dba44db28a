"""`reverie workflow stress`."""

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.model.stress import Preset, ScenarioResult, StressReport, Survival
from reverie.model.workflow import Workflow

if TYPE_CHECKING:
    from reverie.sandbox.engine import Sandbox
    from reverie.workflows.scenarios.stress import StressPlan

_ROUNDS = 6


def stress_one(app: App, given: Mapping[str, Any]) -> int:
    """Stress a workflow turn by turn and show what every scenario came to."""
    from reverie.bootstrap.scenarios import find_workflow, open_stress_sandbox, texts_of
    from reverie.workflows.scenarios.choosing import narrowed, turns_of_presets

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
        emit_json(_document(workflow, reports, survived, missing))
    else:
        _show(reports, missing)
    return 0 if survived else 1


def stress_plan(app: App, given: Mapping[str, Any]) -> "StressPlan":
    """What settings and flags say about a stress run."""
    from reverie.bootstrap.scenarios import plan_of, read_upstream

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
        from reverie.workflows.scenarios.adapting import adapt

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
        raise UsageError(f"--debug-log-file {path!r}: {error}") from error
    return partial(_append, path)


def _append(path: str, text: str) -> None:
    with open(path, "a", encoding="utf-8") as file:
        print(printable(text), file=file)


def _missing(reports: Sequence[StressReport], turns: Sequence[Sequence[Preset]]) -> tuple[str, ...]:
    """Scenarios that no turn exercised, and canonical ones that none was to."""
    from reverie.workflows.scenarios.choosing import absent_scenarios

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


def _document(
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


def _show(reports: Sequence[StressReport], missing: Sequence[str]) -> None:
    for report in reports:
        emit_table(
            ("scenario", "level", "outcome", "fired", "passed", "p95", "resilience", "what"),
            [_row(each) for each in report.results],
        )
        click.echo(
            f"{report.calls} calls per scenario in {report.seconds:.1f} s, "
            f"without faults p95 {report.baseline_p95_seconds * 1000:.0f} ms"
        )
    if missing:
        click.echo(f"not exercised: {', '.join(printable(each) for each in missing)}")


def _row(result: ScenarioResult) -> tuple[str, ...]:
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
