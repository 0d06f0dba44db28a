"""`reverie run`: the whole cycle."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import python_files
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.environments import environment_options, prepare_cycle
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.settings.cycle import LOCAL

if TYPE_CHECKING:
    from reverie.bootstrap.cycles import Cycle, PlannedStage
    from reverie.bootstrap.integrations import Integrated
    from reverie.model.cycle import CycleRecord, Step

_EXAMPLE = """
reverie run path/to/repository --budget 10m
reverie run --recover
reverie run --open-pr --push origin
"""
_COUNT = click.IntRange(min=1)
INTERRUPTED = 130


@click.command(cls=Command, example=_EXAMPLE)
@setting_option("cycle.budget_seconds")
@click.option("--executions", type=_COUNT, metavar="N", help="Runs of code to spend at most.")
@click.option("--dreams", type=_COUNT, metavar="N", help="Changes to try at most.")
@click.option(
    "--stage",
    default="all",
    metavar="WHAT",
    help="Only tests, refactoring, speed, findings, integration or stubs.",
)
@click.option("--cycles", type=_COUNT, default=1, metavar="N", help="How many, one after another.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option("--fresh", is_flag=True, help="Look again at modules that did not change.")
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@click.option("--recover", is_flag=True, help="Go on with the run that did not come to its end.")
@click.option(
    "--html",
    type=NewFile(),
    metavar="FILE",
    help="Where the report goes; otherwise beside the journal.",
)
@click.option("--open-pr", is_flag=True, help="Write the text of a pull request for the result.")
@click.option("--push", metavar="REMOTE", help="With --open-pr: push, and open it by gh or glab.")
@environment_options()
@setting_option("cycle.seed")
@setting_option("cycle.executor")
@setting_option("cycle.authors")
@setting_option("models.replay")
@setting_option("sandbox.tier")
@setting_option("sandbox.slots")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Improve a repository: make changes, try each in the sandbox, keep what is proven better.

    It writes tests where they are worth most, refactors, makes slow code faster and looks for
    faults; most time goes to what has earned most here. Every proven change becomes a commit on
    a branch (a patch where there is no git) with a proof that anyone can run again; speed-ups
    wait for `reverie approve`. Your files, index and branches are not touched. The exit code is 0
    when the run ended, 1 when Reverie failed at every module that it began, 130 when it was
    stopped; a module at which it failed is named, and the others are worked on.
    """
    _check(app, given)
    if given["dry_run"]:
        return _show_plan(app, given)
    documents = []
    for _ in range(given["cycles"]):
        record = _run(app, given)
        documents.append(_finish(app, record, given))
        if record.header.state != "finished" or not _has_work(record):
            break
    last = documents[-1]
    if app.json:
        emit_json({**_summary(last), "earlier": [_summary(each) for each in documents[:-1]]})
    return _exit_code(last)


def _check(app: App, given: dict[str, Any]) -> None:
    if given["recover"] and (given["dry_run"] or given["cycles"] > 1 or given["fresh"]):
        raise UsageError("--recover goes on as it was begun: without --dry-run, --cycles, --fresh")
    if given["recover"]:
        with existing_journal(app) as journal:  # none is made for an answer that is known
            if journal is None:
                told = f"no cycle of {app.repository.path} is unfinished; `reverie run` begins one"
                raise UsageError(told)
    if given["push"] is not None:
        from reverie.interfaces.cli.views.cycles import require_remote

        if not given["open_pr"]:
            raise UsageError("--push goes with --open-pr")
        require_remote(app, given["push"])
    if next(python_files([str(app.repository.path)]), None) is None:
        raise UsageError(f"no Python source in {str(app.repository.path)!r}: nothing to improve")
    if "cycle.authors" in app.overrides or "models.replay" in app.overrides:
        from reverie.bootstrap.authors import require_authors

        require_authors(app.loaded)
    if "cycle.executor" in app.overrides and app.settings.cycle.executor != LOCAL:
        from reverie.bootstrap.clusters import connected

        with connected(app.settings.cycle.executor):
            pass


def _cycle(app: App, given: dict[str, Any]) -> "Cycle":
    from reverie.bootstrap.cycles import Cycle

    asked = "cycle.budget_seconds" in app.overrides
    return Cycle(
        loaded=app.loaded,
        seconds=app.settings.cycle.budget_seconds if asked else None,
        executions=given["executions"],
        dreams=given["dreams"],
        python=given["python"],
        is_fresh=given["fresh"],
        stage=given["stage"],
    )


def _run(app: App, given: dict[str, Any]) -> "CycleRecord":
    from reverie.interfaces.cli.views.cycles import Night

    cycle = _cycle(app, given)
    if not given["recover"]:
        prepare_cycle(app, cycle, given["python"])
    with Night() as night:
        cycle.watch = night.show
        record = cycle.recover() if given["recover"] else cycle.run()
    given["integrated"] = cycle.integrated
    return record


def _finish(app: App, record: "CycleRecord", given: dict[str, Any]) -> dict[str, Any]:
    """Write the page, and show the summary to whoever reads no JSON."""
    from reverie.cycle.report.document import report_document
    from reverie.interfaces.cli.views.cycles import (
        offer_request,
        show_report,
        show_request,
        write_page,
    )

    integrated = _integrated(app, record, given.get("integrated"))
    document = {**report_document(record), "integration": integrated}
    html = given["html"]
    page = Path(html) if html is not None else _default_page(app, record.header.id)
    page.parent.mkdir(parents=True, exist_ok=True)
    write_page(page, document)
    if not app.json:
        show_report(document, page)
    made = offer_request(app, document, given["push"]) if given["open_pr"] else None
    if made is not None and not app.json:
        show_request(made, document["branch"])
    return {**document, "report": str(page), "request": made}


