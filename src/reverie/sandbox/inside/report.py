"""Turn what happened inside into plain JSON values: results, and errors with their frames.

Everything reported here is the execution's own claim. The supervisor decides what it means.
"""

import math
from types import CodeType, TracebackType
from typing import Any

DREAM_FILE = "<dream>"
MESSAGE_CHARACTERS = 4000
_FRAMES = 20
_DEPTH = 200
_INSIDE = __file__.rpartition("/")[0] + "/"


class NotPlain(Exception):
    """A result that JSON cannot carry without changing it."""


def plain(value: Any, depth: int = 0) -> Any:
    """The value as exact JSON types; subclasses, NaN and anything else are refused."""
    kind = type(value)
    if value is None or kind is bool or kind is int:
        return value
    if kind is str:
        return _text(value)
    if kind is float:
        if not math.isfinite(value):
            raise NotPlain(f"result contains {value}")
        return value
    if depth > _DEPTH:
        raise NotPlain("result is nested too deeply")
    if kind is list or kind is tuple:
        return [plain(item, depth + 1) for item in value]
    if kind is dict:
        return {_key(key): plain(item, depth + 1) for key, item in value.items()}
    raise NotPlain(f"result of type {kind.__name__} is not JSON")


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NotPlain("result contains a lone surrogate") from None
    return value


def _key(key: Any) -> str:
    if type(key) is not str:
        raise NotPlain(f"result has a key of type {type(key).__name__}")
    return _text(key)


def describe(error: BaseException) -> "dict[str, Any]":
    """The error's class, ancestors, message and frames, all bounded."""
    kind = type(error)
    frames = _frames(error.__traceback__)
    number = getattr(error, "errno", None)
    return {
        "type": kind.__name__[:200],
        "ancestors": [base.__name__[:200] for base in kind.__mro__][:20],
        "message": _message(error),
        "errno": number if type(number) is int else None,
        "frames": frames[-_FRAMES:],
        "at_call": _is_call_boundary(error.__traceback__),
    }


def _message(error: BaseException) -> str:
    try:
        text = str(error)[:MESSAGE_CHARACTERS]
    except MemoryError:
        return "(no memory to format the message)"
    except BaseException as second:  # noqa: BLE001  __str__ belongs to the code under test
        return f"(__str__ raised {type(second).__name__})"
    return text.encode("utf-8", "replace").decode()


def _frames(trace: "TracebackType | None") -> "list[list[Any]]":
    found: list[list[Any]] = []
    while trace is not None:
        code: CodeType = trace.tb_frame.f_code
        if not code.co_filename.startswith(_INSIDE):
            found.append([code.co_filename[-500:], trace.tb_lineno, code.co_qualname[-200:]])
            if len(found) > 2 * _FRAMES:
                del found[0]
        trace = trace.tb_next
    return found


def _is_call_boundary(trace: "TracebackType | None") -> bool:
    """Whether the innermost frame is our own call: the arguments did not fit the signature."""
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename.startswith(_INSIDE)
