"""Functions that some values need: defined here once, and written out where a call is performed."""

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from typing import Any


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
