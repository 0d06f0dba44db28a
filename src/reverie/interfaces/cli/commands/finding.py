"""`reverie finding`: what a person says of behaviour that looks like a fault."""

import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.cycle.report.page import finding_facts
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import existing_journal, writable_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.repository.environment import SETTLED, Opinion, Verdict

if TYPE_CHECKING:
    from reverie.store import Journal

_EXAMPLE = """
reverie finding
reverie finding 3f2a9c1b ignore --why "nobody passes an empty name"
reverie finding 3f2a9c1b ignore --function
"""
_SIGNATURE = re.compile(r"[0-9a-f]{16}")
_WORDS = {"ignore": Opinion.OUT_OF_SCOPE, **{each.value: each for each in Opinion}}
_SHOWN_WORDS = "bug|feature|ignore"
_SHORTEST = 4


@click.command(cls=Command, example=_EXAMPLE, paths=("name",))
@click.argument("name", metavar="[REPO | ID]", required=False)
@click.argument("word", metavar=f"[{_SHOWN_WORDS}]", required=False)
@click.option("--why", metavar="TEXT", default="", help="What to note with it.")
@click.option("--function", "is_wide", is_flag=True, help="Say it of all findings of its function.")
@click.option("--all", "is_all", is_flag=True, help="List also those that are settled.")
@setting_option("journal.url")
@click.pass_obj
def command(
    app: App, name: str | None, word: str | None, why: str, is_wide: bool, is_all: bool
) -> None:
    """List the findings, show one, or say what one is.

    `bug`: it is one, and stays on the list. `feature`: it is meant so. `ignore`: nothing to be
    done. After the last two it is never reported again, by `run`, `nightly` or `fuzz`; with
    --function neither is any other finding of its function, until `bug --function` takes it back.
    ID is that of a run or of `reverie fuzz`, and may be cut.
    """
    if name is not None and Path(name).is_dir():
        name = None  # it named the repository
    if word is None:
        if is_wide:
            raise UsageError(f"--function goes with a word: {_SHOWN_WORDS.replace('|', ', ')}")
        _show_or_list(app, name, is_all)
        return
    if word not in _WORDS:
        raise UsageError(f"a finding is {_SHOWN_WORDS.replace('|', ', ')}, not {word!r:.60}")
    with writable_journal(app, "verdicts are", name or "") as journal:
        found = _whole(app, journal, name or "")
        about = _function_of(app, journal, found) if is_wide else found
        verdict = Verdict(about, _WORDS[word], datetime.now(UTC), why)
        _record(app, journal, verdict)
    if app.json:
        emit_json({"id": found, "function": about if is_wide else None,
                   "verdict": verdict.opinion, "why": why,
                   "created_at": verdict.created_at.isoformat()})  # fmt: skip
    else:
        click.echo(printable(f"{about} is noted as {word}{_after(verdict, found)}"))


def _after(verdict: Verdict, found: str) -> str:
    """What follows from a verdict, for whoever has just given it."""
    if verdict.opinion not in SETTLED:
        return ""
    if verdict.signature != found:
        return "; no finding of this function is reported again"
    wider = f"reverie finding {found} ignore --function"
    return f"; it is not reported again. Nor is anything else of its function after: {wider}"


def _function_of(app: App, journal: "Journal", given: str) -> str:
    """The function of a finding, as `module:name`."""
    from reverie.store.browsing.cycles import find_findings

    subjects = [each.subject for each in find_findings(journal, app.repository.path, given)]
    if not subjects or subjects[0] is None:
        raise UsageError(f"--function: the finding {given} is not known to be about one function")
    return subjects[0]


def _record(app: App, journal: "Journal", verdict: Verdict) -> None:
    from reverie.store.cycles.findings import record_verdict

    record_verdict(journal, app.repository.path, verdict)


def _whole(app: App, journal: "Journal", given: str) -> str:
    """The whole id; `reverie fuzz` prints whole ones that the journal need not know."""
    from reverie.store.browsing.cycles import find_findings

    found = find_findings(journal, app.repository.path, given) if len(given) >= _SHORTEST else ()
    if len(found) == 1:
        return found[0].id
    if len(found) > 1:
        raise UsageError(f"more than one finding has an id that starts with {given!r}")
    if _SIGNATURE.fullmatch(given):
        return given
    raise UsageError(f"no finding has the id {given!r:.60}: `reverie finding` lists them")


def _show_or_list(app: App, name: str | None, is_all: bool) -> None:
    from reverie.model.codec import plain
    from reverie.store.browsing.cycles import find_findings

    with existing_journal(app) as journal:
        if name is not None:
            if journal is None:
                raise UsageError(f"no finding has the id {name!r:.60}: nothing has run here")
            name = _whole(app, journal, name)
        found = () if journal is None else find_findings(journal, app.repository.path, name or "")
    if name is not None and not found:
        raise UsageError(f"the journal does not know the finding {name!r:.60}")
    documents = [plain(each) for each in found]
    if name is not None:
        emit_json(documents[0]) if app.json else show_finding(documents[0])
        return
    listed = [each for each in documents if is_all or each["opinion"] not in set(SETTLED)]
    if app.json:
        emit_json({"findings": listed})
    elif not listed:
        click.echo("no finding is open")
    else:
        emit_table(("id", "judged", "module", "what"),
                   [(each["id"], each["opinion"] or "-", each["module"], each["title"])
                    for each in listed])  # fmt: skip
        click.echo(f"see one: reverie finding ID; judge one: reverie finding ID {_SHOWN_WORDS}")


def show_finding(document: dict[str, Any]) -> None:
    """A finding with all that is known of it, and what can be said of it."""
    opinion = document["opinion"]
    word = "ignore" if opinion == Opinion.OUT_OF_SCOPE else opinion
    said = "not judged" if opinion is None else f"judged: {word}"
    click.echo(printable(f"{document['id']}  {document['module']}: {document['title']}"))
    click.echo(f"  seen in {document['cycle_id']}; {said}")
    for label, value in finding_facts(document["details"], document["module"]):
        text = printable(str(value), multiline=True).replace("\n", "\n" + " " * 21)
        click.echo(f"  {label:<18} {text}")
    click.echo(f"judge it: reverie finding {document['id']} {_SHOWN_WORDS}")
    if document["subject"] is not None:
        rest = printable(f"never again anything of {document['subject']}:")
        click.echo(f"{rest} reverie finding {document['id']} ignore --function")
