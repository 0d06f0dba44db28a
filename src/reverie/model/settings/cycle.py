"""The settings of the cycle, of the environments it runs code in, and of the models it asks.

As in `sections`: a frozen dataclass each, every field with its doc line and its bounds.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.settings.setting import (
    ANY_VALUE,
    LOWER,
    choice,
    flag,
    number,
    seconds,
    setting,
    text,
    whole,
)

LOCAL = "local"
NOBODY = "none"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")


def _is_executor(value: str) -> bool:
    host, colon, port = value.removeprefix("dask://").rpartition(":")
    is_cluster = value.startswith("dask://") and bool(host and colon) and port.isdecimal()
    return value == LOCAL or (is_cluster and not set(host) & set(" /@\0"))


def _are_names(value: str) -> bool:
    return all(_NAME.fullmatch(each.strip()) for each in value.split(","))


EXECUTOR = text("`local` or dask://host:port", _is_executor)


@dataclass(frozen=True, slots=True)
class CycleSection:
    """What one cycle may spend, and how it is shared out."""

    budget_seconds: float = setting(
        600.0,
        seconds(1, 86_400 * 7),
        "Time of one cycle; a trial that has begun is finished.",
        repository=LOWER,
    )
    seed: int = setting(0, whole(0, 2**31 - 1), "Decides which changes are tried, in which order.")
    step_seconds: float = setting(
        60.0, seconds(0.1, 86_400), "Most time for finding changes of one module.", repository=LOWER
    )
    trial_seconds: float = setting(
        300.0,
        seconds(1, 86_400),
        "Most CPU time for trying one dream; what is left is not measured.",
        repository=LOWER,
    )
    least_seconds: float = setting(
        5.0,
        seconds(0.1, 86_400),
        "Time below which a module is not worth beginning with.",
        repository=ANY_VALUE,
    )
    executor: str = setting(
        LOCAL,
        EXECUTOR,
        "Where changes are made and tried: here, or on the workers of a Dask cluster.",
    )
    authors: str = setting(
        NOBODY,
        text("names with commas between them, `all` or `none`", _are_names),
        "Models, agents and programs that take part: names of `reverie authors`, `model` for that "
        "of the settings, `all` or `none`.",
    )


class Making(StrEnum):
    """Whether environments are made."""

    ASK = "ask"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class EnvironmentSection:
    """How an environment for a repository comes to be, and what its suite must be like."""

    make: Making = setting(
        Making.ASK,
        choice(Making),
        "Whether an environment is made for a repository that has none: `ask` on a terminal, "
        "`always` or `never`. Packages are fetched from the index that pip or uv is set up for.",
    )
    suite_seconds: float = setting(
        300.0,
        seconds(1, 86_400),
        "Longest that the suite may take in a preflight before it is said to hang.",
    )
    most_failing: int = setting(
        5,
        whole(0, 100_000),
        "Tests that may fail on the unchanged code, or 2 % of them where that is more; "
        "with more nothing is tried. 0: none may.",
    )


_URL = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ModelProtocol(StrEnum):
    """How a model is spoken to; `off` asks nobody."""

    OFF = "off"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    AGENT = "agent"
    """A program that works in a copy of the repository and leaves its result there."""
    PROGRAM = "program"
    """A program that reads a task and prints its answer."""


def _is_url(value: str) -> bool:
    return not value or bool(_URL.fullmatch(value))


def _is_variable(value: str) -> bool:
    return not value or bool(_VARIABLE.fullmatch(value))


def _is_line(value: str) -> bool:
    return "\0" not in value and "\n" not in value


@dataclass(frozen=True, slots=True)
class ModelsSection:
    """Whether a model or an agent is asked, which one, and what it may cost. Off unless set.

    What names a place or a program is read from outside of the repository only: its files do not
    decide where code is sent or what is started.
    """

    protocol: ModelProtocol = setting(
        ModelProtocol.OFF,
        choice(ModelProtocol),
        "Who is asked: nobody, an endpoint by its protocol, or a program on this machine.",
    )
    endpoint: str = setting(
        "",
        text("an http:// or https:// URL without user, query or fragment", _is_url),
        "Base URL of the endpoint; absent, that of the protocol's own vendor.",
    )
    name: str = setting("", text("a name on one line", _is_line), "The model to ask for.")
    key_variable: str = setting(
        "",
        text("the name of a variable", _is_variable),
        "Variable of the environment that holds the key; absent, the protocol's usual one.",
    )
    agent_command: str = setting(
        "",
        text("a command on one line", _is_line),
        "Program that is asked with `protocol` agent or program; `{task}` is the file with its "
        "task, `{worktree}` the copy it works in.",
    )
    rounds: int = setting(
        3,
        whole(1, 20),
        "Answers of one author to one task: what was refused is sent back with the reasons.",
        repository=LOWER,
    )
    most_calls: int = setting(
        20, whole(0, 1_000_000), "Calls of one run, at most.", repository=LOWER
    )
    most_tokens: int = setting(
        200_000,
        whole(0, 10**12),
        "Tokens of one run, asked and answered, at most.",
        repository=LOWER,
    )
    most_money: float = setting(
        0.0, number(0, 1_000_000), "Money of one run, at most; 0 sets no bound. Needs both prices."
    )
    input_price: float = setting(
        0.0, number(0, 1_000_000), "Price of a million tokens that are asked; 0 is not known."
    )
    output_price: float = setting(
        0.0, number(0, 1_000_000), "Price of a million tokens that are answered; 0 is not known."
    )
    most_seconds: float = setting(
        600.0, seconds(1, 86_400), "Time spent on asking in one run, at most.", repository=LOWER
    )
    call_seconds: float = setting(
        120.0,
        seconds(0.1, 86_400),
        "Time of one call, from the connection to the last byte.",
        repository=LOWER,
    )
    attempts: int = setting(
        3, whole(1, 20), "Tries of one call that an endpoint could not serve.", repository=LOWER
    )
    reply_tokens: int = setting(
        4096, whole(1, 1_000_000), "Tokens of one answer, at most.", repository=LOWER
    )
    reply_bytes: int = setting(
        2_097_152,
        whole(1024, 1 << 30),
        "Bytes of one answer, at most; a longer one is refused.",
        repository=LOWER,
    )
    temperature: float = setting(
        0.0,
        number(0, 2),
        "How freely an endpoint answers; above 0 it is asked until the rounds are used up, and no "
        "answer is cached.",
    )
    begins: bool = setting(
        False,
        flag(),
        "Whether the first lines of an answer are written for the model, for servers that go on "
        "from there (llama.cpp, vLLM): small models keep to the form so.",
    )
    task_characters: int = setting(
        60_000,
        whole(2_000, 10_000_000),
        "Characters of one task, at most: less evidence is sent to a model that reads little.",
        repository=LOWER,
    )
    cache: bool = setting(
        True, flag(), "Whether answers are kept in the data folder and given again."
    )
    record: str = setting(
        "",
        text("a path on one line", _is_line),
        "File that every exchange is appended to, without the key; a run with authors has its own.",
    )
    replay: str = setting(
        "",
        text("a path on one line", _is_line),
        "File of recorded exchanges that answers come from; nobody is asked then.",
    )
