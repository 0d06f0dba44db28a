"""`reverie authors`: models, agents and programs that may take part in runs."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from reverie.errors import UsageError
from reverie.interfaces.cli.app import App
from reverie.interfaces.cli.command import Command, CommandGroup
from reverie.interfaces.cli.output import emit_json, emit_table, printable
from reverie.model.dream import Stage

if TYPE_CHECKING:
    from reverie.model.author import Author

_EXAMPLE = """
reverie authors add claude --preset claude
reverie authors add local --preset chat-completions --endpoint http://127.0.0.1:8080/v1 --model qwen
reverie authors test claude
reverie run --authors claude,local
"""
_LIMITS = (
    ("most_calls", int, "Calls of one run, at most."),
    ("most_tokens", int, "Tokens of one run, at most."),
    ("most_money", float, "Money of one run, at most; needs both prices."),
    ("input_price", float, "Price of a million tokens asked."),
    ("output_price", float, "Price of a million tokens answered."),
    ("most_seconds", float, "Seconds of asking in one run, at most."),
    ("rounds", int, "Answers to one task: refusals go back with their reasons."),
    ("reply_tokens", int, "Tokens of one answer, at most."),
    ("temperature", float, "How freely it answers; above 0 the same is asked again."),
    ("begins", bool, "Whether answers are begun for it: llama.cpp and vLLM go on from there."),
    ("task_characters", int, "Characters of one task, at most."),
)


@click.group(cls=CommandGroup, example=_EXAMPLE)
def command() -> None:
    """Add, list and try the authors that `reverie run --authors` may ask.

    They are kept in your own configuration, never in a repository, and keys are not kept at all: a
    key comes from a variable or from the keyring (service `reverie`, the variable's name as user).
    Nobody is asked unless a run names them.
    """


@command.command("list", cls=Command, example="reverie authors list --json")
@click.pass_obj
def list_authors(app: App) -> int:
    """List the authors that a run can name; the exit code is 1 when there is none."""
    from reverie.bootstrap.authors import known_authors

    documents = [_document(app, each) for each in known_authors(app.loaded).values()]
    if app.json:
        emit_json({"authors": documents})
    elif not documents:
        click.echo("nobody so far: `reverie authors add NAME --preset claude`")
    else:
        rows = [
            (each["name"], each["protocol"], each["what"], each["stages"], each["key"] or "-")
            for each in documents
        ]
        emit_table(("name", "asked by", "model or program", "stages", "key"), rows)
    return 0 if documents else 1


@command.command("add", cls=Command, example=_EXAMPLE.strip().splitlines()[0])
@click.argument("name")
@click.option("--preset", metavar="NAME", help="claude, codex, aider, chat-completions, messages.")
@click.option("--endpoint", metavar="URL", help="Where the model is asked.")
@click.option("--model", "model", metavar="NAME", help="Which model.")
@click.option("--command", "agent", metavar="LINE", help="An agent; {task} is the file to read.")
@click.option("--program", metavar="LINE", help="A program that reads a task and prints a patch.")
@click.option("--key-variable", metavar="NAME", help="The variable that holds the key.")
@click.option("--stages", metavar="ABC", help="At which stages [default: ABC].")
@click.option("--replace", "is_again", is_flag=True, help="Instead of the one of that name.")
@click.pass_obj
def add(app: App, /, name: str, preset: str | None, is_again: bool, **given: Any) -> int:
    """Add an author, or replace one. Nothing is asked of it yet: `reverie authors test NAME`."""
    from reverie.home.authors_file import read_authors, write_authors
    from reverie.model.author import read_author

    author = read_author(name, _table(preset, given), "authors add")
    known = read_authors(app.environ)
    if name in known and not is_again:
        raise UsageError(f"there is an author {name!r} already: --replace puts this one there")
    place = write_authors(app.environ, {**known, name: author})
    document = {**_document(app, author), "file": str(place)}
    if app.json:
        emit_json(document)
    else:
        click.echo(printable(f"added {name} ({author.what}) to {place}"))
        if author.section.agent_command:
            _note_program(author, app.environ)
        if document["key"] is not None and not document["has_key"]:
            told = f"it is asked without a key: neither {document['key']} nor the keyring has one"
            click.echo(printable(told))
    return 0


def _note_program(author: "Author", environ: Mapping[str, str]) -> None:
    """Say now what a night would otherwise be spent on: the program is not installed."""
    from reverie.stages.authoring.asking import require_program

    try:
        require_program(author, environ)
    except UsageError as error:
        click.echo(printable(f"note: {error}; it has to be there when a run begins"))


for _name, _type, _help in reversed(_LIMITS):
    add = click.option(f"--{_name.replace('_', '-')}", _name, type=_type, help=_help)(add)


@command.command("remove", cls=Command, example="reverie authors remove local")
@click.argument("name")
@click.pass_obj
def remove(app: App, name: str) -> int:
    """Forget an author. What it has earned in a repository stays in its journal."""
    from reverie.home.authors_file import read_authors, write_authors

    known = read_authors(app.environ)
    if name not in known:
        raise UsageError(f"there is no author {name!r}")
    del known[name]
    place = write_authors(app.environ, known)
    if app.json:
        emit_json({"removed": name, "file": str(place)})
    else:
        click.echo(printable(f"removed {name} from {place}"))
    return 0


@command.command("show", cls=Command, example="reverie authors show claude")
@click.argument("name")
@click.pass_obj
def show(app: App, name: str) -> int:
    """Show an author: its settings, and what it has come to in this repository so far."""
    from reverie.bootstrap.authors import earned_here, find_author
    from reverie.model.codec import plain

    author = find_author(app.loaded, name)
    earned = earned_here(app.loaded)
    here = {
        stage.value: plain(earned[key])
        for stage in author.stages
        if (key := f"{name}@{stage}") in earned
    }
    document = {**_document(app, author), "settings": author.table(), "here": here}
    if app.json:
        emit_json(document)
        return 0
    for key, value in author.table().items():
        click.echo(printable(f"{key} = {value}"))
    for stage, past in here.items():
        told = f"{past['changes']} proven in {past['seconds']:.0f} s, {past['tokens']} tokens"
        click.echo(f"{Stage(stage).word} here: {told}")
    if not here:
        click.echo("it has not worked in this repository")
    return 0


@command.command("test", cls=Command, example="reverie authors test claude")
@click.argument("name")
@click.pass_obj
def test(app: App, name: str) -> int:
    """Ask an author for tests of a small module, once; the exit code is 0 when it answers.

    What it is sent is a module of this program, nothing of yours. Its answer is not judged.
    """
    from reverie.bootstrap.authors import find_author, try_author
    from reverie.interfaces.cli.progress import working

    author = find_author(app.loaded, name)
    with working(f"asking {name}"):
        document = try_author(author, app.loaded, app.environ)
    if app.json:
        emit_json(document)
    elif document["answers"]:
        seconds = document["spent"]["seconds"]
        told = f"{name} answers: {', '.join(document['files'])} in {seconds:.1f} s"
        click.echo(printable(told))
    if document["problem"] and not app.json:
        click.echo(printable(f"{name}: {document['problem']}"))
    return 0 if document["answers"] else 1


def _table(preset: str | None, given: dict[str, Any]) -> dict[str, Any]:
    """What was said, as it would stand in the file."""
    from reverie.model.author import PRESETS

    if preset is not None and preset not in PRESETS:
        raise UsageError(f"--preset takes {', '.join(PRESETS)}, not {preset!r}")
    table: dict[str, Any] = dict(PRESETS[preset]) if preset is not None else {}
    for option, protocol in (("agent", "agent"), ("program", "program")):
        if given[option] is not None:
            table |= {"protocol": protocol, "agent_command": given[option]}
    names = {"model": "name", "endpoint": "endpoint", "key_variable": "key_variable"}
    limits = {name: name for name, _, _ in _LIMITS}
    for option, key in {**names, **limits, "stages": "stages"}.items():
        if given[option] is not None:
            table[key] = given[option]
    if "protocol" not in table:
        if given["model"] is None:
            raise UsageError("say who it is: --preset, --model, --command or --program")
        table["protocol"] = "openai"
    return table


def _document(app: App, author: "Author") -> dict[str, Any]:
    from reverie.bootstrap.authors import key_of, key_variable

    section = author.section
    return {
        "name": author.name,
        "protocol": str(section.protocol),
        "what": author.what,
        "endpoint": section.endpoint or None,
        "stages": "".join(author.stages),
        "key": key_variable(author) or None,
        "has_key": key_of(author, app.environ) is not None,
        "origin": author.origin,
        "budget": {
            "calls": section.most_calls,
            "tokens": section.most_tokens,
            "money": section.most_money or None,
            "seconds": section.most_seconds,
        },
    }
