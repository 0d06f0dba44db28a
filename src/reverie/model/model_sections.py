"""The settings of models and agents, as in `sections`: every field with its doc line and bounds."""

import re
from dataclasses import dataclass
from enum import StrEnum

from reverie.model.permission import LOWER
from reverie.model.setting import choice, flag, number, seconds, setting, text, whole

_URL = re.compile(r"https?://[^\s/?#@]+(/[^\s?#]*)?")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class ModelProtocol(StrEnum):
    """How a model is spoken to; `off` asks nobody."""

    OFF = "off"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    AGENT = "agent"


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
        "Program that is asked with `protocol` agent; `{task}` is the file with its task, "
        "`{worktree}` the copy it works in.",
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
    cache: bool = setting(
        True, flag(), "Whether answers are kept in the data folder and given again."
    )
    record: str = setting(
        "",
        text("a path on one line", _is_line),
        "File that every exchange is appended to, without the key.",
    )
    replay: str = setting(
        "",
        text("a path on one line", _is_line),
        "File of recorded exchanges that answers come from, instead of the network.",
    )
