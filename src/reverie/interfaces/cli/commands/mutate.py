"""`reverie mutate`: change the code a little, and see whether a test notices."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.bootstrap import open_sandbox
from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, NewFile, setting_option
from reverie.interfaces.cli.environments import environment_options, require_preflight
from reverie.interfaces.cli.output import emit_json, write_text
from reverie.interfaces.cli.progress import PhaseBar
from reverie.interfaces.cli.views.mutations import mutation_document, show_mutation
from reverie.model.measurements.suite import MutationReport
from reverie.model.sections import OperatorSet

if TYPE_CHECKING:
    from reverie.instruments.mutation.campaign import Lines
    from reverie.instruments.mutation.project import Project

_EXAMPLE = """
reverie mutate src/shop --tests tests
reverie mutate --since main --fail-under 0.8 --html survivors.html
"""


@click.command(cls=Command, example=_EXAMPLE, paths=("path", "tests"))
@click.argument("path", required=False)
@click.option("--tests", metavar="DIR", multiple=True, help="Folder or file of tests; repeatable.")
@click.option("--since", metavar="REV", help="Mutate only lines changed since a git revision.")
@click.option("--sample", type=click.IntRange(min=1), metavar="N", help="Judge only N of them.")
@click.option("--python", metavar="PATH", help="Interpreter with the project's dependencies.")
@click.option("--diffs", is_flag=True, help="Show every survivor as a difference.")
@click.option("--fail-under", type=click.FloatRange(0, 1), help="Exit 1 when the score is lower.")
@click.option(
    "--html", type=NewFile(), metavar="FILE", help="Write a page with every survivor there."
)
@click.option(
    "--stryker",
    type=NewFile(),
    metavar="FILE",
    help="Write the mutation-testing report schema there.",
)
@click.option(
    "--sarif", type=NewFile(), metavar="FILE", help="Write the survivors there, for code scanning."
)
@click.option("--cache", metavar="DIR", help="Keep verdicts there; otherwise in the data folder.")
@click.option("--no-cache", is_flag=True, help="Judge everything again, and keep nothing.")
@environment_options()
@setting_option("mutation.operators")
@setting_option("mutation.verify")
@setting_option("mutation.baseline_seconds")
@setting_option("sandbox.tier")
@setting_option("sandbox.slots")
@click.pass_obj
def command(app: App, /, **given: Any) -> int:
    """Measure what the tests notice: mutants of PATH, killed or not, and the weak lines.

    PATH is a file or folder of the repository, otherwise all of its source. Everything of the
    repository runs in the sandbox, on a private view: its files are never written. The exit
    code is 0 when the run did its job, and 1 when the score is below --fail-under.
    """
    from reverie.instruments.mutation.project import find_project, require_tests

    python, since = given["python"], given["since"]
    require_tests(app.repository.path, given["tests"])
    folder = None if given["no_cache"] else _cache_folder(app, given["cache"])
    project = find_project(app.repository.path, given["path"], given["tests"], python)
    lines = None if since is None else _changed_lines(app, since, project.files)
    settled = require_preflight(app, python)[0].python
    project = find_project(app.repository.path, given["path"], given["tests"], settled)
    report = _run(app, project, folder, lines, given["sample"])
    document = mutation_document(report, project.root)
    _write_files(report, document, project.root, given)
    if app.json:
        emit_json(document)
    else:
        show_mutation(document, with_diffs=given["diffs"])
    return _exit_code(report, given["fail_under"])


def _write_files(
    report: MutationReport, document: dict[str, Any], root: str, given: dict[str, Any]
) -> None:
    """What was asked for besides the answer."""
    if given["html"] is not None:
        from reverie.interfaces.cli.views.mutations import mutation_page

        write_text(given["html"], mutation_page(document))
    if given["stryker"] is not None:
        from reverie.interfaces.cli.views.mutations import stryker_document

        write_text(given["stryker"], json.dumps(stryker_document(report, root)))
    if given["sarif"] is not None:
        from reverie.interfaces.cli.views.mutations import mutation_sarif

        write_text(given["sarif"], json.dumps(mutation_sarif(document, root), indent=2) + "\n")


def _run(
    app: App, project: "Project", folder: Path | None, lines: "Lines | None", sample: int | None
) -> MutationReport:
    from reverie.instruments.mutation.cache import VerdictCache
    from reverie.instruments.mutation.campaign import Campaign, Wishes
    from reverie.instruments.mutation.sandbox_side import FarSide

    section = app.settings.mutation
    with open_sandbox(app.settings.sandbox) as sandbox, PhaseBar() as bar:
        far = FarSide(
            sandbox,
            project,
            exhaustive=section.operators is OperatorSet.EXHAUSTIVE,
            baseline_seconds=section.baseline_seconds,
        )
        wishes = Wishes(
            only_lines=lines,
            sample=sample,
            verified_share=section.verify,
            workers=app.settings.sandbox.slots,
            cache=VerdictCache(folder),
            progress=bar.show,
        )
        return Campaign(far, wishes).run()


def _exit_code(report: MutationReport, fail_under: float | None) -> int:
    if not report.is_complete:
        return 130
    is_below = fail_under is not None and report.score is not None and report.score < fail_under
    is_below = is_below or (fail_under is not None and report.void is not None)
    return 1 if is_below else 0


def _cache_folder(app: App, given: str | None) -> Path | None:
    """Where asked, or in a data folder that `reverie init` has made; never made by the way."""
    if given is not None:
        if Path(given).exists() and not Path(given).is_dir():
            raise UsageError(f"--cache: {given!r} is no folder")
        return Path(given)
    return app.loaded.data_dir / "mutation" if app.loaded.is_initialised else None


def _changed_lines(app: App, revision: str, files: tuple[str, ...]) -> dict[str, frozenset[int]]:
    from reverie.interfaces.cli.views.mutations import changed_lines

    return changed_lines(app.repository.path, revision, files)
