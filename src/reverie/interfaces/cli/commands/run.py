"""`reverie run`: the whole cycle."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import environment_options, prepare_cycle
from reverie.interfaces.cli.output import emit_json, emit_table, printable

if TYPE_CHECKING:
    from reverie.bootstrap.cycles import Cycle
    from reverie.model.cycle import CycleRecord, Step

_EXAMPLE = """
reverie run path/to/repository --budget 10m
reverie run --recover
"""
_COUNT = click.IntRange(min=1)
INTERRUPTED = 130


@click.command(cls=Command, example=_EXAMPLE)
@click.option("--executions", type=_COUNT, metavar="N", help="Runs of code to spend at most.")
@click.option("--dreams", type=_COUNT, metavar="N", help="Changes to try at most.")
@click.option("--stage", default="A", metavar="A|B|C", help="A: tests, B: refactorings, C: speed.")
@click.option("--cycles", type=_COUNT, default=1, metavar="N", help="How many, one after another.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option("--fresh", is_flag=True, help="Look again at modules that did not change.")
@click.option("--dry-run", is_flag=True, help="Show what would be done; write nothing.")
@click.option("--recover", is_flag=True, help="Go on with the run that did not come to its end.")
@click.option("--html", metavar="FILE", help="Where the report goes; otherwise beside the journal.")
@environment_options()
@setting_option("cycle.budget_seconds")
@setting_option("cycle.seed")
@setting_option("cycle.executor")
@setting_option("sandbox.tier")
@setting_option("sandbox.slots")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Improve a repository: make changes, try each in the sandbox, keep what is proven better.

    Stage A writes tests where they are worth most, stage B refactors, stage C makes faster what
    is slow while the tests run. Every change that is proven becomes a commit on a branch of its
    own (a patch where there is no git), with a proof that anyone can run again; what is faster
    waits for `reverie approve`. Your files, index and branches are not touched. The exit code is
    0 when the run came to its end, 1 when something of ours failed before all was done, 130 when
    it was stopped.
    """
    _check(given)
    if given["dry_run"]:
        return _show_plan(app, given)
    documents = []
    for _ in range(given["cycles"]):
        record = _run(app, given)
        documents.append(_finish(app, record, given["html"]))
        if record.header.state != "finished" or not _has_work(record):
            break
    last = documents[-1]
    if app.json:
        emit_json({**_summary(last), "earlier": [_summary(each) for each in documents[:-1]]})
    return _exit_code(last)


def _check(given: dict[str, Any]) -> None:
    if given["recover"] and (given["dry_run"] or given["cycles"] > 1 or given["fresh"]):
        raise UsageError("--recover goes on as it was begun: without --dry-run, --cycles, --fresh")
    if given["html"] is not None:
        _require_place(Path(given["html"]))


def _require_place(page: Path) -> None:
    """Before a night is spent: the report can be written where it is wanted."""
    if page.is_dir():
        raise UsageError(f"--html: {str(page)!r} is a folder: name a file")
    folder = next(each for each in page.absolute().parents if each.exists())
    if not folder.is_dir() or not os.access(folder, os.W_OK):
        raise UsageError(f"--html: {str(page)!r} cannot be written")


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
    from reverie.interfaces.cli.night import Night

    cycle = _cycle(app, given)
    if not given["recover"]:
        prepare_cycle(app, cycle, given["python"])
    with Night() as night:
        cycle.watch = night.show
        return cycle.recover() if given["recover"] else cycle.run()


def _finish(app: App, record: "CycleRecord", html: str | None) -> dict[str, Any]:
    """Write the page, and show the summary to whoever reads no JSON."""
    from reverie.cycle.report import report_document
    from reverie.interfaces.cli.cycles import show_report, write_page

    document = {**report_document(record), "integration": _integrated(app, record)}
    page = Path(html) if html is not None else _default_page(app, record.header.id)
    page.parent.mkdir(parents=True, exist_ok=True)
    write_page(page, document)
    if not app.json:
        show_report(document, page)
    return {**document, "report": str(page)}


def _integrated(app: App, record: "CycleRecord") -> dict[str, Any] | None:
    """What became of modules that nothing uses; None where they are left alone."""
    if not app.settings.integration.enabled or record.header.wishes.stage != "A":
        return None
    from reverie.bootstrap.integrations import settle
    from reverie.interfaces.cli.commands.integrate import integrated_document

    return integrated_document(settle(app.loaded, record))


def _default_page(app: App, cycle_id: str) -> Path:
    folder: Path = app.loaded.data_dir / "reports"
    return folder / f"{cycle_id}.html"


def _has_work(record: "CycleRecord") -> bool:
    return any(step.state != "skipped" for step in record.steps)


def _summary(document: dict[str, Any]) -> dict[str, Any]:
    from reverie.cycle.report.document import CYCLE_KEYS

    return {key: document[key] for key in (*CYCLE_KEYS, "report", "integration")}


def _exit_code(document: dict[str, Any]) -> int:
    if document["state"] == "interrupted":
        return INTERRUPTED
    return 1 if document["steps"].get("failed") else 0


def _show_plan(app: App, given: dict[str, Any]) -> int:
    steps = _cycle(app, given).plan()
    if app.json:
        emit_json({"repository": app.loaded.repository, "steps": steps})
        return 0
    _show_steps(steps)
    return 0


def _show_steps(steps: "Sequence[Step]") -> None:
    """What would be worked on, best first, and what is passed over; nothing was written."""
    from reverie.cycle.report.sentences import skipped_reason
    from reverie.model.words import counted

    planned = [step for step in steps if step.state == "planned"]
    what = counted(len(planned), "module")
    click.echo(f"would work on {what}, in this order; nothing was written:\n")
    rows = [
        (f"{number}.", step.module, _told(step.allowance.seconds, " s"), _told(step.value))
        for number, step in enumerate(planned, 1)
    ]
    emit_table(("", "module", "time at most", "expected value"), rows)
    for step in steps:
        if step.state != "planned":
            reason = skipped_reason(step.note)
            click.echo(printable(f"{step.state}: {step.module}: {reason}"))


def _told(value: float | None, unit: str = "") -> str:
    return "-" if value is None else f"{value:.3g}{unit}"
