"""`reverie enrich`: tests for modules, written from trying them out in the sandbox."""

import ast
import os
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.bootstrap import open_sandbox
from reverie.errors import OutOfTime, UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, NewFolder, setting_option
from reverie.interfaces.cli.environments import environment_options, require_environment
from reverie.interfaces.cli.output import emit_json, warn
from reverie.interfaces.cli.progress import PhaseBar
from reverie.model.codec import pick

if TYPE_CHECKING:
    from reverie.dreamers.enrich import Enriched, Wish
    from reverie.dreamers.enrich.target import Target

_EXAMPLE = """
reverie enrich shop.prices --budget 60s --out tests
reverie enrich src/shop/prices.py src/shop/orders.py --seed 7 --json
"""


@click.command(cls=Command, example=_EXAMPLE, paths=("modules",))
@click.argument("modules", nargs=-1, required=True, metavar="MODULE...")
@click.option("--budget", metavar="TIME", default="60s", help="For each module; 60s unless said.")
@click.option("--executions", type=click.IntRange(min=1), metavar="N",
              help="Tries of the search instead of a time: repeats exactly.")  # fmt: skip
@click.option(
    "--out",
    type=NewFolder(),
    metavar="DIR",
    help="Folder for the test files; otherwise the tests' own.",
)
@click.option("--python", metavar="PATH", help="Interpreter with the modules' dependencies.")
@click.option("--seed", type=click.IntRange(min=0), default=0, help="Of the search; 0 unless said.")
@click.option(
    "--style", type=click.Choice(["pytest", "unittest"]), help="Otherwise as found there."
)
@click.option("--no-measure", is_flag=True, help="Do not judge the mutants before and after.")
@environment_options()
@setting_option("sandbox.tier")
@setting_option("sandbox.slots")
@click.pass_obj
def command(
    app: App,
    modules: tuple[str, ...],
    budget: str,
    executions: int | None,
    out: str | None,
    python: str | None,
    seed: int,
    style: str | None,
    no_measure: bool,
) -> int:
    """Write tests for each MODULE: a dotted name, or a path in the repository.

    Everything of the repository runs in the sandbox. A file that is already there is never
    written over. The exit code is 1 when there was nothing worth testing in any module.
    """
    from reverie.dreamers.enrich.front import Wish
    from reverie.dreamers.enrich.target import find_target
    from reverie.dreamers.enrich.writing.habits import Framework

    began, seconds = time.monotonic(), parse_duration(budget, "--budget")
    home = app.repository.path
    python = require_environment(app, python)
    targets = _with_something_to_call([find_target(each, home, python) for each in modules])
    folder = _folder(out)
    wish = Wish(
        seconds=None if executions is not None else seconds,
        executions=executions,
        seed=seed,
        framework=None if style is None else Framework(style),
        is_measured=not no_measure,
        workers=app.settings.sandbox.slots,
    )
    documents = []
    for target in targets:
        try:
            documents.append(_enrich(app, target, _left_of(wish, began), folder))
        except OutOfTime:
            warn(f"{target.module}: the time was over before a test was written: give more")
        began = time.monotonic()
    if app.json:
        emit_json(documents)
    else:
        _show(documents)
    return 0 if any(each["tests"] for each in documents) else 1


def _with_something_to_call(targets: "list[Target]") -> "list[Target]":
    """Those that define a function or class or call something; the others are named, for nothing
    of constants and imports can be tested."""
    from reverie.syntax.parsing import parse_quietly

    makers = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda, ast.Call)
    empty = [
        each.module
        for each in targets
        if not any(isinstance(node, makers) for node in ast.walk(parse_quietly(each.source)))
    ]
    told = f"nothing to test in {', '.join(map(repr, empty))}: no function and no class"
    if len(empty) == len(targets):
        raise UsageError(told)
    if empty:
        warn(told)
    return [each for each in targets if each.module not in empty]


def _left_of(wish: "Wish", began: float) -> "Wish":
    """With what is left of the time of a module: finding an interpreter takes some of the first."""
    if wish.seconds is None:
        return wish
    return replace(wish, seconds=max(wish.seconds - (time.monotonic() - began), 1.0))


def _folder(out: str | None) -> Path | None:
    if out is None:
        return None
    folder = Path(out)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out is not a folder: {out!r}")
    return folder


def _enrich(app: App, target: "Target", wish: "Wish", folder: Path | None) -> dict[str, Any]:
    from reverie.dreamers.enrich.front import enrich_target

    with open_sandbox(app.settings.sandbox) as sandbox, PhaseBar() as bar:
        made = enrich_target(sandbox, target, wish, bar.show)
    return _document(made, _write(made, folder))


def _write(made: "Enriched", folder: Path | None) -> str | None:
    """Put the test file where it belongs, under a name that is still free."""
    if not made.written.source:
        return None
    base = Path(made.target.repository or os.curdir)
    place = base / made.written.path if folder is None else folder / Path(made.written.path).name
    stem, number = place.stem, 1
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        while place.exists():
            number += 1
            place = place.with_name(f"{stem}_{number}.py")
        place.write_text(made.written.source, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {str(place)!r}: {error.strerror}") from error
    return str(place)


def _document(made: "Enriched", file: str | None) -> dict[str, Any]:
    findings = [
        pick(each, "function line kind input expected actual why repro")
        for each in made.written.findings
    ]
    return pick(
        made,
        "target.module written.tests line_coverage branch_coverage mutation written.flaky_removed "
        "file seconds:3 written.lines executions=findings.tries scenarios keepability findings "
        "notes",
        line_coverage=pick(made.lines, "before after"),
        branch_coverage=pick(made.branches, "before after"),
        mutation=pick(made.mutation, "before after"),
        file=file,
        keepability=_keepability(made),
        scenarios=len(made.findings.scenarios),
        findings=findings,
    )


def _keepability(made: "Enriched") -> list[dict[str, Any]]:
    from reverie.dreamers.enrich.front import keepability_of

    return [
        {
            "test": name,
            "score": round(each.score, 3),
            "against": [part.name for part in each.parts[:3]],
        }
        for name, each in keepability_of(made.target, made.written.source).items()
    ]


def _show(documents: list[dict[str, Any]]) -> None:
    from reverie.interfaces.cli.views.improvements import show_enriched

    show_enriched(documents)
