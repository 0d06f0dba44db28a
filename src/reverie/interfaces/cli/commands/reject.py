"""`reverie reject`: put aside a change that evidence speaks for."""

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.views.promotions import person_of

_EXAMPLE = """
reverie reject 3f2a9c --as Ada --key ~/.ssh/id_ed25519 --why "the loop was clearer"
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("dream", metavar="ID")
@click.option("--as", "name", metavar="NAME", help="Who you are; otherwise your login name.")
@click.option("--key", metavar="FILE", help="Your private key: Ed25519 [~/.ssh/id_ed25519].")
@click.option("--why", metavar="TEXT", default="", help="What speaks against it; signed as well.")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, dream: str, name: str | None, key: str | None, why: str) -> int:
    """Reject a change that is proven and waits, by your signature.

    It is not offered, and not tried again on the same source. The exit code is 1 when it does
    not wait for anybody.
    """
    from reverie.bootstrap.deciding import reject_dream
    from reverie.store.cycles.promotions import find_tried

    person = person_of(app, name, key, why)
    with writable_journal(app, "changes are", dream) as journal:
        found = find_tried(journal, app.repository.path, dream)
        deed = reject_dream(app.loaded, journal, found, person)
    if app.json:
        told = {name: getattr(deed, name) for name in ("dream_id", "name", "keyid", "why")}
        emit_json({**told, "created_at": deed.created_at.isoformat()})
    else:
        click.echo(f"{deed.dream_id} is rejected by {printable(deed.name)}")
    return 0
