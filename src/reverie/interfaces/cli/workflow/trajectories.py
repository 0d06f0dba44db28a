"""`reverie workflow trajectory`."""

from collections.abc import Mapping
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import emit_json, emit_table
from reverie.model.codec import pick
from reverie.model.stress import StageMetrics, Survival, Trajectory

if TYPE_CHECKING:
    from reverie.learning.foresight.tracker import ForesightTracker


def follow(app: App, given: Mapping[str, Any]) -> int:
    """Run a workflow through the five stages and show what each leaves of it."""
    from reverie.bootstrap.scenarios import find_workflow, open_stress_sandbox
    from reverie.interfaces.cli.workflow.stressing import stress_plan
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
        emit_json(_document(found, tracker is not None))
    else:
        _show(found)
    return 1 if any(each.survival is Survival.FAILED for each in found.stages) else 0


def _tracker(app: App, stack: ExitStack) -> "ForesightTracker | None":
    """What records the stages; None where there is no journal to record them in."""
    from reverie.bootstrap.scores import open_foresight_tracker
    from reverie.store import Journal

    url = app.recording_url()
    if url is None:
        return None
    journal = stack.enter_context(Journal.open(url))
    return open_foresight_tracker(journal, app.repository.path, app.settings)


def _document(found: Trajectory, recorded: bool) -> dict[str, Any]:
    return pick(
        found,
        "workflow level stages recorded seconds",
        stages=[pick(each, _STAGE) for each in found.stages],
        recorded=recorded,
    )


_STAGE = "stage outcome=survival fired roi roi_drop resilience degradation stability"


def _show(found: Trajectory) -> None:
    head = ("stage", "outcome", "fired", "ROI", "drop", "resilience", "degradation", "stability")
    emit_table(head, [_row(each) for each in found.stages])
    click.echo(f"at {found.level}, in {found.seconds:.1f} s; ROI is minutes per run")


def _row(stage: StageMetrics) -> tuple[str, ...]:
    figures = (stage.roi, stage.roi_drop, stage.resilience, stage.degradation, stage.stability)
    told = ("-" if each is None else f"{each:.2f}" for each in figures)
    return (stage.stage, str(stage.survival), str(sum(stage.fired.values())), *told)
