"""`reverie show`: anything by its id."""

import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from reverie.bootstrap.kept_answers import own_answers
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, printable

if TYPE_CHECKING:
    from reverie.settings import Loaded
    from reverie.store import Journal
    from reverie.store.browsing.naming import Named

_EXAMPLE = """
reverie show 3f2a9c41
reverie show 3f2a9c41 --patch | git apply
reverie show reverie/2026-11-16-1
"""
_LEAST_ID = 4
Seen = tuple[dict[str, Any], Callable[[], None]]
"""A thing as JSON values, and what shows it on a terminal."""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("name", metavar="ID")
@click.option(
    "--patch",
    is_flag=True,
    help="Of a change: print only its difference; of a finding: the edit that mends it.",
)
@setting_option("journal.url")
@click.pass_obj
def command(app: App, name: str, patch: bool) -> None:
    """Show a change, a cycle, a finding or an execution by the id that is printed anywhere.

    ID may be cut to what no other id begins with. It may also be the id of an answer of `reverie
    guard`. A branch of ours names its cycle, a commit its change, a small number a variant of
    `reverie dream`. Of a change you see why it was promoted or refused, check by check, and the
    difference.
    """
    if name.isdecimal() and len(name) < _LEAST_ID:
        _show_procedure(app, int(name))
        return
    from reverie.store.browsing.naming import NamedKind, find_named

    answer = own_answers(app.environ).find(app.repository.path, name)
    if answer is not None:
        _print(app, "judgement", answer["id"], patch, (answer, lambda: _show_answer(answer)))
        return
    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError(f"no id is known in {app.repository.path}: nothing has run here")
        found = find_named(journal, app.repository.path, name)
        if patch and found.kind not in (NamedKind.CHANGE, NamedKind.FINDING):
            raise UsageError(f"--patch goes with a change: {found.id} is a {found.kind}")
        seen = _LOOKS[found.kind](app, journal, found)
        if patch and _difference(seen[0]) is None:
            raise UsageError(f"--patch: no edit is known that mends {found.id}")
    _print(app, found.kind, found.id, patch, seen)


def _print(app: App, what: str, name: str, patch: bool, seen: Seen) -> None:
    document, show = seen
    if patch:
        diff = _difference(document) or ""  # as it is for `git apply`, harmless for a terminal
        is_seen = sys.stdout is not None and sys.stdout.isatty()
        click.echo(printable(diff, multiline=True) if is_seen else diff, nl=False)
    elif app.json:
        emit_json({"what": what, "id": name, "document": document})
    else:
        show()


def _difference(document: dict[str, Any]) -> str | None:
    """Of a change; of a finding the edit that mends it, if one is known."""
    found = document["diff"] if "diff" in document else document["details"].get("mending")
    return None if found is None else str(found)


def _show_answer(answer: dict[str, Any]) -> None:
    from reverie.interfaces.cli.views.judgements import show_answer

    click.echo(
        printable(f"{answer['id']}  judged {answer['judged_at']}: {', '.join(answer['files'])}")
    )
    show_answer({**answer, "id": None})
    click.echo(f"its difference: reverie show {answer['id']} --patch")


def _show_procedure(app: App, number: int) -> None:
    import asyncio

    from reverie.interfaces.cli.views.dreams import show

    asyncio.run(show(app, number))


def _change(app: App, journal: "Journal", found: "Named") -> Seen:
    from reverie.bootstrap.repository import is_made, mainline_of
    from reverie.cycle.report.document import change_document
    from reverie.interfaces.cli.views.cycles import show_change
    from reverie.model.codec import plain
    from reverie.store.browsing.dreams import load_dream

    header, each = load_dream(journal, app.repository.path, found.cycle_id or "", found.id)
    needs = [] if each.trial is None else plain(each.trial.judgement.needs)
    document = {**change_document(each), "cycle_id": header.id, "needs": needs}
    made = is_made(app.repository.path, each.dream.change)
    commit = None if each.promotion is None else each.promotion.commit
    merged = mainline_of(app.repository.path).holds(commit)
    return document, lambda: show_change(
        document, is_made=made, is_merged=merged, in_force=partial(_in_force, app.loaded)
    )


def _in_force(loaded: "Loaded", name: str) -> tuple[object, str]:
    return loaded.settings.value(name), loaded.origins[name]


def _cycle(app: App, journal: "Journal", found: "Named") -> Seen:
    from reverie.interfaces.cli.commands.report import document_of
    from reverie.interfaces.cli.views.cycles import existing_page, show_report
    from reverie.store.cycles.cycles import load_cycle

    record, repository = load_cycle(journal, found.id), app.loaded.repository
    document, page = document_of(journal, repository, record), existing_page(app, found.id)
    return document, lambda: show_report(document, page)


def _finding(app: App, journal: "Journal", found: "Named") -> Seen:
    from reverie.interfaces.cli.commands.finding import show_finding
    from reverie.model.codec import plain
    from reverie.store.browsing.cycles import find_findings

    document = plain(find_findings(journal, app.repository.path, found.id)[0])
    return document, lambda: show_finding(document)


def _execution(app: App, journal: "Journal", found: "Named") -> Seen:
    from reverie.interfaces.cli.commands.history import execution_document, show_execution
    from reverie.store import details

    whole = details(journal, found.id)
    return execution_document(whole), lambda: show_execution(whole)


def _failure(app: App, journal: "Journal", found: "Named") -> Seen:
    from reverie.interfaces.cli.commands.history import show_patterns
    from reverie.model.codec import plain
    from reverie.store.queries import find_pattern
    from reverie.trials.fixes import with_fix

    pattern = with_fix(find_pattern(journal, found.id))
    return plain(pattern), lambda: show_patterns([pattern])


_LOOKS: "Mapping[str, Callable[[App, Journal, Named], Seen]]" = {
    "change": _change,
    "cycle": _cycle,
    "finding": _finding,
    "execution": _execution,
    "failure": _failure,
}
