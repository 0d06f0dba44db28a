"""The part of an exception's message that will still be there tomorrow.

What the module's author wrote as text stays; what was filled in (values, addresses, paths) and
what Python itself says about a mistake, which changes from version to version, does not.
"""

import ast
import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass

_LEAST_CHARACTERS = 6
_MOST_CHARACTERS = 70
_VALUES = (ast.Constant, ast.UnaryOp, ast.Tuple, ast.List, ast.Dict, ast.Set)
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
    best = max(found, key=len)
    if values:
        best = _with_values(message, best, texts, values)
    is_whole = best == message and "\n" not in message
    best = best.strip()
    if len(best) < _LEAST_CHARACTERS and not is_whole:
        return None
    if len(best) > _MOST_CHARACTERS:
        best = best[:_MOST_CHARACTERS].rpartition(" ")[0] or best[:_MOST_CHARACTERS]
        is_whole = False
    return StablePart(best.partition("\n")[0], is_whole and "\n" not in best)


def _with_values(message: str, piece: str, texts: tuple[str, ...], values: frozenset[str]) -> str:
    """A piece together with what stands beside it: the module's texts, values of the test."""
    start = message.index(piece)
    end = start + len(piece)
    before, after = message[:start], message[end:]
    while taken := _beside(after, texts, values):
        end, after = end + len(taken), after[len(taken) :]
    while taken := _beside(before[::-1], _turned(texts), _turned(values)):
        start, before = start - len(taken), before[: -len(taken)]
    whole = message[start:end]
    return whole if len(whole) <= _MOST_CHARACTERS and whole.isprintable() else piece


def _turned(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(each[::-1] for each in texts)


def _beside(rest: str, texts: Iterable[str], values: Iterable[str]) -> str:
    """What of a rest is known to stand there: a text, a value, or a part of a value before one."""
    known = [each for each in (*texts, *values) if rest.startswith(each)]
    if known:
        return max(known, key=len)
    ends = [place for each in texts if (place := rest.find(each)) > 0]
    gap = rest[: min(ends, default=len(rest))]
    core = gap.strip("'\" ")
    is_part = bool(core) and any(core in value for value in values)
    return gap if is_part or gap.strip() in values else ""


def shown_values(sources: Iterable[str]) -> frozenset[str]:
    """The values that lines of a test show, as a message may show them."""
    found: set[str] = set()
    for source in sources:
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, _VALUES):
                with suppress(ValueError, TypeError, MemoryError):
                    value = ast.literal_eval(node)
                    found |= {str(value), repr(value)}
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
