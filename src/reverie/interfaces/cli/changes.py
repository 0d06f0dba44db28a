"""One change for a terminal: where it stands, why, and what can be done about it."""

from collections.abc import Iterator, Mapping
from typing import Any

import click

from reverie.cycle.report.sentences import better, proof
from reverie.interfaces.cli.output import emit_table, printable

Document = Mapping[str, Any]
_STANDINGS = {
    "promoted": "ready to merge",
    "tested": "proven, waits for approval",
    "rejected": "refused",
    "borderline": "not proven enough: for a person to decide",
    "rolled_back": "taken back",
    "archived": "put aside, not tried",
    "pending_test": "not tried yet",
}
_ANSWERS = {"pass": "passed", "fail": "refused", "hold": "not proven"}
_STYLES = {"passed": "green", "refused": "red", "not proven": "yellow"}


def show_change(document: Document) -> None:
    """The change with every check, its difference and the commands that go on from here."""
    standing = _STANDINGS.get(document["status"], document["status"])
    click.echo(printable(f"{document['dream_id']}  {document['title']}"))
    click.echo(printable(f"  {standing}; cycle {document['cycle_id']}"))
    click.echo(printable(f"  {better(document)}"))
    if proof(document):
        click.echo(printable(f"  {proof(document)}"))
    for each in document["needs"]:
        click.echo(printable(f"  needs {each}"))
    trial = document["trial"]
    if trial is not None:
        rows = [
            (_ANSWERS.get(each["verdict"], each["verdict"]), each["gate"], each["reason"])
            for each in sorted(trial["rulings"], key=lambda each: each["verdict"] == "pass")
        ]
        click.echo()
        emit_table(("check", "", "why"), rows, _STYLES)
    click.echo("\n" + printable(document["diff"].rstrip("\n"), multiline=True) + "\n")
    for line in _next(document):
        click.echo(printable(line))


def _next(document: Document) -> Iterator[str]:
    name, promotion = document["dream_id"], document["promotion"]
    if document["status"] == "tested":
        yield f"approve:       reverie approve {name} --as NAME --key FILE"
        yield f"then:          reverie promote {name}"
        yield f"put aside:     reverie reject {name} --as NAME --key FILE"
    if document["status"] == "promoted" and promotion is not None:
        if promotion["branch"] is not None:
            yield f"take:          git merge {promotion['branch']}"
        yield f"take back:     reverie rollback {name}"
        yield f"prove again:   reverie verify {name}"
        return
    word = "by hand:     " if document["status"] == "tested" else "take it anyway:"
    yield f"{word}  reverie show {name} --patch | git apply"
