"""`reverie evolve`: breed faster variants of a callable, and prove the best."""

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.environments import environment_options, interpreter_for

if TYPE_CHECKING:
    from reverie.dreamers.evolve.author import Author
    from reverie.instruments.benchmark.target import CallableTarget

_EXAMPLE = """
reverie evolve src/shop/orders.py:totals --inputs bench.py:make_input --budget 2m
reverie evolve slow.py:ranking --inputs slow.py:make_input --svg lineage.svg --json
"""


@click.command(cls=Command, example=_EXAMPLE, paths=("target", "inputs"))
@click.argument("target", metavar="FILE:callable")
@click.option(
    "--inputs", metavar="FILE:callable", help="make_input(n, seed) that returns (args, kwargs)."
)
@click.option(
    "--budget", default="60s", show_default=True, metavar="TIME", help="For breeding and proving."
)
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(0, 1 << 32),
    help="Of inputs, chance and intervals.",
)
@click.option(
    "--state", type=NewFile(), metavar="FILE", help="Keep the population there, and go on with it."
)
@click.option("--svg", type=NewFile(), metavar="FILE", help="Write a picture of the lineage there.")
@click.option("--model", is_flag=True, help="Let the model of the settings write variants, too.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@environment_options()
@setting_option("sandbox.tier")
@setting_option("sandbox.memory_mb")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Breed a population of faster variants of one callable; prove the best as optimise does.

    Variants are made by rewrites in sequence and in combination, by guesses that nobody has shown
    to be right, and with --model by a model. They are raced on inputs that grow; the fastest of
    each kind is kept and has children. Only what a trial proves is offered. Nothing is written but
    the population, in the data folder of the repository or at --state; the next run goes on with
    it. The exit code is 1 when nothing is proven.
    """
    from reverie.bootstrap import open_sandbox
    from reverie.instruments.benchmark.target import named_target
    from reverie.instruments.self_check import Proofs
    from reverie.interfaces.cli.evolutions import evolution_document, show_evolution
    from reverie.interfaces.cli.output import emit_json
    from reverie.interfaces.cli.progress import step_bar
    from reverie.stages.evolving import Wish, evolve_callable

    target = named_target(given["target"])
    maker = None if given["inputs"] is None else named_target(given["inputs"])
    budget_seconds = parse_duration(given["budget"], "--budget")
    python = interpreter_for(app, given["python"], [target.file])
    wish = Wish(
        budget_seconds, given["seed"], _state(app, given["state"], target), _author(app, given)
    )
    with open_sandbox(app.settings.sandbox, app.recording_url(), python) as sandbox:
        for name in ("equivalence", "benchmark"):
            Proofs(sandbox).require(name)
        with step_bar(_MOST_STEPS) as progress:
            found = evolve_callable(sandbox, target, maker, wish, app.settings.guard, progress)
        tier = sandbox.tier
    if given["svg"] is not None:
        _draw(Path(given["svg"]), found)
    if app.json:
        emit_json({**evolution_document(found), "svg": given["svg"], "isolation": tier})
    else:
        show_evolution(found)
    return 0 if found.optimisation.best is not None else 1


_MOST_STEPS = 40


def _state(app: App, named: str | None, target: "CallableTarget") -> Path | None:
    """Where the population is kept: at the file named, or in the data folder if there is one."""
    if named is not None:
        return Path(named)
    if not app.loaded.is_initialised:
        return None
    text = Path(target.file).read_bytes()
    told = b"\0".join((text, target.file.encode(), target.attribute.encode()))
    digest = hashlib.sha256(told).hexdigest()[:16]
    return app.loaded.data_dir / "evolve" / f"{digest}.json"


def _author(app: App, given: dict[str, Any]) -> "Author | None":
    if not given["model"]:
        return None
    from reverie.bootstrap.models import open_client
    from reverie.dreamers.evolve.author import ModelAuthor

    return ModelAuthor(open_client(app.loaded, app.environ))


def _draw(path: Path, found: Any) -> None:
    from reverie.interfaces.cli.evolutions import lineage_picture

    try:
        path.write_text(lineage_picture(found), "utf-8")
    except OSError as error:
        raise UsageError(f"--svg: cannot write {str(path)!r}: {error.strerror}") from error
