"""Turn what happened inside into plain JSON values: results, and errors with their frames.

Everything reported here is the execution's own claim. The supervisor decides what it means.
"""

import math
from types import CodeType, TracebackType
from typing import Any

DREAM_FILE = "<dream>"
FILE_INSIDE = "<stdin>"
"""The same, as the code under test sees it: the name is no hint that it is judged."""
OWN_FILE = "<frozen runpy>"
"""What our own functions say they come from, once `tracks.cover` was here."""
MESSAGE_CHARACTERS = 4000
_FRAMES = 20
_DEPTH = 200
_INSIDE = (__file__.rpartition("/")[0] + "/", OWN_FILE)


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
    raise NotPlain(f"result of type {_name_of(kind)} is not JSON")


def _text(value: str) -> str:
    try:
        value.encode()
    except UnicodeEncodeError:
        raise NotPlain("result contains a lone surrogate") from None
    return value


def _key(key: Any) -> str:
    if type(key) is not str:
        raise NotPlain(f"result has a key of type {_name_of(type(key))}")
    return _text(key)


def describe(error: BaseException) -> "dict[str, Any]":
    """The error's class, ancestors, message and frames, all bounded.

    Class and attributes may be as hostile as the message: they are asked for where the code
    under test cannot answer in their place.
    """
    kind = type(error)
    trace = _own_traceback(error)
    number = _errno_of(error)
    return {
        "type": _name_of(kind),
        "ancestors": [_name_of(base) for base in _ancestors(kind)[:20]],
        "message": _message(error),
        "errno": number if type(number) is int else None,
        "frames": _frames(trace)[-_FRAMES:],
        "at_call": _is_call_boundary(trace),
    }


_class_name = type.__dict__["__name__"].__get__
_ancestors = type.__dict__["__mro__"].__get__
_own_traceback = BaseException.__dict__["__traceback__"].__get__


def _name_of(kind: type) -> str:
    return str.encode(_class_name(kind), "utf-8", "replace").decode()[:200]


def _errno_of(error: BaseException) -> Any:
    try:
        return getattr(error, "errno", None)
    except BaseException:  # noqa: BLE001  an attribute of the code under test
        return None


def _message(error: BaseException) -> str:
    try:
        text = str.__getitem__(str(error), slice(MESSAGE_CHARACTERS))
        return text.encode("utf-8", "replace").decode()
    except MemoryError:
        return "(no memory to format the message)"
    except BaseException as second:  # noqa: BLE001  __str__ belongs to the code under test
        return f"(__str__ raised {_name_of(type(second))})"


def _frames(trace: "TracebackType | None") -> "list[list[Any]]":
    found: list[list[Any]] = []
    while trace is not None:
        code: CodeType = trace.tb_frame.f_code
        if not code.co_filename.startswith(_INSIDE):
            file = DREAM_FILE if code.co_filename == FILE_INSIDE else code.co_filename[-500:]
            found.append([file, trace.tb_lineno, getattr(code, "co_qualname", code.co_name)[-200:]])
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
