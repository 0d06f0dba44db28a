"""What a file of a repository may say about one setting.

A repository is judged and caged by Reverie, so by default it says nothing about that. A setting
that is harmless, or that a repository may make stricter, declares so; a new one that declares
nothing is the user's alone.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


@dataclass(frozen=True, slots=True)
class Permission:
    """Which values a file of the repository may ask for, given the value that the user left."""

    doc: str
    """Completes "a file of the repository may set ..."."""
    allows: Callable[[Any, Any], bool]
    """Called with the value in force without that file, and the value that it asks for."""


NOTHING = Permission("nothing", lambda now, asked: False)
ANY_VALUE = Permission("any value", lambda now, asked: True)


def _each(order: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool]:
    """An order of numbers, for lists of numbers of one length too."""

    def holds(now: Any, asked: Any) -> bool:
        if isinstance(now, tuple):
            return len(now) == len(asked) and all(map(order, now, asked))
        return order(now, asked)

    return holds


LOWER = Permission("a lower value", _each(lambda now, asked: bool(asked <= now)))
HIGHER = Permission("a higher value", _each(lambda now, asked: bool(asked >= now)))
MORE = Permission("further entries", lambda now, asked: set(now) <= set(asked))
FEWER = Permission(
    "fewer entries, where none at all means everybody",
    lambda now, asked: not now or (bool(asked) and set(asked) <= set(now)),
)


def lower_than(ceiling: float) -> Permission:
    """A lower value, or any up to a ceiling that costs nobody much."""
    return Permission(
        f"a lower value, or up to {ceiling:g}", lambda now, asked: bool(asked <= max(now, ceiling))
    )


def earlier(words: type[StrEnum]) -> Permission:
    """The word in force or one before it, where an enum has the strictest first."""
    return _ordered(words, lambda now, asked: asked <= now)


def later(words: type[StrEnum]) -> Permission:
    """The word in force or one after it, where an enum has the strictest last."""
    return _ordered(words, lambda now, asked: asked >= now)


def _ordered(words: type[StrEnum], order: Callable[[int, int], bool]) -> Permission:
    places = {word: place for place, word in enumerate(words)}
    return Permission(
        f"a stricter one of {', '.join(words)}",
        lambda now, asked: order(places[now], places[asked]),
    )


def inner_path(value: str) -> bool:
    """Whether a path stays below the folder that it starts from, as far as its text tells."""
    parts = value.split("/")
    return bool(value.strip()) and not value.startswith(("/", "~")) and ".." not in parts


INSIDE = Permission("a path inside of the repository", lambda now, asked: inner_path(asked))


def among(doc: str, is_allowed: Callable[[Any], bool]) -> Permission:
    """Lists whose every entry passes a test."""

    def holds(now: Any, asked: Collection[Any]) -> bool:
        return all(map(is_allowed, asked))

    return Permission(doc, holds)
