"""`reverie verify`: does a proof bundle hold, here and now?"""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import environment_options, settle_with_all
from reverie.interfaces.cli.journals import existing_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.interfaces.cli.progress import working
from reverie.model.codec import pick

if TYPE_CHECKING:
    from reverie.promotion.bundle.keys import PublicKey
    from reverie.promotion.bundle.verification import Verification

_EXAMPLE = """
reverie verify 3f2a9c41
reverie verify .reverie/bundles/3f2a9c41d0e7b856
reverie verify bundle --trust colleague.pub --repo ~/src/shop
"""


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("bundle", metavar="ID | BUNDLE")
@click.option("--trust", metavar="KEY", multiple=True, help="Public key to trust, and no other.")
@click.option("--static", is_flag=True, help="Check signature and hashes; run nothing.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@environment_options()
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, bundle: str, trust: tuple[str, ...], static: bool, python: str | None) -> int:
    """Check a proof: its signature, every hash, then the trial itself, run again.

    ID is that of a change that was promoted here; BUNDLE is the folder of a proof bundle.
    Trusted are your own key and those in the folder `trusted` beside it, or only those given with
    --trust. The source comes from the repository, or from the bundle if it holds it. The exit
    code is 1 when the bundle was tampered with or its claim does not come out again.
    """
    from reverie.bootstrap.remembered_judgements import rerun_trials
    from reverie.promotion.bundle.verification import Verifier
    from reverie.promotion.bundle.writing import read_environment

    bundle = _folder(app, bundle)
    verifier = Verifier(_trusted(app, trust))
    if not static:
        around = settle_with_all(app, python)
        verifier = replace(
            verifier,
            repository=app.repository.path,
            rerun=rerun_trials(app.loaded, around),
            environment=read_environment(None if around.python is None else Path(around.python)),
        )
    with working("running the trials again"):
        answer = verifier.verify(Path(bundle))
    if app.json:
        emit_json(_document(answer, bundle))
    else:
        _show(answer)
    return 0 if answer.accepted else 1


def _folder(app: App, given: str) -> str:
    """The bundle that a path names from here or from the repository, or that a change has."""
    inside = app.repository.path / given
    if Path(given).exists():
        return given
    if inside.exists():
        return str(inside)
    from reverie.store.browsing.naming import SHORTEST

    if len(given) < SHORTEST or "/" in given:
        return given
    from reverie.store.cycles.promotions import find_offered

    with existing_journal(app) as journal:
        if journal is None:
            return given
        promotion = find_offered(journal, app.repository.path, given).each.promotion
    if promotion is None or promotion.bundle is None:
        raise UsageError(f"{given!r:.80} has no proof bundle")
    return promotion.bundle


def _trusted(app: App, given: tuple[str, ...]) -> "tuple[PublicKey, ...]":
    from reverie.promotion.bundle.keys import config_folder, read_public_key, trusted_keys

    if given:
        return tuple(read_public_key(Path(path)) for path in given)
    return trusted_keys(config_folder(app.environ))


def _document(answer: "Verification", folder: str) -> dict[str, Any]:
    bundle = answer.bundle
    return pick(
        answer,
        "bundle accepted reason_code reason dream_id=bundle.told.proven.dream.id "
        "kind=bundle.told.proven.dream.kind title=bundle.told.proven.dream.title "
        "revision=bundle.told.proven.source.revision verdict=bundle.told.proven.judgement.verdict "
        "digest=bundle.digest signer=bundle.signer.fingerprint created_at checks mismatches "
        "environment",
        bundle=folder,
        created_at=None if bundle is None else bundle.statement.predicate.get("created_at"),
    )


def _show(answer: "Verification") -> None:
    if answer.bundle is not None:
        proven = answer.bundle.told.proven
        click.echo(f"{proven.dream.id}  {printable(proven.dream.title)}")
        click.echo(f"signed by {answer.bundle.signer.fingerprint}")
        click.echo(f"in order: {', '.join(answer.checks)}")
    for line in answer.environment:
        click.echo(f"note: {printable(line)}")
    if answer.mismatches:
        rows = [
            (each.measure, f"{each.claimed:g}", _number(each.measured))
            for each in answer.mismatches
        ]
        emit_table(("measure", "claimed", "now"), rows)
    click.echo("accepted" if answer.accepted else f"refused: {printable(answer.reason or '')}")


def _number(value: float | None) -> str:
    return "not measured" if value is None else f"{value:g}"
