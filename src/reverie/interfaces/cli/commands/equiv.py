"""`reverie equiv`: do two versions of a callable behave alike?"""

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from reverie.bootstrap import open_sandbox
from reverie.errors import UsageError, reason_of
from reverie.instruments.equivalence import compare_versions, read_version
from reverie.instruments.equivalence.trial import Progress
from reverie.instruments.self_check import Proofs
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, setting_option
from reverie.interfaces.cli.environments import environment_options, interpreter_for
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.call import Call, Expression
from reverie.model.codec import plain
from reverie.model.measurements.equivalence import (
    Adequacy,
    Counterexample,
    Equivalence,
    EquivalenceVerdict,
    Observation,
)
from reverie.model.outcome import counted
from reverie.syntax.parsing import NOT_PYTHON, parse_expression
from reverie.syntax.unparsing import unparse

_EXAMPLE = """
reverie equiv old.py:parse new.py:parse
reverie equiv shop.orders:total draft.py:total --budget 60s
"""
_SHOWN = 300


@click.command(cls=Command, example=_EXAMPLE, paths=("old", "new"))
@click.argument("old", metavar="OLD:callable")
@click.argument("new", metavar="NEW:callable")
@click.option("--inputs", metavar="FILE", help="Calls to try first, one per line: f([1, 2], k=3).")
@click.option("--python", metavar="PATH", help="Interpreter with the versions' dependencies.")
@environment_options()
@setting_option("equivalence.budget_seconds")
@setting_option("equivalence.seed")
@setting_option("sandbox.tier")
@setting_option("journal.url")
@click.pass_obj
def command(app: App, old: str, new: str, inputs: str | None, python: str | None) -> int:
    """Compare two versions of a callable on generated inputs, in the sandbox.

    A version is FILE.py:callable, or module:callable within the repository; a method is named
    Class.method. The exit code is 0 when the versions are equivalent, and 1 when they are
    different or it stays unknown.
    """
    repository = app.repository.path
    versions = (read_version(old, repository), read_version(new, repository))
    calls = () if inputs is None else tuple(_calls(Path(inputs)))
    settled = interpreter_for(app, python, [each.path for each in versions])
    with open_sandbox(app.settings.sandbox, app.recording_url(), settled) as sandbox:
        Proofs(sandbox).require("equivalence")
        with _progress(app) as progress:
            answer = compare_versions(
                sandbox,
                *versions,
                section=app.settings.equivalence,
                inputs=calls,
                progress=progress,
            )
    if app.json:
        emit_json(plain(answer))
    else:
        _show(answer)
    return 0 if answer.verdict is EquivalenceVerdict.EQUIVALENT else 1


def _calls(path: Path) -> Iterator[Call]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {str(path)!r}: {reason_of(error)}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            yield _call(line.strip(), f"{path}:{number}")


def _call(line: str, place: str) -> Call:
    try:
        node = parse_expression(line)
    except NOT_PYTHON as error:
        raise UsageError(f"{place}: not a call: {line:.60}") from error
    if not isinstance(node, ast.Call) or any(each.arg is None for each in node.keywords):
        raise UsageError(f"{place}: not a call with plain arguments: {line:.60}")
    args = tuple(_expression(each) for each in node.args)
    return Call(args, tuple((str(each.arg), _expression(each.value)) for each in node.keywords))


def _expression(node: ast.expr) -> Expression:
    """An argument; `decimal.Decimal('1')` says by its form that it needs `decimal`."""
    modules = {
        each.value.id
        for each in ast.walk(node)
        if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name)
    }
    return Expression(unparse(node), frozenset(modules))


@contextmanager
def _progress(app: App) -> Iterator[Progress | None]:
    """A line on a terminal's stderr that says how far the search is."""
    from rich.console import Console

    console = Console(stderr=True)
    if app.json or not console.is_terminal:
        yield None
        return
    with console.status("comparing") as status:

        def tell(inputs: int, old: float, new: float) -> None:
            status.update(f"{inputs} inputs, branches {old:.0%} old, {new:.0%} new")

        yield tell


def _show(answer: Equivalence) -> None:
    coverage = answer.branch_coverage
    click.echo(f"{answer.verdict}" + (f": {printable(answer.reason)}" if answer.reason else ""))
    if answer.laws is not None:
        used = f"; laws used: {', '.join(answer.laws)}" if answer.laws else ""
        click.echo(printable(f"proven without inputs: both take the same steps{used}"))
        return
    click.echo(
        f"{counted(answer.inputs, 'input')}, branch coverage {_share(coverage.old)} old, "
        f"{_share(coverage.new)} new, seed {answer.seed}"
    )
    if answer.adequacy is not None:
        _show_adequacy(answer.adequacy)
    if answer.counterexample is not None:
        _show_counterexample(answer.counterexample)


def _show_adequacy(adequacy: Adequacy) -> None:
    idle = f", {adequacy.idle} without effect" if adequacy.idle else ""
    click.echo(
        f"{adequacy.noticed} of {counted(adequacy.mutants, 'mutant')} of the change noticed{idle}"
    )
    for each in adequacy.survivors:
        click.echo(printable(f"  not noticed: {each.version}:{each.line} {each.code}"))


def _share(value: float | None) -> str:
    return "unknown" if value is None else f"{value:.0%}"


def _show_counterexample(shown: Counterexample) -> None:
    click.echo(f"{shown.kind}: {printable(shown.expression)}")
    rows = [
        (what, _cut(getattr(shown.old, what)), _cut(getattr(shown.new, what)))
        for what in Observation.__dataclass_fields__
        if what not in ("seconds", "is_misfit", "is_deliberate")
        and (getattr(shown.old, what) or getattr(shown.new, what))
    ]
    emit_table(("", "old", "new"), rows)


def _cut(value: object) -> str:
    text = value if isinstance(value, str) else ", ".join(map(str, value))  # type: ignore[call-overload]
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
