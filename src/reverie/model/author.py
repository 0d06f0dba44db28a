"""Authors: models, agents and programs that take part in a run, and what each may cost."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from reverie.errors import UsageError
from reverie.model.dream import Stage
from reverie.model.settings.cycle import ModelProtocol, ModelsSection
from reverie.model.settings.setting import settings_of

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
OF_THE_SETTINGS = "model"
"""The author that `[models]` of the settings describes."""
EVERYBODY, NOBODY = "all", "none"
STAGES = (Stage.A, Stage.B, Stage.C)
_RESERVED = frozenset({OF_THE_SETTINGS, EVERYBODY, NOBODY, "tests", "refactor", "optimise"})
_LEAST_SECONDS = {ModelProtocol.AGENT: 60.0}
_LEAST = 15.0
_ASKING = "Do what the file {task} says. Everything that you need to know stands there."
PRESETS: Mapping[str, Mapping[str, Any]] = {
    "claude": {
        "protocol": "agent",
        "agent_command": "claude -p --permission-mode acceptEdits --allowedTools "
        f'"Read,Edit,Write,Grep,Glob,Bash(reverie check-work:*),Bash(python:*)" "{_ASKING}"',
        "key_variable": "ANTHROPIC_API_KEY",
    },
    "codex": {
        "protocol": "agent",
        "agent_command": f'codex exec --sandbox workspace-write --ephemeral "{_ASKING}"',
        "key_variable": "OPENAI_API_KEY",
    },
    "aider": {
        "protocol": "agent",
        "agent_command": "aider --yes-always --no-auto-commits --no-dirty-commits --no-stream "
        "--no-check-update --analytics-disable --message-file {task}",
        "key_variable": "OPENAI_API_KEY",
    },
    "chat-completions": {"protocol": "openai"},
    "messages": {"protocol": "anthropic"},
}
"""Settings of well-known authors, with the flags that they need where nobody sits beside them."""


@dataclass(frozen=True, slots=True)
class Author:
    """One author: how it is asked, at which stages, and what one run may cost."""

    name: str
    section: ModelsSection
    stages: tuple[Stage, ...] = STAGES
    origin: str = ""
    """Where it is written down."""

    @property
    def what(self) -> str:
        """The model, or the program, that is behind the name."""
        section = self.section
        if section.protocol in (ModelProtocol.AGENT, ModelProtocol.PROGRAM):
            return section.agent_command
        return section.name

    @property
    def least_seconds(self) -> float:
        """Time below which a task is not worth giving out."""
        return _LEAST_SECONDS.get(ModelProtocol(self.section.protocol), _LEAST)

    def table(self) -> dict[str, Any]:
        """What of it differs from the defaults, as TOML values."""
        section = self.section
        known = settings_of(ModelsSection)
        changed = {
            each.name: getattr(section, each.name)
            for each in fields(ModelsSection)
            if each.name in known and getattr(section, each.name) != each.default
        }
        return {**changed, "stages": "".join(self.stages)}


def read_author(name: str, table: Mapping[str, Any], origin: str) -> Author:
    """An author as it is written down; `UsageError` names what cannot be."""
    require_name(name)
    known = settings_of(ModelsSection)
    values: dict[str, Any] = {}
    stages: tuple[Stage, ...] = STAGES
    for key, value in table.items():
        if key == "stages":
            stages = read_stages(value)
            continue
        if key not in known:
            raise UsageError(f"{origin}: author {name!r}: there is no setting {key!r}")
        try:
            values[key] = known[key].reader.check(value)
        except ValueError as error:
            raise UsageError(f"{origin}: author {name!r}: {key} = {value!r}: {error}") from error
    author = Author(name, replace(ModelsSection(), **values), stages, origin)
    _require_whole(author)
    return author


def require_name(name: str) -> None:
    """`UsageError` for a name that something else has, or that no line could hold."""
    if not NAME.fullmatch(name):
        told = "letters, digits, dots, hyphens; at most 40"
        raise UsageError(f"{name!r} is no name of an author: {told}")
    if name in _RESERVED:
        raise UsageError(f"{name!r} is taken: choose another name for an author")


def read_stages(given: object) -> tuple[Stage, ...]:
    """Stages written as letters: `AC`."""
    letters = str(given).upper().replace(",", "").replace(" ", "")
    if not letters or any(each not in STAGES for each in letters):
        raise UsageError(f"stages are letters of A, B and C, such as ABC, not {given!r}")
    return tuple(stage for stage in STAGES if stage in letters)


def _require_whole(author: Author) -> None:
    section = author.section
    match section.protocol:
        case ModelProtocol.OFF:
            raise UsageError(f"author {author.name!r}: protocol is missing or off")
        case ModelProtocol.AGENT if "{task}" not in section.agent_command:
            raise UsageError(f"author {author.name!r}: its command has no {{task}} in it")
        case ModelProtocol.PROGRAM if not section.agent_command.strip():
            raise UsageError(f"author {author.name!r}: no program is named")
        case ModelProtocol.OPENAI | ModelProtocol.ANTHROPIC if not section.name:
            raise UsageError(f"author {author.name!r}: no model is named")
