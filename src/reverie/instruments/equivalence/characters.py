"""One character of every kind that Python or Unicode tells apart, for code that asks for kinds."""

import ast
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from functools import cache

from reverie.model.call import Call

_LAST = 0x3100
"""Beyond it there are mostly more letters."""
_FAR = ("\uff21", "\uff11", "\ufb01", "\ufe00", "\U0001d7d8", "\U0001f600", "\U000e0100")
_ASKING = frozenset({
    "unicodedata", "isalpha", "isalnum", "isdigit", "isdecimal", "isnumeric",
    "isspace", "isupper", "islower", "istitle", "isprintable", "isidentifier",
    "casefold", "upper", "lower", "swapcase", "title", "capitalize",
    "splitlines", "strip", "lstrip", "rstrip", "split", "encode",
    "ord",
})  # fmt: skip


def asks_for_characters(*trees: ast.Module) -> bool:
    """Whether a version asks what kind a character is, or treats kinds differently."""
    for tree in trees:
        for node in ast.walk(tree):
            named = getattr(node, "attr", None) or getattr(node, "id", None)
            if named in _ASKING or (isinstance(node, ast.Name) and node.id == "re"):
                return True
    return False


@cache
def characters() -> tuple[str, ...]:
    """The first character of each kind."""
    found: dict[tuple[object, ...], str] = {}
    for each in (*map(chr, range(_LAST)), *_FAR):
        found.setdefault(_kind(each), each)
    return tuple(found.values())


def _kind(character: str) -> tuple[object, ...]:
    return (
        unicodedata.category(character),
        unicodedata.combining(character) > 0,
        unicodedata.east_asian_width(character) in "WF",
        character.isdecimal(), character.isdigit(), character.isnumeric(),
        character.isspace(), character.isidentifier(), character.isascii(),
        len(character.splitlines()[0]) if character.splitlines() else 1,
        len(character.upper()) > 1, len(character.lower()) > 1,
        character.casefold() != character.lower(),
        character.lower().upper() != character.upper(),
    )  # fmt: skip


def character_calls(call: Call) -> Iterator[Call]:
    """The call with each text of its own as one character, alone and between others."""
    for place, argument in enumerate(call.args):
        try:
            value = ast.literal_eval(argument.source)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            continue
        if not isinstance(value, str):
            continue
        for number, each in enumerate(characters()):
            text = each if number % 2 else f"a{each}b"
            args = (*call.args[:place], argument.replaced(ascii(text)), *call.args[place + 1 :])
            yield replace(call, args=args)
