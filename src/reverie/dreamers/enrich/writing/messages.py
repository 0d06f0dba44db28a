"""The part of an exception's message that will still be there tomorrow.

What the module's author wrote as text stays; what was filled in (values, addresses, paths) and
what Python itself says about a mistake, which changes from version to version, does not.
"""

import ast
import re
from dataclasses import dataclass

_LEAST_CHARACTERS = 6
_MOST_CHARACTERS = 70
_FIELD = re.compile(r"%[-+#0 ]*\d*(?:\.\d+)?[a-zA-Z]|\{[^{}]*\}|%\(\w+\)[a-z]")


@dataclass(frozen=True, slots=True)
class StablePart:
    """A piece of a message, and whether it is all of it."""

    text: str
    is_whole: bool


def stable_part(message: str, texts: tuple[str, ...]) -> StablePart | None:
    """The longest piece of a message that the module itself has as text; None without one."""
    found = [piece for piece in texts if piece in message]
    if not found:
        return None
    best = max(found, key=len)
    is_whole = best == message and "\n" not in message
    best = best.strip()
    if len(best) < _LEAST_CHARACTERS and not is_whole:
        return None
    if len(best) > _MOST_CHARACTERS:
        best = best[:_MOST_CHARACTERS].rpartition(" ")[0] or best[:_MOST_CHARACTERS]
        is_whole = False
    return StablePart(best.partition("\n")[0], is_whole and "\n" not in best)


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
