"""`reverie rollback`: take a promotion back."""

from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.model.codec import pick
from reverie.model.promotion import PromotionStatus, Rollback

_EXAMPLE = """
reverie rollback 3f2a9c --why "slower on large carts"
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("dream", metavar="ID")
@click.option("--why", metavar="TEXT", default="", help="What to say in the commit and journal.")
@setting_option("promotion.branch_prefix")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, dream: str, why: str) -> int:
    """Undo a promotion: its branch goes while only we have it, otherwise a commit reverts it.

    What people have merged is reverted on a branch of its own, for them to merge. The exit code
    is 1 when later changes stand in the way.
    """
    from reverie.bootstrap.deciding import take_back
    from reverie.store.promotions import find_offered

    with writable_journal(app, "promotions are") as journal:
        found = find_offered(journal, app.repository.path, dream)
        rollback = take_back(app.loaded, journal, found, why)
    if app.json:
        emit_json(_document(rollback))
    else:
        _show(rollback)
    return 0


def _document(rollback: Rollback) -> dict[str, Any]:
    status = str(PromotionStatus.ROLLED_BACK)
    return pick(rollback, "dream_id status branch commit created_at", status=status)


def _show(rollback: Rollback) -> None:
    branch = printable(rollback.branch or "")
    if rollback.commit is not None:
        click.echo(f"{rollback.dream_id} is reverted by {rollback.commit[:12]} on {branch}")
    elif rollback.branch is not None:
        click.echo(f"{rollback.dream_id} is taken back: the branch {branch} is gone")
    else:
        click.echo(f"{rollback.dream_id} is taken back: its patch is gone")
