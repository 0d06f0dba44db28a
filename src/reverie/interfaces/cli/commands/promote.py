"""`reverie promote`: offer a proven dream on a branch of its own."""

from pathlib import Path

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.journals import writable_journal
from reverie.interfaces.cli.output import emit_json, printable
from reverie.interfaces.cli.views.promotions import Requested, offer, promotion_document, proven_of
from reverie.model.cycle import Promotion

_EXAMPLE = """
reverie promote 3f2a9c
reverie promote 3f2a9c --push origin --open-pr
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("dream", metavar="ID")
@click.option("--branch", metavar="NAME", help="Add it to a branch of ours instead of a new one.")
@click.option("--key", metavar="FILE", help="Key that seals the bundle; otherwise your own.")
@click.option("--sign", metavar="KEY", help="Sign the commit, with ssh:FILE or a key of gpg's.")
@click.option("--push", metavar="REMOTE", help="Push the branch there.")
@click.option("--open-pr", is_flag=True, help="Ask for the merge, by gh or glab; needs --push.")
@setting_option("promotion.branch_prefix")
@setting_option("promotion.archive")
@setting_option("journal.url")
@click.pass_obj
def command(
    app: App,
    dream: str,
    branch: str | None,
    key: str | None,
    sign: str | None,
    push: str | None,
    open_pr: bool,
) -> int:
    """Put a proven change on a branch: one commit, and its proof bundle.

    Your branch, index, stash and files are not touched, and nothing is pushed unless asked. Where
    there is no git, the change is written as a patch. The exit code is 1 when the change may not
    be promoted.
    """
    from reverie.bootstrap.governance import as_decided_now
    from reverie.store.cycles.promotions import (
        find_tried,
        load_approvals,
        record_offer,
        used_branches,
    )

    if open_pr and push is None:
        raise UsageError("--open-pr needs --push REMOTE: what is not there cannot be merged")
    with writable_journal(app, "changes are", dream) as journal:
        found = as_decided_now(app.loaded, journal, find_tried(journal, app.repository.path, dream))
        cycle_id, dream_id = found.header.id, found.each.dream.id
        requested = Requested(
            branch=branch,
            approvals=load_approvals(journal, cycle_id, dream_id),
            signing_key=sign,
            key_file=None if key is None else Path(key),
            used=used_branches(journal, app.repository.path),
        )
        promotion = offer(app, proven_of(app, found), requested)
        if not _is_known(found.each.promotion, promotion):
            record_offer(journal, cycle_id, promotion)
    told = _reach_out(app, promotion, push, open_pr) if push is not None else {}
    if app.json:
        emit_json({**promotion_document(promotion), "pushed_to": None, "request": None, **told})
    else:
        _show(promotion, told)
    return 0


def _is_known(journaled: Promotion | None, promotion: Promotion) -> bool:
    """Whether the journal has it as it stands."""
    if journaled is None or journaled.status is not promotion.status:
        return False
    return (journaled.commit, journaled.patch) == (promotion.commit, promotion.patch)


def _reach_out(app: App, promotion: Promotion, remote: str, open_pr: bool) -> dict[str, str]:
    from reverie.promotion.forge import open_request, push
    from reverie.promotion.git import Git

    git = Git.find(app.repository.path)
    if git is None or promotion.branch is None or promotion.commit is None:
        raise UsageError("there is no branch to push: the change was written as a patch")
    told = {"pushed_to": push(git, promotion.branch, remote)}
    if open_pr:
        message = git.run("log", "-1", "--no-show-signature", "--format=%b", promotion.commit)
        body = message.decode("utf-8", "replace")
        told["request"] = open_request(git, promotion.branch, remote, promotion.title, body)
    return told


def _show(promotion: Promotion, told: dict[str, str]) -> None:
    where = promotion.branch or promotion.patch or ""
    click.echo(f"{promotion.dream_id}  {printable(promotion.title)}")
    click.echo(f"offered on {printable(where)}")
    if promotion.branch is not None:
        click.echo(printable(f"take:       git merge {promotion.branch}"))
        click.echo(printable(f"take back:  reverie rollback {promotion.dream_id}"))
    click.echo(f"proof bundle {printable(promotion.bundle or '')}")
    for name, value in told.items():
        click.echo(f"{name.replace('_', ' ')} {printable(value)}")
