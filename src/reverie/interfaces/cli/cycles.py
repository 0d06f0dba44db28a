"""What a cycle came to, for a terminal: first what a person does next, last what it cost."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from reverie.cycle.report.figures import Figures, duration
from reverie.cycle.report.sentences import better, few, objections, proof, skipped_reason
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.output import printable
from reverie.model.words import counted

Document = Mapping[str, Any]
_LISTED = 10


def show_report(document: Document, page: Path | None) -> None:
    """The summary: ready, waiting, found, refused, passed over; what it cost and where to look."""
    figures = Figures(document)
    click.echo(click.style(printable(f"{figures.headline}."), bold=True))
    for title, lines in (
        _ready(document, figures),
        _waiting(document["waiting"]),
        _found(document["found"]),
        _refused(document["refused"]),
        _passed_over(document["modules"]),
    ):
        if lines:
            click.echo(f"\n{click.style(title, bold=True)}")
        for line in lines:
            click.echo(printable(f"  {line}"))
    click.echo()
    for line in _closing(document, page):
        click.echo(printable(line))


def existing_page(app: App, cycle_id: str) -> Path | None:
    """The page that `reverie run` wrote of a cycle, if it is still there."""
    page: Path = app.loaded.data_dir / "reports" / f"{cycle_id}.html"
    return page if page.is_file() else None


def write_page(path: Path, document: Document) -> None:
    """The report as one page."""
    from reverie.cycle.report import report_page

    try:
        path.write_text(report_page(document), encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise UsageError(f"cannot write {str(path)!r}: {error.strerror}") from error


def _ready(document: Document, figures: Figures) -> tuple[str, list[str]]:
    ready = document["promoted"]
    lines = []
    for each in ready:
        lines.append(f"{each['dream_id']}  {better(each, figures)}")
        lines.append(f"    {', '.join(each['files'])}; {proof(each)}")
    if ready:
        lines += _taking(document)
    return f"Ready to merge: {counted(len(ready), 'change')}", lines


def _taking(document: Document) -> list[str]:
    branch, cycle = document["branch"], document["cycle_id"]
    if branch is None:
        places = {str(Path(each["patch"]).parent) for each in document["promotions"]}
        return [f"patches: {', '.join(sorted(places))}"]
    return [
        f"look:       git log -p HEAD..{branch}",
        f"take:       git merge {branch}",
        f"take back:  reverie rollback {cycle}",
    ]


def _waiting(waiting: Sequence[Document]) -> tuple[str, list[str]]:
    lines = []
    for each in waiting:
        lines.append(f"{each['dream']}  {better(each)} ({each['title']})")
        if proof(each):
            lines.append(f"    {proof(each)}")
        lines.append(f"    needs {'; '.join(each['needs']) or 'your word'}")
        lines.append(f"    approve:     {each['command']}")
        lines.append(f"    or by hand:  reverie show {each['dream']} --patch | git apply")
    return f"Waiting for approval: {counted(len(waiting), 'change')}", lines


def _found(found: Sequence[Document]) -> tuple[str, list[str]]:
    lines = [f"{each['id']}  {each['module']}: {each['title']}" for each in found[:_LISTED]]
    if len(found) > _LISTED:
        lines.append(f"and {len(found) - _LISTED} more: reverie finding")
    if found:
        lines.append("see one:    reverie show ID")
        lines.append("judge one:  reverie finding ID bug|feature|ignore")
    return f"Found, for you to judge: {counted(len(found), 'finding')}", lines


def _refused(refused: Sequence[Document]) -> tuple[str, list[str]]:
    lines = [
        f"{each['dream_id']}  {each['title']}: {objections(each)}" for each in refused[:_LISTED]
    ]
    if len(refused) > _LISTED:
        lines.append(f"and {len(refused) - _LISTED} more in the report")
    if refused:
        lines.append("why, in full:  reverie show ID")
    return f"Refused: {counted(len(refused), 'change')}", lines


def _passed_over(modules: Sequence[Document]) -> tuple[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for each in modules:
        if each["state"] == "failed":
            reasons.setdefault("Reverie failed there", []).append(each["module"])
        elif each["state"] == "skipped":
            reasons.setdefault(skipped_reason(each["note"]), []).append(each["module"])
    lines = [f"{few(names)}: {reason}" for reason, names in reasons.items()]
    number = sum(map(len, reasons.values()))
    return f"Skipped: {counted(number, 'module')}", lines


def _closing(document: Document, page: Path | None) -> Iterator[str]:
    spent, asked = duration(document["seconds"]), document["budget"]["seconds"]
    budget = "" if asked is None else f" of {duration(asked)} asked for"
    runs = counted(document["executions"], "run")
    done = sum(each["state"] == "done" for each in document["modules"])
    yield f"cost: {spent}{budget}, {runs} in the sandbox, {counted(done, 'module')} looked at"
    if document["taken_back"]:
        yield f"taken back: {counted(len(document['taken_back']), 'change')}"
    for note in document["environment"].get("notes") or ():
        yield f"note: {note}"
    state = "" if document["state"] == "finished" else f" ({document['state']})"
    yield f"cycle: {document['cycle_id']}{state}"
    if document["error"]:
        yield f"failed: {document['error']}"
    if document["state"] in ("interrupted", "running"):
        yield "go on with it: reverie run --recover"
    if page is not None:
        yield f"report: {page}"
