"""Types of the standard library and of a few others, with expressions of their values.

Functions that some values need are defined here once, and written out where a call is performed.
"""

import builtins
import tomllib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from dataclasses import dataclass
from importlib.resources import files
from typing import Any


@dataclass(frozen=True, slots=True)
class Entry:
    """Values of one type, as source."""

    typical: tuple[str, ...]
    edges: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()


def _read() -> dict[str, Entry]:
    text = files("reverie.inputs.values").joinpath("catalogue.toml").read_text("utf-8")
    return {
        name: Entry(
            tuple(entry["typical"]),
            tuple(entry.get("edges", ())),
            tuple(entry.get("modules", filter(None, (name.rpartition(".")[0],)))),
        )
        for name, entry in tomllib.loads(text).items()
    }


CATALOGUE = _read()

_NOT_BY_MESSAGE = ("UnicodeDecodeError", "UnicodeEncodeError", "UnicodeTranslateError",
                   "BaseExceptionGroup", "ExceptionGroup", "PythonFinalizationError")  # fmt: skip
ERRORS = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException) and name not in _NOT_BY_MESSAGE
)
"""Exceptions that take a message."""


async def async_items(items: Iterable[Any]) -> AsyncIterator[Any]:
    """Each of the items, asynchronously."""
    for item in items:
        yield item


async def eventually(value: Any) -> Any:
    """The value, once it is awaited."""
    return value


def answering(value: Any) -> Callable[..., Awaitable[Any]]:
    """An asynchronous function that takes anything and gives the value."""

    async def answer(*args: Any, **kwargs: Any) -> Any:
        return value

    return answer


STAND_INS: dict[str, Any] = {each.__name__: each for each in (async_items, eventually, answering)}

ASYNC_ITEMS = """async def async_items(items):
    for item in items:
        yield item
"""
EVENTUALLY = """async def eventually(value):
    return value
"""
ANSWERING = """def answering(value):
    async def answer(*args, **kwargs):
        return value

    return answer
"""
"""The same as source, without annotations: what a test file shows."""
