"""Some of the mutants: the same ones in every run, spread over everything by their names."""

import hashlib
from collections.abc import Callable, Iterable
from typing import TypeVar

T = TypeVar("T")


def spread_sample(things: Iterable[T], count: int, name: Callable[[T], str]) -> list[T]:
    """`count` of them, or all; a larger sample holds every smaller one."""
    return sorted(things, key=lambda each: hashlib.sha256(name(each).encode()).digest())[:count]
