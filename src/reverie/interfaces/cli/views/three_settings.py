"""The three settings that matter most: asked on a terminal by `reverie init`, explained always."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from reverie.interfaces.cli.output import printable
from reverie.model.settings.setting import parse_seconds

if TYPE_CHECKING:
    from reverie.bootstrap.preparing import Choices, Plan
    from reverie.settings import Loaded, Settings

_LONGEST_NIGHT_SECONDS = 4 * 3600


@dataclass(frozen=True, slots=True)
class Question:
    """One setting, in the words of somebody who meets it for the first time."""

    key: str
    asked: str
    explained: str
    read: Callable[[str], Any]


def _night(text: str) -> int:
    found = parse_seconds(text)
    if found is None or not 60 <= found <= _LONGEST_NIGHT_SECONDS:
        raise click.UsageError("a time from 1m to 4h, such as 30m or 1h30m")
    return int(found)


def _paths(text: str) -> tuple[str, ...]:
    found = tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())
    for each in found:
        if each.startswith(("/", "~")) or ".." in each.split("/"):
            raise click.UsageError(f"paths inside of the repository, not {each!r}")
    return found


QUESTIONS = (
    Question(
        "nightly.budget_seconds",
        "How long may a nightly cycle work?",
        "More time finds more. `reverie run --budget` says it for one cycle.",
        _night,
    ),
    Question(
        "guard.test_roots",
        "In which folders are the tests?",
        "New tests are written only there; refactorings and speed-ups never touch them.",
        _paths,
    ),
    Question(
        "guard.protected",
        "What must never be changed?",
        "Patterns with commas between them, such as `src/shop/_vendor/*`. Configuration,\n"
        "   migrations and code for authentication are protected anyway.",
        _paths,
    ),
)


def can_ask() -> bool:
    """Whether a person sits there."""
    return all(each is not None and each.isatty() for each in (sys.stdin, sys.stderr))


def ask(plan: "Plan", loaded: "Loaded") -> "Choices":
    """A question for each that no file of the repository answers; Enter takes what is proposed."""
    from reverie.bootstrap.preparing import Choices, is_written

    proposed = {each.key: each.value for each in plan.written}
    asked = [each for each in QUESTIONS if not is_written(loaded, each.key)]
    if asked:
        click.echo("Enter takes what stands in brackets. `reverie config` has the rest.", err=True)
    answers = {each.key: _answer(each, proposed.get(each.key)) for each in asked}
    return Choices(
        answers.get("nightly.budget_seconds"),
        answers.get("guard.test_roots"),
        answers.get("guard.protected"),
    )


def _answer(question: Question, proposed: Any) -> Any:
    """What a person said; None: as it is proposed."""
    click.echo(f"\n{question.asked} ({question.key})\n   {question.explained}", err=True)
    shown = _written(proposed)
    said = click.prompt(
        "  ", default=shown, err=True, value_proc=lambda text: _read(question, text, shown)
    )
    return None if said == shown else said


def _read(question: Question, text: str, shown: str) -> Any:
    return shown if text.strip() in ("", shown) else question.read(text)


def _written(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, int):
        return f"{value // 60}m"
    return ", ".join(value)


def explained(plan: "Plan", settings: "Settings") -> Iterator[str]:
    """The three with their values, for whoever was not asked."""
    values = {each.key: each.value for each in (*plan.written, *plan.left_out)}
    yield "three settings matter most; they stand in pyproject.toml:"
    for each in QUESTIONS:
        value = values.get(each.key, settings.value(each.key))
        told = json.dumps(value, ensure_ascii=False) if value not in (None, (), []) else "not set"
        yield printable(f"  {each.key} = {told}: {each.asked}")
