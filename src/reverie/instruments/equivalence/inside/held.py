"""What a call is given and gives back: kept alive, driven to its end, disturbed, listened to."""

import asyncio
import inspect
import itertools
import types
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.instruments.equivalence.inside.canon import Canon
    from reverie.instruments.equivalence.inside.world import World


class Held:
    """Arguments and result of one step, kept alive so that identities stay true."""

    def __init__(self, canon: "Canon", given: "dict[str, Any]") -> None:
        self.canon = canon
        self.given = given
        self.result: Any = None

    def aliases(self, kept: "list[Canon]") -> "list[str]":
        """Which changeable parts of the result are parts of arguments or of earlier results."""
        result = self.result or Canon()
        places = dict(zip(map(id, self.canon.marked), self.canon.paths, strict=True))
        for turn, earlier in enumerate(kept):
            for value, path in zip(earlier.marked, earlier.paths, strict=True):
                places.setdefault(id(value), f"r{turn}{path[1:]}")
        kept.append(result)
        turn = len(kept) - 1
        name = f"r{turn}" if turn else "r"
        found = [f"{name}{path[1:]} is {name}{first[1:]}" for path, first in result.repeats]
        return found + [
            f"{name}{path[1:]} is {places[id(value)]}"
            for value, path in zip(result.marked, result.paths, strict=True)
            if id(value) in places
        ]


def driven(value: Any) -> Any:
    """A coroutine is awaited, an asynchronous generator exhausted."""
    if isinstance(value, types.CoroutineType):
        return asyncio.run(value)
    if inspect.isasyncgen(value):

        async def collect() -> "list[Any]":
            return [each async for each in value]

        return iter(asyncio.run(collect()))
    return value


def first_item(iterator: Any) -> "list[Any]":
    """One item, if there is one; the rest is declined, and a generator may clean up."""
    drawn = list(itertools.islice(iterator, 1))
    if isinstance(iterator, types.GeneratorType):
        iterator.close()
    return drawn


def disturb(args: "list[Any]") -> None:
    """Change the arguments before the result is looked at: a lazy result will show it."""
    for each in args:
        if type(each) is list and each:
            each.append(each[0])
        elif type(each) is dict and each:
            each.pop(next(iter(each)))


def recording(
    function: "Callable[..., Any]", label: str, world: "World", own: "tuple[str, ...]"
) -> "Callable[..., Any]":
    """A callback that leaves a note of each of its calls."""

    def recorded(*args: Any, **kwargs: Any) -> Any:
        told = ", ".join(Canon(own).text(each) for each in (*args, *kwargs.values()))
        world.note("call", f"{label}({told})")
        return function(*args, **kwargs)

    return recorded
