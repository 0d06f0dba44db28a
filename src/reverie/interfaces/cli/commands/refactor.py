"""`reverie refactor`: make code easier to read, and prove that it does the same."""

from pathlib import Path
from typing import Any

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import environment_options, settle_with_all

_EXAMPLE = """
reverie refactor src/shop/orders.py:totals
reverie refactor src/shop --budget 10m --json
"""


@click.command(cls=Command, example=_EXAMPLE, paths=("target",))
@click.argument("target", metavar="[PATH | FILE[:callable]]", default="")
@click.option("--budget", default="2m", show_default=True, metavar="TIME", help="For all trials.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option(
    "--seed", default=0, show_default=True, type=click.IntRange(0, 1 << 32), help="Of inputs."
)
@environment_options()
@setting_option("sandbox.tier")
@setting_option("sandbox.memory_mb")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Rewrite what is hard to read, one change at a time; keep what is proven to do the same.

    In a repository with tests each change goes through the whole judgement of refactorings. A
    file on its own is checked by rules on its source and compared on generated inputs; its tests
    are missing then. Nothing is written. The exit code is 1 when nothing is proven.
    """
    from reverie.bootstrap.dreamers import RefactorQuestion, refactor
    from reverie.index.named_file import require_python
    from reverie.interfaces.cli.output import emit_json
    from reverie.interfaces.cli.views.improvements import refactoring_document, show_refactorings

    named = str(given["target"] or "")
    file = named if named.endswith(".py") else named.rpartition(":")[0]
    if file.endswith(".py") and Path(file).is_file():
        require_python(Path(file), file)
    question = RefactorQuestion(
        target=given["target"],
        repository=app.repository.path,
        budget_seconds=parse_duration(given["budget"], "--budget"),
        seed=given["seed"],
        around=settle_with_all(app, given["python"]),
    )
    found, tier = refactor(question, app.settings, app.recording_url())
    if app.json:
        emit_json({**refactoring_document(found), "isolation": tier})
    else:
        show_refactorings(found)
    return 0 if found.best is not None else 1
