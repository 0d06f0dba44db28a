"""`reverie check`: hold files against the static safety rules."""

import json
from collections.abc import Sequence
from pathlib import Path

import click

from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import python_files
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.journals import rules_of
from reverie.interfaces.cli.output import counted, emit_json, printable, write_text
from reverie.model.outcome import TrustTier
from reverie.model.repository.quality import CheckedFile
from reverie.sandbox.safety import check_file, render_json, to_sarif

_EXAMPLE = """
reverie check generated.py --tier sandbox
reverie check src --sarif findings.sarif
"""


@click.command(cls=Command, example=_EXAMPLE, paths=("paths",))
@click.argument("paths", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--tier",
    type=click.Choice([each.value for each in TrustTier]),
    help="How far the code is trusted; otherwise the settings decide by path.",
)
@click.option(
    "--sarif", type=NewFile(), metavar="FILE", help="Write the findings there as SARIF 2.1.0."
)
@setting_option("journal.url")
@click.pass_obj
def command(app: App, paths: tuple[str, ...], tier: str | None, sarif: str | None) -> int:
    """Hold files against the static safety rules; folders are walked for *.py.

    The exit code is 0 when every file passed and 1 when one did not. The rules are advice in
    depth, never the boundary: the sandbox is the boundary.
    """
    rules = rules_of(app)
    files = [
        check_file(path, _tier_of(app, path) if tier is None else TrustTier(tier), rules)
        for path in python_files(paths)
    ]
    if sarif is not None:
        write_text(sarif, json.dumps(to_sarif(files, rules), indent=2) + "\n")
    if app.json:
        emit_json(render_json(files))
    else:
        _show(files)
    return 0 if all(file.passed for file in files) else 1


def _tier_of(app: App, path: Path) -> TrustTier:
    """As the settings say, by the path relative to the repository where it lies in it."""
    absolute = path.absolute().resolve()
    repository = app.loaded.repository
    is_inside = absolute.is_relative_to(repository)
    named = absolute.relative_to(repository) if is_inside else absolute
    return app.settings.safety.tier_of(named.as_posix())


def _show(files: Sequence[CheckedFile]) -> None:
    """A line per finding that editors and terminals can follow, then the answer."""
    for file in files:
        for each in file.findings:
            place = f"{file.path}:{each.line}:{each.column}"
            click.echo(printable(f"{place}: {each.severity} {each.rule}: {each.message}"))
    findings = sum(len(file.findings) for file in files)
    failed = sum(not file.passed for file in files)
    answer = f"{failed} did not pass" if failed else "all passed"
    click.echo(f"{counted(len(files), 'file')}, {counted(findings, 'finding')}: {answer}")
