"""Calls a function once and tells what was seen; an error of the function is left to fly."""

import sys
import time
from collections.abc import Callable
from typing import Any

from reverie.instruments.equivalence.inside.canon import Canon

_DREAM_FILE = "<stdin>"
_MOST_STEPS = 300_000
_MOST_JSON = 20_000
_SHOWN = 300
_JSON = (type(None), bool, int, str)


class Prepared:
    """A call that was compiled before its process was forked; or why it was not."""

    def __init__(self, order: "dict[str, Any]") -> None:
        named = "".join(f"{name!r}: {source}, " for name, source in order["kwargs"])
        given = "".join(f"{source}, " for source in order["args"])
        self.names = order["names"]
        self.error = ""
        try:
            self.preamble = compile(order["preamble"], "<arguments>", "exec")
            self.arguments = compile(f"[{given}], {{{named}}}", "<arguments>", "eval")
        except Exception as error:  # noqa: BLE001  source that is no source
            self.error = f"{type(error).__name__}: {error}"

    def made(self, module: "dict[str, Any]") -> "tuple[list[Any], dict[str, Any]]":
        """The arguments, new ones."""
        if self.error:
            raise ValueError(self.error)
        scope = {name: module[name] for name in self.names if name in module}
        exec(self.preamble, scope)  # noqa: S102
        args, kwargs = eval(self.arguments, scope)
        return args, kwargs


def look(
    module: "dict[str, Any]", entry: str, call: Prepared, counts_steps: bool
) -> "dict[str, Any]":
    """What `entry` does with the arguments of a call."""
    try:
        args, kwargs = call.made(module)
    except Exception as error:  # noqa: BLE001  an argument that cannot be made
        return {"unmade": f"{type(error).__name__}: {error}"[:_SHOWN]}
    held = Canon(("dream",))
    tracer = _Steps() if counts_steps else None
    wall, cpu = time.perf_counter(), time.thread_time()
    try:
        if tracer is not None:
            sys.settrace(tracer.enter)
        value = _driven(module[entry](*args, **kwargs))
        text = Canon(("dream",)).text(value, "r")
    finally:
        sys.settrace(None)
        wall, cpu = time.perf_counter() - wall, time.thread_time() - cpu
    return {
        "value": text,
        "type": type(value).__name__[:200],
        "arguments": [held.text(each) for each in (*args, *kwargs.values())],
        "steps": None if tracer is None else tracer.count,
        "cpu_seconds": cpu,
        "wall_seconds": wall,
        **({"plain": value} if _is_json(value, [_MOST_JSON]) else {}),
    }


def _driven(value: Any) -> Any:
    if hasattr(value, "cr_frame"):
        import asyncio

        return asyncio.run(value)
    return value


class _Steps:
    """Counts the lines of the function's own source, up to a bound."""

    def __init__(self) -> None:
        self.count = 0

    def enter(self, frame: Any, event: str, argument: Any) -> "Callable[..., Any] | None":
        """Follow frames of the source that is looked at, and no others."""
        return self.line if frame.f_code.co_filename == _DREAM_FILE else None

    def line(self, frame: Any, event: str, argument: Any) -> "Callable[..., Any] | None":
        """One more; after too many the rest runs unwatched."""
        if event == "line":
            self.count += 1
            if self.count >= _MOST_STEPS:
                sys.settrace(None)
                return None
        return self.line


def _is_json(value: Any, left: "list[int]", depth: int = 0) -> bool:
    """Whether JSON carries it as it is, within bounds."""
    left[0] -= 1
    kind = type(value)
    if kind in _JSON:
        left[0] -= len(value) if kind is str else 0
        is_sound = kind is not str or value.isascii()
        is_short = kind is not int or -(1 << 63) < value < 1 << 63
        return left[0] > 0 and is_sound and is_short
    if kind is float:
        return bool(abs(value) < float("inf"))
    if left[0] <= 0 or depth > 50:
        return False
    if kind is list or kind is tuple:
        return all(_is_json(each, left, depth + 1) for each in value)
    if kind is dict:
        return all(
            type(key) is str and key.isascii() and _is_json(each, left, depth + 1)
            for key, each in value.items()
        )
    return False
