"""What is read off the code: commands, Python names, rewrites, the list of decisions."""

import inspect
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

import reverie
from reverie.dreamers.optimise.patterns import catalogue
from reverie.dreamers.rewriting.questions import QUESTIONS
from reverie.interfaces.cli.command import Command, CommandGroup, shared_options
from reverie.interfaces.cli.registry import COMMANDS, HEADINGS
from reverie.interfaces.cli.root import build_root
from reverie.model.outcome import TrustTier
from reverie.sandbox.safety.rule import Rule
from reverie.sandbox.safety.ruleset import RuleSet

NOTE = "<!-- written by make docs -->"
SHARED = {option.opts[0] for option in shared_options()} | {"--help"}
Row = tuple[str, str]  # an option as it is called, and what it does
JOURNAL = "--journal-url "  # so many commands have it that it is not named each time
COMMON = 4  # an option that so many commands have, in the same words, is explained once


def commands_page() -> str:
    """Every command with its own options; those that all have stand once, at the top."""
    root = build_root()
    parts = [
        "# Commands",
        NOTE,
        "Every command takes the options below, before or after its name; one that takes no other "
        "argument takes the repository as its argument, too. Exit codes: 0 it did its "
        "job, 1 the answer is no, 2 wrong usage or input, 3 Reverie itself failed. What `--json` "
        "prints is in [JSON](../json.md).",
        _options(shared_options(), click.Context(root)),
        _headings(),
    ]
    commands = {name: _child(root, name) for name in root.list_commands(click.Context(root))}
    common = _common(commands.values())
    parts += [
        "These options mean the same wherever a command lists them; every command that uses the "
        "journal takes `--journal-url`. An option that is on is switched off by `--no-` before its "
        "name:",
        _listed(sorted(common)),
    ]
    for name, command in commands.items():
        parts += _command(command, f"reverie {name}", COMMANDS[name].summary, 2, common)
    return "\n\n".join(part for part in parts if part) + "\n"


def _headings() -> str:
    """The commands by what they are for, each leading to its section."""
    lines = []
    for heading in HEADINGS:
        named = [name for name, entry in COMMANDS.items() if entry.heading == heading]
        links = ", ".join(f"[{name}](#reverie-{name})" for name in named)
        lines.append(f"- **{heading}**: {links}")
    return "\n".join(lines)


def _child(group: click.Group, name: str) -> click.Command:
    command = group.get_command(click.Context(group), name)
    assert command is not None
    return command


def _common(commands: Iterable[click.Command]) -> frozenset[Row]:
    """The options that many commands have."""
    counted: Counter[Row] = Counter()
    for command in commands:
        counted.update(_rows(_own(command), click.Context(command)))
    return frozenset(row for row, count in counted.items() if count >= COMMON)


def _own(command: click.Command) -> list[click.Option]:
    options = [each for each in command.params if isinstance(each, click.Option)]
    return [each for each in options if each.opts[0] not in SHARED]


def _command(
    command: click.Command, path: str, summary: str, level: int, common: frozenset[Row]
) -> Iterator[str]:
    context = click.Context(command, info_name=path)
    yield f"{'#' * level} {path}"
    yield summary
    rest = inspect.cleandoc(command.help or "").partition("\n\n")[2]
    yield _prose(rest)
    pieces = [each for each in command.collect_usage_pieces(context) if each != "[OPTIONS]"]
    usage = " ".join([path, *pieces])
    example = command.example if isinstance(command, Command | CommandGroup) else ""
    lines = [usage, *(f"$ {line}" for line in example.strip().splitlines())]
    yield "```text\n" + "\n".join(lines) + "\n```"
    rows = _rows(_own(command), context)
    yield _listed([row for row in rows if row not in common])
    yield _also([flag for flag, text in rows if (flag, text) in common])
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            child = _child(command, name)
            summary = child.get_short_help_str(200)
            yield from _command(child, f"{path} {name}", summary, level + 1, common)


def _also(flags: Sequence[str]) -> str:
    flags = [each for each in flags if not each.startswith(JOURNAL)]
    names = (f"`{each.partition(' ')[0]}`" for each in flags)
    return f"Also: {', '.join(names)}." if flags else ""


def _options(parameters: Sequence[click.Parameter], context: click.Context) -> str:
    return _listed(_rows(parameters, context))


def _rows(parameters: Sequence[click.Parameter], context: click.Context) -> list[Row]:
    records = filter(None, (each.get_help_record(context) for each in parameters))
    return [
        (" ".join(flag.split(" / ")[0].split()), _without_bounds(text)) for flag, text in records
    ]


def _without_bounds(text: str) -> str:
    """Help without the bounds that everybody expects: counts from 1, any seed."""
    short = re.sub(r"(; )?(x>=[01]|0<=x<=4294967296)(?=\])", "", " ".join(text.split()))
    return short.replace(" []", "").replace(" [; ", " [")


def _listed(rows: Sequence[Row]) -> str:
    """As a list, which is readable on a narrow screen too."""
    return "\n".join(f"- `{flag}`: {text}" for flag, text in rows)


def _prose(text: str) -> str:
    """Help as paragraphs; what Click keeps as it is written stays so."""
    paragraphs = []
    for paragraph in text.split("\n\n"):
        if paragraph.startswith("\b"):
            paragraphs.append(f"```text\n{paragraph[1:].strip(chr(10))}\n```")
        else:
            paragraphs.append(" ".join(paragraph.split()))
    return "\n\n".join(paragraphs)


def names_list() -> str:
    """Every public name of the package, with the line that says what it is for."""
    return "\n".join(f"- `{name}` ({_kind(name)}): {_purpose(name)}" for name in _public())


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
        lines.append(f"- {title[1]}: [{title[2]}](../{folder.name}/{page.name})")
    return "\n".join([*lines, ""])


def rewrites_list() -> str:
    """Every rewrite for speed."""
    lines = []
    for each in catalogue():
        growth = f" ({each.growth})" if each.growth else ""
        when = each.precondition[0].upper() + each.precondition[1:]
        lines.append(f"- `{each.name}`{growth}: {each.summary}. *{when}.*")
    return "\n".join(lines)


def questions_table() -> str:
    """Every question that a rewrite may ask, with its parameters."""
    rows = []
    for name, ask in QUESTIONS.items():
        given = list(inspect.signature(ask).parameters.values())[1:]
        stars = ("*" if each.kind is each.VAR_POSITIONAL else "" for each in given)
        shown = ", ".join(star + each.name for star, each in zip(stars, given, strict=True))
        line = (inspect.getdoc(ask) or "").splitlines()[0]
        rows.append(f"| `{name}({shown})` | {line} |")
    return "\n".join(["| question | answer |", "|---|---|", *rows])


def rules_list() -> str:
    """Every safety rule by family: when it objects, how severe that is, and where it fails."""
    families: dict[str, list[Rule]] = {}
    for rule in RuleSet.default():
        families.setdefault(rule.family, []).append(rule)
    parts = []
    for family, rules in families.items():
        parts.append("\n".join([f"**{family}**", "", *map(_rule, rules)]))
    return "\n\n".join(parts)


def _rule(rule: Rule) -> str:
    failing = [tier.value for tier in TrustTier if rule.fails_at(tier)]
    tiers = "every tier" if len(failing) == len(TrustTier) else ", ".join(failing) or "advice only"
    title = rule.title[0].lower() + rule.title[1:]
    return f"- `{rule.id}` ({rule.severity.value}; {tiers}): {title}"
