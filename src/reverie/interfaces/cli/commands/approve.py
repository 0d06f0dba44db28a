"""`reverie approve`: sign for a change that may not go through without people."""

from datetime import UTC, datetime
from pathlib import Path

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.promotions import proven_of

_EXAMPLE = """
reverie approve 3f2a9c --as Ada --key ~/.ssh/id_ed25519
"""


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
    from reverie.promotion.approvals import approve, counted, require_countable
    from reverie.promotion.bundle.keys import config_folder, existing_key, read_signing_key
    from reverie.promotion.promoter import approvals_required, require_judged
    from reverie.store.promotions import find_tried, load_approvals, record_approval

    signing = read_signing_key(Path(key).expanduser())
    approvers = app.settings.promotion.known_approvers()
    authors = existing_key(config_folder(app.environ))
    with writable_journal(app, "approvals are") as journal:
        found = find_tried(journal, app.repository.path, dream)
        proven = proven_of(app, found)
        require_judged(proven)
        earlier = counted(
            proven, load_approvals(journal, found.header.id, proven.dream.id), authors, approvers
        )
        given = approve(proven, name, signing, datetime.now(UTC), why)
        require_countable(proven, given, earlier, authors, approvers)
        record_approval(journal, found.header.id, given)
    count, required = len(earlier) + 1, approvals_required(proven)
    if app.json:
        emit_json(
            {
                "dream_id": given.dream_id,
                "name": given.name,
                "keyid": given.keyid,
                "created_at": given.created_at.isoformat(),
                "approvals": count,
                "required": required,
                "is_listed": bool(approvers),
            }
        )
    else:
        click.echo(
            f"{given.dream_id} is approved by {printable(given.name)}: {count} of {required}"
        )
    return 0
