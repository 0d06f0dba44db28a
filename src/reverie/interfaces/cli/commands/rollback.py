"""`reverie rollback`: take a promotion back."""

from contextlib import suppress
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.model.codec import pick
from reverie.model.cycle import PromotionStatus, Rollback
from reverie.model.dream import DreamStatus

if TYPE_CHECKING:
    from reverie.store import Journal
    from reverie.store.cycles.promotions import JournaledDream

_EXAMPLE = """
reverie rollback 20261116-020709-f6d1
reverie rollback 3f2a9c --why "slower on large carts"
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("dream", metavar="ID")
@click.option("--why", metavar="TEXT", default="", help="What to say in the commit and journal.")
@setting_option("promotion.branch_prefix")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, dream: str, why: str) -> int:
    """Undo a change: it leaves its branch while nobody else has it, or a commit reverts it.

    ID is that of a change; or of a cycle, or its branch: then all of its changes are taken back,
    newest first. What people have merged is reverted on a branch, for them to merge.
    The exit code is 1 when later changes stand in the way.
    """
    from reverie.bootstrap.deciding import take_back

    with writable_journal(app, "promotions are", dream) as journal:
        cycle_id, found = _offered(app, journal, dream)
        group = cycle_id or ""
        rollbacks = [take_back(app.loaded, journal, each, why, group=group) for each in found]
    documents = [_document(each) for each in rollbacks]
    if app.json:
        many = {"cycle_id": cycle_id, "rollbacks": documents}
        emit_json(documents[0] if cycle_id is None else many)
    else:
        for each in rollbacks:
            _show(each)
        reverts = [each.branch for each in rollbacks if each.commit is not None]
        for branch in dict.fromkeys(filter(None, reverts)):
            click.echo(printable(f"finish:  git merge {branch}"))
        for branch in _gone(app, rollbacks):
            click.echo(printable(f"the branch {branch} is gone, too: nothing was left on it"))
    return 0


def _gone(app: App, rollbacks: list[Rollback]) -> list[str]:
    """Branches that changes were taken from and that are no longer there."""
    from reverie.promotion.git import Git

    git = Git.find(app.repository.path)
    left = dict.fromkeys(each.branch for each in rollbacks if each.commit is None)
    if git is None:
        return []
    return [name for name in left if name and git.find_commit(f"refs/heads/{name}") is None]


def _offered(app: App, journal: "Journal", given: str) -> "tuple[str | None, list[JournaledDream]]":
    """The change that an id names; or the cycle, with what is offered of it, newest first."""
    from reverie.store.browsing.naming import SHORTEST, NamedKind, find_named
    from reverie.store.cycles.cycles import load_cycle
    from reverie.store.cycles.promotions import JournaledDream, find_offered

    named = None
    if len(given) >= SHORTEST:
        with suppress(UsageError):  # the search among changes says better what is wrong
            named = find_named(journal, app.repository.path, given)
    if named is None or named.kind is not NamedKind.CYCLE:
        name = given if named is None else named.id
        return None, [find_offered(journal, app.repository.path, name)]
    record = load_cycle(journal, named.id)
    offered = [
        JournaledDream(record.header, each)
        for each in reversed(record.promotions)
        if each.status is not DreamStatus.ROLLED_BACK
    ]
    if not offered:
        raise UsageError(f"nothing of the cycle {named.id} is on a branch: nothing to take back")
    return named.id, offered


def _document(rollback: Rollback) -> dict[str, Any]:
    status = str(PromotionStatus.ROLLED_BACK)
    return pick(rollback, "dream_id status branch commit created_at", status=status)


def _show(rollback: Rollback) -> None:
    branch = printable(rollback.branch or "")
    if rollback.commit is not None:
        click.echo(f"{rollback.dream_id} is reverted by {rollback.commit[:12]} on {branch}")
    elif rollback.branch is not None:
        click.echo(f"{rollback.dream_id} is taken back: it is gone from {branch}")
    else:
        click.echo(f"{rollback.dream_id} is taken back: its patch is gone")
