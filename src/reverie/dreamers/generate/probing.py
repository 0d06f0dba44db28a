"""Calls to try a function on: neighbours of the examples, and what its signature asks for."""

import ast
import json
import random
from collections.abc import Iterator
from typing import Any

from reverie.inputs import calls_for, mutate_call, read
from reverie.model.call import Call, Expression

_SEED = 7
_DRAWN = 40
_NEIGHBOURS = 4
_MOST_CHARACTERS = 120


def probes(source: str, name: str, examples: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Arguments, as JSON values, each set once; what is too long to be read is left out."""
    found: dict[str, list[Any]] = {}
    for args in (*map(list, examples), *_drawn(source, name), *_neighbours(examples)):
        try:
            key = json.dumps(args, allow_nan=False)
        except (TypeError, ValueError):
            continue
        if len(key) <= _MOST_CHARACTERS and _is_alike(args, examples):
            found.setdefault(key, args)
    return list(found.values())


def _drawn(source: str, name: str) -> Iterator[list[Any]]:
    for call in calls_for(read(source, name), seed=_SEED, count=_DRAWN):
        if not call.kwargs:
            yield from _values(call)


def _neighbours(examples: list[tuple[Any, ...]]) -> Iterator[list[Any]]:
    dice = random.Random(_SEED)
    for args in examples:
        call = Call(tuple(Expression(ascii(each)) for each in args))
        for _ in range(_NEIGHBOURS):
            call = mutate_call(call, dice)
            yield from _values(call)


def _values(call: Call) -> Iterator[list[Any]]:
    try:
        yield [ast.literal_eval(each.source) for each in call.args]
    except (ValueError, SyntaxError, TypeError):
        return  # `float('inf')` and the like have no place in a plain test


def _is_alike(args: list[Any], examples: list[tuple[Any, ...]]) -> bool:
    """Whether no argument holds anything of a type that no example has in its place."""
    if not examples:
        return True
    if len(args) != len(examples[0]):
        return False
    return all(
        set(_types(each)) <= {kind for example in examples for kind in _types(example[at])}
        for at, each in enumerate(args)
    )


def _types(value: Any, depth: int = 0) -> Iterator[tuple[int, str]]:
    """The type of a value and those of all that it holds, with their depth."""
    yield depth, type(value).__name__
    inner = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        inner = [*value, *value.values()]
    for each in inner:
        yield from _types(each, depth + 1)
