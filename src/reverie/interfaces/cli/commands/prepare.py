"""`reverie prepare`: an environment for a repository, and a look at its suite."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import (
    environment_options,
    mending,
    settle_environment,
    show_preflight,
    wish_of,
)
from reverie.interfaces.cli.output import emit_json, printable
from reverie.model.codec import plain

if TYPE_CHECKING:
    from reverie.model.repository.environment import Preflight, Surroundings

_EXAMPLE = """
reverie prepare path/to/repository --yes
reverie prepare --with freezegun --with "numpy<2"
"""
NOT_READY = 2
_LISTED = 20


@click.command(cls=Command, example=_EXAMPLE)
@click.option(
    "--python", metavar="PATH", help="Interpreter to use instead of finding or making one."
)
@click.option("--with", "extra", multiple=True, metavar="REQUIREMENT",
              help="Install this as well; may be given again.")  # fmt: skip
@environment_options()
@setting_option("environment.suite_seconds")
@setting_option("sandbox.tier")
@click.pass_obj
def command(app: App, python: str | None, extra: tuple[str, ...]) -> int:
    """Find or make the environment of a repository, and run its suite in it once.

    An environment that is there is taken: --python, VIRTUAL_ENV, .venv, venv, conda, poetry, pdm,
    hatch. Otherwise one is made, with your consent, from what the repository declares: lock files,
    pyproject.toml, requirements files, tox.ini, setup.cfg, setup.py, its CI. Wheels come from the
    package index that pip or uv is set up for; what has none is built in the sandbox. It is kept
    outside of the repository, and other commands use it. The exit code is 0 when work can begin
    and 2 when something has to be mended first: the command that mends it is printed.
    """
    from reverie.bootstrap.environments import look_before, looked_at
    from reverie.environment.preflight import Fit

    # Nothing waits for it: of a suite that does not end all files are tried in turn.
    seconds = app.settings.environment.suite_seconds
    fit = Fit(seconds, whole_seconds=seconds)
    around = settle_environment(app, python, _checked(extra))
    wish = replace(wish_of(app, python), extra=extra)
    around, found = looked_at(
        app.loaded,
        around,
        wish,
        app.environ,
        lambda each: look_before(app.loaded, each, is_known=False, fit=fit),
    )
    if app.json:
        emit_json(_document(app, around, found))
    else:
        _show(app, found)
    return 0 if found.is_ready or app.goes_on else NOT_READY


def _checked(extra: tuple[str, ...]) -> tuple[str, ...]:
    from reverie.environment.declarations import read_requirement

    for each in extra:
        if read_requirement(each) is None:
            raise UsageError(f"--with takes a name with versions, as numpy<2, not {each!r}")
    return extra


def _show(app: App, found: "Preflight") -> None:
    show_preflight(found)
    left_out = () if found.part is None else found.part.left_out
    for file in left_out[:_LISTED]:
        click.echo(printable(f"  does not fit, and is left out: {file}"))
    if len(left_out) > _LISTED:
        click.echo(f"  and {len(left_out) - _LISTED} more")
    for name, why in found.unimportable.items():
        click.echo(printable(f"  cannot be imported: {name} ({why})"))
    for each in found.findings:
        click.echo(printable(f"stop: {each.text}"))
        click.echo(printable(f"  mend it: {mending(app, each)}"))


def _document(app: App, around: "Surroundings", found: "Preflight") -> dict[str, Any]:
    return {
        "repository": app.loaded.repository,
        "ready": found.is_ready,
        "line": found.line,
        "python": around.python,
        "python_version": around.python_version,
        "environment": around.label,
        "how": around.label,
        "made": around.is_made,
        "requirements": _requirements(app.loaded.repository, around.python_version),
        "missing": list(found.missing),
        "suite": {
            "passed": found.passed,
            "failed": found.failed,
            "skipped": found.skipped,
            "broken": sorted(found.broken),
        },
        "passed": found.passed,
        "failed": found.failed,
        "skipped": found.skipped,
        "seconds": found.seconds,
        "failing": dict(found.failing),
        "broken_files": dict(found.broken),
        "unimportable": dict(found.unimportable),
        "generated": sorted(around.generated),
        "findings": [
            {"code": each.code, "text": each.text, "command": mending(app, each)}
            for each in found.findings
        ],
        "problems": [{"what": each.text, "command": mending(app, each)} for each in found.findings],
        "notes": list(found.notes),
        "part": None if found.part is None else plain(found.part),
    }


def _requirements(repository: Path, python_version: str) -> list[str]:
    """What the repository declares for itself and for its tests."""
    from reverie.environment.needs import read_needs, unique

    needs = read_needs(repository, python_version)
    return [str(each) for each in unique((*needs.runtime, *needs.tests))]
