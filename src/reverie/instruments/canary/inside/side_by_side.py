"""Both versions on each call of a batch, in turn; arguments are made afresh for each."""

import time
from typing import Any

from reverie.instruments.equivalence.inside.canon import Canon
from reverie.instruments.equivalence.inside.versions import Version


def compare(
    versions: "list[dict[str, Any]]", calls: "list[str]", preamble: str
) -> "list[list[Any]]":
    """Per call: what each version gave as text, whether it raised, and its CPU nanoseconds."""
    sides = [Version(each, False) for each in versions]
    return [_pair(sides, source, preamble, number) for number, source in enumerate(calls)]


def _pair(sides: "list[Any]", source: str, preamble: str, number: int) -> "list[Any]":
    order = (0, 1) if number % 2 == 0 else (1, 0)
    seen: list[Any] = [None, None]
    for place in order:
        seen[place] = _called(sides[place], source, preamble)
    return [*seen[0], *seen[1]]


def _called(side: Any, source: str, preamble: str) -> "tuple[str, bool, int]":
    side.enter()
    try:
        space = dict(side.module.__dict__)
        exec(preamble, space)  # noqa: S102  inside the sandbox, this is the job
        space["_given"] = lambda *args, **kwargs: (args, kwargs)
        args, kwargs = eval(source, space)
        target = side.find(side.entry)
        began = time.thread_time_ns()
        try:
            result = target(*args, **kwargs)
            spent = time.thread_time_ns() - began
        except Exception as error:  # noqa: BLE001  what it raises is what it does
            spent = time.thread_time_ns() - began
            return f"raises {type(error).__name__}", True, spent
        canon = Canon((side.name,))
        return f"{canon.text(result)} {Canon((side.name,)).text(args)}", False, spent
    finally:
        side.leave()
