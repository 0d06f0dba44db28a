"""`reverie approve`: sign for a change that may not go through without people."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.promotions import proven_of

if TYPE_CHECKING:
    from reverie.promotion.bundle.keys import SigningKey
    from reverie.store import Journal
    from reverie.store.promotions import JournaledDream

_EXAMPLE = """
reverie approve 3f2a9c --as Ada --key ~/.ssh/id_ed25519
"""


@dataclass(frozen=True, slots=True)
class Person:
    """Who approves."""

    name: str
    key: "SigningKey"
    why: str


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("dream", metavar="ID")
@click.option("--as", "name", metavar="NAME", required=True, help="Who you are.")
@click.option("--key", metavar="FILE", required=True, help="Your private key: Ed25519.")
@click.option("--why", metavar="TEXT", default="", help="What you looked at; signed as well.")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, dream: str, name: str, key: str, why: str) -> int:
    """Approve a dream that was judged worth promoting, by your signature under its proof.

    Changes of stage C need two people with two keys, none of them the author. The exit code is 1
    when your approval would not count.
    """
    from reverie.bootstrap.deciding import as_decided_now
    from reverie.promotion.bundle.keys import read_signing_key
    from reverie.store.promotions import find_tried

    signing = read_signing_key(Path(key).expanduser())
    with writable_journal(app, "approvals are") as journal:
        found = as_decided_now(app.loaded, journal, find_tried(journal, app.repository.path, dream))
        given = _approve(app, journal, found, Person(name, signing, why))
    if app.json:
        emit_json(given)
    else:
        count = f"{given['approvals']} of {given['required']}"
        click.echo(f"{given['dream_id']} is approved by {printable(given['name'])}: {count}")
    return 0


def _approve(
    app: App, journal: "Journal", found: "JournaledDream", person: Person
) -> dict[str, Any]:
    """Record an approval that counts, and tell of it."""
    from reverie.promotion.approvals import approve, counted, require_countable
    from reverie.promotion.bundle.keys import config_folder, existing_key
    from reverie.promotion.promoter import approvals_required, require_judged
    from reverie.store.promotions import load_approvals, record_approval

    proven = proven_of(app, found)
    require_judged(proven)
    approvers = app.settings.promotion.known_approvers()
    authors = existing_key(config_folder(app.environ))
    stored = load_approvals(journal, found.header.id, proven.dream.id)
    earlier = counted(proven, stored, authors, approvers)
    given = approve(proven, person.name, person.key, datetime.now(UTC), person.why)
    require_countable(proven, given, earlier, authors, approvers)
    record_approval(journal, found.header.id, given)
    return {
        "dream_id": given.dream_id,
        "name": given.name,
        "keyid": given.keyid,
        "created_at": given.created_at.isoformat(),
        "approvals": len(earlier) + 1,
        "required": approvals_required(proven),
        "is_listed": bool(approvers),
    }