def _integrated(
    app: App, record: "CycleRecord", known: "Integrated | None"
) -> dict[str, Any] | None:
    """What became of modules that nothing uses; None where they are left alone."""
    if not app.settings.integration.enabled or record.header.wishes.stage not in (None, "I"):
        return None
    from reverie.bootstrap.integrations import settle
    from reverie.interfaces.cli.commands.integrate import integrated_document

    return integrated_document(known or settle(app.loaded, record))


def _default_page(app: App, cycle_id: str) -> Path:
    folder: Path = app.loaded.data_dir / "reports"
    return folder / f"{cycle_id}.html"


def _has_work(record: "CycleRecord") -> bool:
    return any(step.state != "skipped" for step in record.steps)


def _summary(document: dict[str, Any]) -> dict[str, Any]:
    from reverie.cycle.report.document import CYCLE_KEYS

    return {key: document[key] for key in (*CYCLE_KEYS, "report", "integration", "request")}


def _exit_code(document: dict[str, Any]) -> int:
    from reverie.cycle.report.document import failed_everywhere

    if document["state"] == "interrupted":
        return INTERRUPTED
    return 1 if failed_everywhere(document) else 0


def _show_plan(app: App, given: dict[str, Any]) -> int:
    from reverie.cycle.report.plots import duration

    cycle = _cycle(app, given)
    stages = cycle.plan()
    if app.json:
        steps = [step for each in stages for step in each.steps]
        shares = [each.share for each in stages if each.share is not None]
        tasks = [task for each in stages for task in each.tasks]
        document = {"repository": app.loaded.repository, "steps": steps, "shares": shares}
        emit_json({**document, "tasks": tasks})
        return 0
    night = duration(app.settings.nightly.budget_seconds)
    seconds = cycle.wishes.budget.seconds
    if seconds is not None:
        planned = duration(seconds)
        click.echo(f"Plan for {planned} (--budget); `reverie nightly` takes {night}.\n")
    if all(each.share is not None for each in stages):
        emit_table(("", "what", "time", "why"), _shares(stages, seconds))
        click.echo("")
    for each in stages:
        _show_stage(each)
    protected = app.settings.guard.protected
    if protected:
        click.echo(printable(f"never changed: {', '.join(protected)} (guard.protected)"))
    click.echo("nothing was tried: your files and branches are as they were")
    return 0


def _shares(
    stages: Sequence["PlannedStage"], whole: float | None
) -> Iterator[tuple[str, str, str, str]]:
    """How the time is shared out and why, stage after stage, then what nobody has a use for."""
    from reverie.cycle.report.plots import duration
    from reverie.cycle.stage_shares import LEFT_OVER

    began, left, number = 0.0, whole or 0.0, 0
    for each in stages:
        share, ends = each.share, each.budget.seconds
        if share is None:
            continue
        seconds = 0.0 if ends is None else ends - began
        began = began if ends is None else ends
        name = share.stage.word
        if not any(step.state == "planned" for step in each.steps):
            yield "", name, "-", share.reason if share.reason == LEFT_OVER else "nothing to work on"
            continue
        number, left = number + 1, left - seconds
        time = duration(seconds) if whole else f"{100 * share.part:.0f} %"
        yield f"{number}.", name, time, share.reason
    if left >= 1:
        yield "", "left over", duration(left), "for whichever of them has more to do"


def _show_stage(planned: "PlannedStage") -> None:
    """What would be worked on, best first, and what would not and why."""
    from reverie.cycle.report.figures import skipped_reason
    from reverie.model.outcome import counted

    steps = [step for step in planned.steps if step.state == "planned"]
    skipped: dict[str, list[str]] = {}
    for step in planned.steps:
        if step.state != "planned":
            skipped.setdefault(f"{step.state}: {skipped_reason(step.note)}", []).append(step.module)
    name = "changes" if planned.share is None else planned.share.stage.word
    if steps:
        click.echo(f"{name}: {counted(len(steps), 'module')}, in this order\n")
        best = max(step.value or 0.0 for step in steps) or 1.0
        rows = [
            (f"{number}.", _named(step), _told(step.allowance.seconds, " s"),
             f"{100 * (step.value or 0.0) / best:.0f} %")
            for number, step in enumerate(steps, 1)
        ]  # fmt: skip
        emit_table(("", "module", "time at most", "worth, beside the best"), rows)
    elif planned.share is None:
        click.echo("nothing to work on")
    elif skipped:
        click.echo(f"{name}:")
    for reason, modules in skipped.items():
        state, _, why = reason.partition(": ")
        click.echo(printable(f"  {state}: {', '.join(modules)}: {why}"))
    for task in planned.tasks:
        click.echo("")
        click.echo(printable(f"{task.author} would be sent about {task.module}:"))
        click.echo(printable(task.text, multiline=True))
    if steps or skipped or planned.tasks:
        click.echo("")


def _named(step: "Step") -> str:
    """The module, with the author who would work on it where that is none of the house."""
    from reverie.model.dream import AT_STAGE, author_of

    is_author = AT_STAGE in step.dreamer
    return f"{step.module} ({author_of(step.dreamer)})" if is_author else step.module


def _told(value: float | None, unit: str = "") -> str:
    return "-" if value is None else f"{value:.3g}{unit}"
