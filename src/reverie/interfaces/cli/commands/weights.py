"""`reverie weights`: what the parts of worth count for, learned from what became of promotions."""

import json
import time
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup, NewFile, setting_option
from reverie.interfaces.cli.journals import existing_journal, writable_journal
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.codec import pick

if TYPE_CHECKING:
    from reverie.learning.weights.trainer import AutoTrainer, Trained

_EXAMPLE = """
reverie weights train
reverie weights show
"""
_TRAIN = """
reverie weights train --learner dqn
reverie weights train --interval 600 --progress progress.json
"""


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Learn what each part of worth should count, and show what is in force.

    Learned weights take the place of those in force only when they predict better what became of
    promotions that were held out. `roi.learned_weights` says whether cycles use them.
    """


@command.command("train", cls=Command, example=_TRAIN)
@click.option("--learner", default="logistic", metavar="NAME", help="logistic, actor-critic, dqn.")
@click.option("--interval", type=click.FloatRange(1.0), metavar="SECONDS", help="Again and again.")
@click.option("--run-once", is_flag=True, help="Once and no more, whatever --interval says.")
@click.option(
    "--weights-file", type=NewFile(), metavar="FILE", help="Write the weights there as JSON, too."
)
@click.option(
    "--progress", type=NewFile(), metavar="FILE", help="Write how far it is there as JSON."
)
@setting_option("journal.url")
@click.pass_obj
def train_weights(app: App, /, **given: Any) -> int:
    """Train on the promotions that were merged or rolled back, if there are new ones.

    A promotion has survived when it was merged and nothing in its files was mended for 30 days.
    The exit code is 1 when the weights stay as they are.
    """
    from reverie.bootstrap.governance import open_trainer

    with writable_journal(app, "weights are") as journal:
        trainer = open_trainer(app.loaded, journal, given["learner"])
        trained = trainer.run_once()
        document = _told(trainer, trained)
        _write(given, document)
        if given["interval"] is not None and not given["run_once"]:
            _go_on(trainer, given)
            document = _told(trainer, trained)
    emit_json(document) if app.json else _show(document)
    return 0 if document["replaced"] else 1


@command.command("show", cls=Command, example="reverie weights show --json")
@setting_option("journal.url")
@click.pass_obj
def show_weights(app: App) -> None:
    """Show the weights in force, and the trainings that led to them."""
    from reverie.store.cycles.worth import load_trainings

    with existing_journal(app) as journal:
        found = () if journal is None else load_trainings(journal, app.repository.path)
    weights = dict(found[0].weights) if found else {}
    is_used = app.settings.roi.learned_weights
    if app.json:
        emit_json({"weights": weights, "used": is_used, "trainings": [asdict(e) for e in found]})
        return
    emit_table(("part", "counts"), [(name, f"{each:.3f}") for name, each in weights.items()])
    if not weights:
        click.echo("every part counts as it is: nothing was learned")
    for each in found:
        moment = "" if each.created_at is None else f"{each.created_at:%Y-%m-%d %H:%M}  "
        click.echo(printable(f"{moment}{each.learner}, {each.n} outcomes: {each.reason}"))


def _go_on(trainer: "AutoTrainer", given: dict[str, Any]) -> None:
    """Until somebody presses Ctrl-C; what was learned by then is in the journal."""

    def wait(seconds: float) -> None:
        _write(given, _told(trainer, None))
        time.sleep(seconds)

    try:
        wait(given["interval"])
        trainer.run(given["interval"], lambda: False, wait)
    except KeyboardInterrupt:
        click.echo("stopped", err=True)


def _told(trainer: "AutoTrainer", trained: "Trained | None") -> dict[str, Any]:
    return pick(
        trainer,
        "weights replaced reason n=last_id loss_before loss_after iterations last_id",
        replaced=trained is not None and trained.replaced,
        reason="no new outcomes" if trained is None else trained.reason,
        loss_before=None if trained is None else trained.loss_before,
        loss_after=None if trained is None else trained.loss_after,
    )


def _write(given: dict[str, Any], document: dict[str, Any]) -> None:
    progress = {name: document[name] for name in ("iterations", "last_id")}
    for option, told in (("weights_file", document["weights"]), ("progress", progress)):
        if given[option] is None:
            continue
        try:
            Path(given[option]).write_text(json.dumps(told, sort_keys=True) + "\n", "utf-8")
        except OSError as error:
            name = option.replace("_", "-")
            raise UsageError(f"--{name} {given[option]!r}: {error.strerror}") from error


def _show(document: dict[str, Any]) -> None:
    rows = [(name, f"{each:.3f}") for name, each in document["weights"].items()]
    emit_table(("part", "counts"), rows)
    click.echo(f"{document['n']} outcomes: {document['reason']}")
