"""`reverie approve`: sign for a change that may not go through without people."""

from typing import TYPE_CHECKING, Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.views.promotions import person_of
from reverie.model.codec import pick

if TYPE_CHECKING:
    from reverie.bootstrap.deciding import Approved

_EXAMPLE = """
reverie approve 3f2a9c --as Ada --key ~/.ssh/id_ed25519
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("dream", metavar="ID")
@click.option("--as", "name", metavar="NAME", help="Who you are; otherwise your login name.")
@click.option("--key", metavar="FILE", help="Your private key: Ed25519 [~/.ssh/id_ed25519].")
@click.option("--why", metavar="TEXT", default="", help="What you looked at; signed as well.")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, dream: str, name: str | None, key: str | None, why: str) -> int:
    """Approve a change that is proven and waits, by your signature under its proof.

    Speed-ups need two people with two keys, none of them the author. The exit code is 1
    when your approval would not count.
    """
    from reverie.bootstrap.deciding import approve_dream
    from reverie.store.cycles.promotions import find_tried

    person = person_of(app, name, key, why)
    with writable_journal(app, "approvals are", dream) as journal:
        found = find_tried(journal, app.repository.path, dream)
        given = _document(approve_dream(app.loaded, app.environ, journal, found, person))
    if app.json:
        emit_json(given)
    else:
        count = f"{given['approvals']} of {given['required']}"
        click.echo(f"{given['dream_id']} is approved by {printable(given['name'])}: {count}")
    return 0


def _document(approved: "Approved") -> dict[str, Any]:
    given = "approval.dream_id approval.name approval.keyid approval.created_at"
    return pick(approved, f"{given} approvals=count required is_listed")
