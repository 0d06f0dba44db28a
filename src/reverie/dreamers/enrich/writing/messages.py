"""The part of an exception's message that will still be there tomorrow.

What the module's author wrote as text stays; what was filled in (values, addresses, paths) and
what Python itself says about a mistake, which changes from version to version, does not.
"""

import ast
import re
from collections.abc import Iterable
from dataclasses import dataclass

_LEAST_CHARACTERS = 6
_MOST_CHARACTERS = 70
_FIELD = re.compile(r"%[-+#0 ]*\d*(?:\.\d+)?[a-zA-Z]|\{[^{}]*\}|%\(\w+\)[a-z]")


@dataclass(frozen=True, slots=True)
class StablePart:
    """A piece of a message, and whether it is all of it."""

    text: str
    is_whole: bool


def stable_part(
    message: str, texts: tuple[str, ...], values: frozenset[str] = frozenset()
) -> StablePart | None:
    """The longest piece of a message that the module itself has as text; None without one.

    What is filled in beside it is part of it where the test itself shows it: one of `values`.
    """
    found = [piece for piece in texts if piece in message]
    if not found:
        return None
    best = _with_values(message, max(found, key=len), texts, values)
    is_whole = best == message and "\n" not in message
    best = best.strip()
    if len(best) < _LEAST_CHARACTERS and not is_whole:
        return None
    if len(best) > _MOST_CHARACTERS:
        best = best[:_MOST_CHARACTERS].rpartition(" ")[0] or best[:_MOST_CHARACTERS]
        is_whole = False
    return StablePart(best.partition("\n")[0], is_whole and "\n" not in best)


def _with_values(message: str, piece: str, texts: tuple[str, ...], values: frozenset[str]) -> str:
    """A piece together with the values and texts beside it."""
    start = message.index(piece)
    end = start + len(piece)
    known = sorted({*values, *texts} if values else (), key=len, reverse=True)
    is_longer = True
    while is_longer:
        is_longer = False
        for each in known:
            if message.endswith(each, 0, start) and start:
                start, is_longer = start - len(each), True
            elif message.startswith(each, end) and end < len(message):
                end, is_longer = end + len(each), True
    whole = message[start:end]
    is_fitting = len(whole) <= _MOST_CHARACTERS and whole.isprintable()
    return whole if is_fitting and _shows(whole, piece, values) else piece


def _shows(whole: str, piece: str, values: frozenset[str]) -> bool:
    """Whether what was added is more than quotes and stops."""
    return any(value in whole for value in values) and whole != piece


def shown_values(sources: Iterable[str]) -> frozenset[str]:
    """The values that lines of a test show, as a message may show them."""
    found: set[str] = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Constant) and not isinstance(node.value, bool | None):
                found |= {str(node.value), repr(node.value)}
    return frozenset(each for each in found if each and each.isprintable())


def escaped(text: str) -> str:
    """A regular expression for the text itself: `re.escape` without what needs no escape."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)


def texts_of(tree: ast.AST) -> tuple[str, ...]:
    """The texts of a module's source between the places where something is filled in."""
    pieces: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            pieces.update(_FIELD.split(node.value))
            pieces.add(node.value)
    return tuple(sorted(piece for piece in pieces if piece.strip()))
