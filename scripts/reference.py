"""Pages that are read off the code: commands, Python names, the list of decisions."""

import inspect
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

import reverie
from reverie.interfaces.cli.command import Command, CommandGroup, shared_options
from reverie.interfaces.cli.registry import COMMANDS, HEADINGS
from reverie.interfaces.cli.root import build_root

NOTE = "<!-- written by make docs -->"
SHARED = {option.opts[0] for option in shared_options()} | {"--help"}


def commands_page() -> str:
    """Every command with its own options; those that all have stand once, at the top."""
    root = build_root()
    parts = [
        "# Commands",
        NOTE,
        "Every command takes the options below, before or after its name; one that takes no other "
        "argument takes the repository as its argument, too. Exit codes: 0 it did its "
        "job, 1 the answer is no, 2 wrong usage or input, 3 Reverie itself failed. What `--json` "
        "prints is in [JSON](json.md).",
        _options(shared_options(), click.Context(root)),
        _headings(),
    ]
    for name in root.list_commands(click.Context(root)):
        command = root.get_command(click.Context(root), name)
        assert command is not None
        parts += _command(command, f"reverie {name}", COMMANDS[name].summary, 2)
    return "\n\n".join(part for part in parts if part) + "\n"


def _headings() -> str:
    """The commands by what they are for, each leading to its section."""
    lines = ["| | |", "|---|---|"]
    for heading in HEADINGS:
        named = [name for name, entry in COMMANDS.items() if entry.heading == heading]
        links = ", ".join(f"[{name}](#reverie-{name})" for name in named)
        lines.append(f"| {heading} | {links} |")
    return "\n".join(lines)


def _command(command: click.Command, path: str, summary: str, level: int) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    yield f"{'#' * level} {path}"
    yield summary
    rest = inspect.cleandoc(command.help or "").partition("\n\n")[2]
    yield _prose(rest)
    usage = " ".join([path, *command.collect_usage_pieces(context)])
    example = command.example if isinstance(command, Command | CommandGroup) else ""
    lines = [f"usage: {usage}", *(f"$ {line}" for line in example.strip().splitlines())]
    yield "```text\n" + "\n".join(lines) + "\n```"
    own = [each for each in command.params if isinstance(each, click.Option)]
    yield _options([each for each in own if each.opts[0] not in SHARED], context)
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = command.get_command(context, name)
            assert child is not None
            yield from _command(child, f"{path} {name}", child.get_short_help_str(200), level + 1)


def _options(parameters: Sequence[click.Parameter], context: click.Context) -> str:
    records = [each.get_help_record(context) for each in parameters]
    rows = [f"| `{_cell(flag)}` | {_cell(text)} |" for flag, text in filter(None, records)]
    return "\n".join(["| option | what it does |", "|---|---|", *rows]) if rows else ""


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _prose(text: str) -> str:
    """Help as paragraphs; what Click keeps as it is written stays so."""
    paragraphs = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b"):
            paragraphs.append(f"```text\n{paragraph[1:].strip(chr(10))}\n```")
        else:
            paragraphs.append(" ".join(paragraph.split()))
    return "\n\n".join(paragraphs)


def python_page() -> str:
    """Every public name of the package, with the line that says what it is for."""
    rows = [f"| `{name}` | {_kind(name)} | {_cell(_purpose(name))} |" for name in _public()]
    return "\n".join(
        [
            "# Python names",
            "",
            NOTE,
            "",
            "All of them are imported from `reverie`. [From Python](python.md) shows how they are "
            "used.",
            "",
            "| name | is a | what it is for |",
            "|---|---|---|",
            *rows,
            "",
        ]
    )


def _public() -> list[str]:
    return sorted((name for name in reverie.__all__ if name != "__version__"), key=str.lower)


def _kind(name: str) -> str:
    value = getattr(reverie, name)
    if not isinstance(value, type):
        return "function" if inspect.isroutine(value) else "constant"
    if issubclass(value, BaseException):
        return "error"
    return "enum" if hasattr(value, "__members__") else "class"


def _purpose(name: str) -> str:
    value = getattr(reverie, name)
    if _kind(name) == "constant":
        return f"`{type(value).__name__}`: `{value}`"
    line = (inspect.getdoc(value) or "").partition("\n")[0]
    if not line:
        raise ValueError(f"{name} has no docstring")
    return line


def decisions_page(folder: Path) -> str:
    """The records of decisions, by number."""
    lines = ["# Decisions", "", NOTE, "", "Why Reverie is built as it is, one page for each.", ""]
    for page in sorted(folder.glob("*.md")):
        title = re.match(r"# (\d+)\. (.+)", page.read_text("utf-8"))
        if title is None:
            raise ValueError(f"{page.name} has no title")
        lines.append(f"- {title[1]}: [{title[2]}]({folder.name}/{page.name})")
    return "\n".join([*lines, ""])
