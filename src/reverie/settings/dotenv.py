"""Reads `.env` files: `NAME=value`, quotes, comments, `export`. Expands and writes nothing."""

import re
from dataclasses import dataclass

from reverie.errors import ConfigError

_BLANK = re.compile(r"[ \t]*(?:#[^\n]*)?(?:\n|\Z)")
_ASSIGNMENT = re.compile(
    r"""
    [ \t]*(?:export[ \t]+)?
    (?P<name>[A-Za-z_][\w.-]*)[ \t]*=[ \t]*
    (?: '(?P<single>[^']*)'[ \t]*(?:\#[^\n]*)?
      | "(?P<double>(?:[^"\\]|\\.)*)"[ \t]*(?:\#[^\n]*)?
      | (?P<bare>(?!['"])[^\n]*)
    )
    (?:\n|\Z)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT = re.compile(r"(?:^|\s)#.*", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Assignment:
    """One variable of a `.env` file. Lines start at 1."""

    name: str
    value: str
    line: int


def parse_dotenv(content: str, filename: str) -> list[Assignment]:
    """The assignments of a `.env` file, in order. The message of an error quotes no value."""
    content = content.replace("\r\n", "\n").removeprefix("\ufeff")
    found: list[Assignment] = []
    position, line = 0, 1
    while position < len(content):
        match = _BLANK.match(content, position)
        if match is None:
            match = _ASSIGNMENT.match(content, position)
            if match is None:
                raise ConfigError(f"{filename}:{line}: expected NAME=value, with any quote closed")
            found.append(Assignment(match["name"], _value(match), line))
        line += match[0].count("\n")
        position = match.end()
    return found


def _value(match: re.Match[str]) -> str:
    if match["single"] is not None:
        return match["single"]
    if match["double"] is not None:
        return _ESCAPE.sub(lambda escape: _ESCAPED.get(escape[1], escape[1]), match["double"])
    return _COMMENT.sub("", match["bare"]).strip()
