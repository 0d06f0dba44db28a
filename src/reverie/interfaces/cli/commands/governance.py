"""`reverie governance`: the owner's rules, decisions, people's words against them, the queue."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, setting_option
from reverie.interfaces.cli.journals import existing_journal, writable_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick
from reverie.syntax.unparsing import unparse

if TYPE_CHECKING:
    from reverie.model.foresight import Override
    from reverie.store import Journal

_EXAMPLE = """
reverie governance rules
reverie governance evaluate 3f2a9c
reverie governance override 3f2a9c --verdict promote --as Ada --key ~/.ssh/id_ed25519 \\
  --why "the fall is the holiday's" --days 7
"""
_MOST_DAYS = 365
_SHOWN = 20


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Show and use what decides whether a proven change may be promoted.

    A cycle asks it about every promotion: foresight, your rules (`governance.rules`), and signed
    words of the people in `promotion.approvers`. Whatever cannot be decided is held.
    """


@command.command("rules", cls=Command, example="reverie governance rules --json")
@setting_option("governance.rules")
@click.pass_obj
def show_rules(app: App) -> None:
    """Show the rules in force; a file that cannot be read as rules is an error."""

    from reverie.bootstrap.governance import open_policy

    rules = [
        {
            "name": each.name,
            "when": unparse(each.condition),
            "verdict": str(each.verdict),
            "reason": each.reason,
        }
        for each in open_policy(None, app.loaded).rules
    ]
    if app.json:
        emit_json({"file": app.settings.governance.rules, "rules": rules})
    elif rules:
        emit_table(("rule", "when", "verdict", "reason"), [tuple(each.values()) for each in rules])
    else:
        click.echo("no rules: governance.rules names no file, or an empty one")


@command.command("evaluate", cls=Command, example="reverie governance evaluate 3f2a9c")
@click.argument("subject", metavar="ID")
@setting_option("governance.rules")
@setting_option("journal.url")
@click.pass_obj
def evaluate_subject(app: App, subject: str) -> int:
    """Decide on a tried dream (by its id), or a module or workflow (by its name).

    Nothing is promoted, and the decision is not logged. The exit code is 1 unless it is `promote`.
    """
    from reverie.bootstrap.governance import decide_on

    with existing_journal(app) as journal:
        if journal is None:
            raise UsageError(f"nothing was tried in {app.repository.path}: there is no journal")
        decision = decide_on(app.loaded, journal, subject)
    emit_json(decision) if app.json else _show(decision)
    return 0 if decision["verdict"] == "promote" else 1


@command.command("override", cls=Command, example="reverie governance override 3f2a9c --help")
@click.argument("subject", metavar="ID")
@click.option("--verdict", metavar="WORD", required=True, help="What is to be done instead.")
@click.option("--as", "name", metavar="NAME", required=True, help="Who you are.")
@click.option("--key", metavar="FILE", required=True, help="Your private key: Ed25519.")
@click.option("--why", metavar="TEXT", required=True, help="Signed as well.")
@click.option("--days", type=click.IntRange(1, _MOST_DAYS), default=7, help="How long it counts.")
@setting_option("journal.url")
@click.pass_obj
def override_decision(app: App, /, **given: Any) -> int:
    """Sign your word against a decision, about one subject and until a date.

    It counts only while `promotion.approvers` names you with that key, and never against a failed
    alignment or a proof that failed. The exit code is 1 when it would not count.
    """
    from reverie.model.foresight import DeploymentVerdict, Override

    if given["verdict"] not in list(DeploymentVerdict):
        choices = ", ".join(DeploymentVerdict)
        raise UsageError(f"--verdict {given['verdict']!r}: expected one of {choices}")
    with writable_journal(app, "overrides are") as journal:
        word = Override(
            _subject(app, journal, given["subject"]),
            DeploymentVerdict(given["verdict"]),
            given["name"],
            given["why"],
            datetime.now(UTC) + timedelta(days=given["days"]),
        )
        told = _record(app, journal, word, Path(given["key"]).expanduser())
    if app.json:
        emit_json(told)
    else:
        until = f"until {told['expires_at']}"
        click.echo(f"{printable(word.subject)}: {word.verdict}, {until}")
    return 0


@command.command("log", cls=Command, example="reverie governance log --limit 50")
@click.option("--limit", type=click.IntRange(1, 10_000), default=_SHOWN, help="How many, at most.")
@setting_option("journal.url")
@click.pass_obj
def show_log(app: App, limit: int) -> None:
    """Show the decisions that were logged, newest first."""
    from reverie.store.cycles.measures import load_decisions

    with existing_journal(app) as journal:
        found = [] if journal is None else [dict(e) for e in load_decisions(journal, limit)]
    if app.json:
        emit_json({"decisions": found})
        return
    rows = [
        (e["at"], e["subject"], e["verdict"], e["overridden_by"] or "-", _list(e["reason_codes"]))
        for e in found
    ]
    emit_table(("at", "subject", "verdict", "overridden by", "reasons"), rows)


@command.command("queue", cls=Command, example="reverie governance queue")
@click.option("--all", "is_all", is_flag=True, help="Those decided on, too.")
@setting_option("journal.data_dir")
@click.pass_obj
def show_queue(app: App, is_all: bool) -> None:
    """Show what waits for a decision, neither good enough nor bad enough, with its worth."""
    from reverie.bootstrap.governance import open_bucket

    bucket = open_bucket(app.loaded)
    found = tuple(bucket.candidates().values()) if is_all else bucket.waiting()
    if app.json:
        emit_json({"mode": str(bucket.mode), "candidates": found})
        return
    rows = [
        (each.subject, each.status, f"{each.raroi[-1]:+.1f}", f"{each.confidence:.2f}")
        for each in found
    ]
    emit_table(("subject", "status", "worth", "confidence"), rows)
    click.echo(f"micro-pilots: {bucket.mode}")


def _subject(app: App, journal: "Journal", given: str) -> str:
    """The whole id of a dream that its beginning names; any other name as it is."""
    from reverie.store.cycles.promotions import find_tried

    try:
        return find_tried(journal, app.repository.path, given).each.dream.id
    except UsageError:
        return given


def _record(app: App, journal: "Journal", word: "Override", key: Path) -> dict[str, Any]:
    from reverie.errors import Refused
    from reverie.promotion.approvals import overrides_in_force, sign_override
    from reverie.promotion.bundle.keys import read_signing_key
    from reverie.store.cycles.promotions import record_override

    envelope = sign_override(word, read_signing_key(key))
    approvers = app.settings.promotion.known_approvers()
    if not overrides_in_force((envelope,), approvers, datetime.now(UTC)):
        raise Refused(f"{word.name!r} with that key is not among promotion.approvers")
    record_override(journal, app.repository.path, word.subject, envelope)
    return pick(word, expires_at=word.expires_at.isoformat(timespec="seconds"))


def _show(decision: dict[str, Any]) -> None:
    rows = [(name, _cell(value)) for name, value in sorted(decision["figures"].items())]
    emit_table(("figure", "value"), rows)
    by = decision["overridden_by"]
    told = decision["verdict"] if by is None else f"{decision['verdict']}, by the word of {by}"
    reasons = _list(decision["reason_codes"])
    click.echo(printable(f"{decision['subject']}: {told} ({reasons})"))


def _list(reasons: list[str]) -> str:
    return ", ".join(reasons) or "nothing speaks against it"


def _cell(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_cell(each)}" for name, each in value.items())
    return f"{value:g}" if isinstance(value, float) else str(value)
