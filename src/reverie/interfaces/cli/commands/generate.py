"""`reverie generate`: a function and its tests from a specification."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from reverie.bootstrap import open_sandbox
from reverie.errors import UsageError, reason_of
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.arguments import parse_duration
from reverie.interfaces.cli.command import Command, NewFolder, setting_option
from reverie.interfaces.cli.output import emit_json, printable
from reverie.model.outcome import counted

if TYPE_CHECKING:
    from reverie.dreamers.generate import Answer
    from reverie.dreamers.generate.answer import Shape
    from reverie.dreamers.generate.solving import Author

_EXAMPLE = """
reverie generate "Check if a number is prime"
reverie generate spec.json --budget 30s --out draft
"""
_FORMS, _STYLES = ("function", "class", "module"), ("typed", "simple")
_ENDINGS = (".json", ".yaml", ".yml", ".py", ".txt")


@click.command(cls=Command, example=_EXAMPLE)
@click.argument("spec")
@click.option("--budget", default="20s", metavar="TIME", help="How long to look [default: 20s].")
@click.option(
    "--out", type=NewFolder(), metavar="DIR", help="Write the function and its tests there."
)
@click.option("--form", type=click.Choice(_FORMS), default="function", help="What is around it.")
@click.option("--style", type=click.Choice(_STYLES), help="With types or without; else as found.")
@click.option(
    "--templates", metavar="DIR", help="Forms of your own; else those of the data folder."
)
@setting_option("sandbox.tier")
@setting_option("journal.url")
@click.pass_obj
def command(
    app: App,
    spec: str,
    budget: str,
    out: str | None,
    form: str,
    style: str | None,
    templates: str | None,
) -> int:
    """Write a function and tests for it, from a sentence, a signature and examples.

    SPEC is a file (JSON, YAML, or a function with a docstring), - for standard input, or a plain
    sentence. The exit code is 0 when a function was found that gives every example's result and
    whose tests pass, and 1 when there is none; then nothing is written.
    """
    from reverie.dreamers.generate import generate, parse_spec

    if find_spec("pytest") is None:
        raise UsageError("the tests are run by pytest: pip install 'reverie[coverage]'")
    seconds = parse_duration(budget, "--budget")
    wanted = parse_spec(_read(spec))
    folder = None if out is None else _folder(out)
    with open_sandbox(app.settings.sandbox, app.recording_url()) as sandbox:
        shape = _shape(app, form, style, templates)
        answer = generate(sandbox, wanted, seconds, _author(app), shape)
    files = [] if folder is None else _write(folder, answer)
    kept = _keep(app, answer, wanted.sentence)
    if app.json:
        emit_json(answer.document() | {"files": files, "dream": kept})
    else:
        _show(answer, files)
    return 0 if answer.solved else 1


def _shape(app: App, form: str, style: str | None, templates: str | None) -> "Shape":
    from reverie.dreamers.generate.answer import Form, Shape, Style

    folder = app.loaded.data_dir / "templates" if templates is None else Path(templates)
    if templates is not None and not folder.is_dir():
        raise UsageError(f"--templates: {templates!r} is no folder")
    own = folder if folder.is_dir() else None
    return Shape(Form(form), None if style is None else Style(style), own)


def _keep(app: App, answer: "Answer", sentence: str) -> dict[str, Any] | None:
    """The function in the journal, where there is one: its number, version and parent."""
    url = app.recording_url()
    if url is None or answer.source is None or answer.name is None:
        return None
    from reverie.bootstrap.dreams import keep_generated

    return keep_generated(url, app.loaded.repository, answer, sentence)


def _author(app: App) -> "Author | None":
    """The model of the settings, where they name one."""
    from reverie.model.settings.cycle import ModelProtocol

    if app.settings.models.protocol not in (ModelProtocol.OPENAI, ModelProtocol.ANTHROPIC):
        return None
    from reverie.bootstrap.models import open_client
    from reverie.dreamers.models.writing import function_author

    return function_author(open_client(app.loaded, app.environ))


def _read(given: str) -> str:
    path = Path(given)
    try:
        if given == "-":
            return sys.stdin.buffer.read().decode("utf-8")
        if path.is_dir():
            raise UsageError(f"{given!r:.200} is a folder: SPEC is a file or a sentence")
        if (given.endswith(_ENDINGS) and "\n" not in given) or path.is_file():
            return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        if not given.endswith(_ENDINGS) and isinstance(error, OSError):
            return given  # a sentence can be too long for the name of a file
        raise UsageError(f"cannot read {given!r:.200}: {reason_of(error)}") from error
    return given


def _folder(given: str) -> Path:
    folder = Path(given)
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"--out: {given!r} is no folder")
    return folder


def _write(folder: Path, answer: "Answer") -> list[str]:
    """The files that were written; none over one that is there."""
    texts = {folder / name: text for name, text in answer.files().items()}
    for path in texts:
        if path.exists():
            raise UsageError(f"--out: {str(path)!r} is there already")
    try:
        if texts:
            folder.mkdir(parents=True, exist_ok=True)
        for path, text in texts.items():
            path.write_text(text, "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write to {str(folder)!r}: {error.strerror}") from error
    return [str(path) for path in texts]


def _show(answer: "Answer", files: list[str]) -> None:
    if answer.reason is not None:
        click.echo(f"not solved: {printable(answer.reason)}")
        return
    if files:
        click.echo("\n".join(f"wrote {printable(path)}" for path in files))
    else:
        click.echo(printable(f"{answer.source}\n\n{answer.tests}", multiline=True))
    if answer.mutants:
        told = f"its tests notice {answer.killed} of {counted(answer.mutants, 'mutant')}"
    else:
        told = "nothing in it to mutate" if answer.mutants == 0 else "mutants not measured"
    click.echo(f"# from {answer.origin} in {answer.seconds:.1f} s; {told}")
