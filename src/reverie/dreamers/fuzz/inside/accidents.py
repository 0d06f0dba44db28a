"""Errors that nobody means: by what they say, and where they are raised."""

import linecache
import re
from types import TracebackType
from typing import Any

_NEVER_MEANT = re.compile(
    r"No active exception to re-?raise|generator raised StopIteration|changed size during iteration"
    r"|mutated during iteration"
)
_NOTHING = re.compile(
    r"'NoneType' object (?:has no attribute|is not (?:subscriptable|iterable|callable|an iterator))"
    r"|argument of type 'NoneType' is not|object of type 'NoneType' has no len"
    r"|unsupported operand type\(s\) for .*'NoneType'|(?:instances|between) .*'NoneType'"
    r"|\(not \"NoneType\"\)|not NoneType\b|got NoneType\b"
)
_FORMAT = re.compile(
    r"Format specifier missing precision|Precision not allowed|Unknown format code"
    r"|Sign not allowed in string|Too many decimal digits|not enough arguments for format string"
)


def accident_of(error: BaseException, folder: str, kind: str) -> bool:
    """Whether an error after an edit of this kind tells of a case that is not handled."""
    name, text = type(error).__name__, str(error)
    inner = _innermost(_way_of(error))
    if inner is None or not inner[0].startswith(folder):
        return False
    line = linecache.getline(*inner).strip()
    if line.startswith("assert") or (line.startswith("raise ") and name != "RuntimeError"):
        return False
    if name in ("UnboundLocalError", "RecursionError"):
        return True
    if name == "NameError":
        return "is not defined" in text and "'" in text
    if name == "RuntimeError":
        return bool(_NEVER_MEANT.search(text))
    if name in ("AttributeError", "TypeError"):
        return kind in ("other", "empty", "normal") and bool(_NOTHING.search(text))
    return name == "ValueError" and kind == "other" and bool(_FORMAT.search(text))


def _way_of(error: BaseException) -> "TracebackType | None":
    """Where it comes from: what a generator lets through is raised again outside of it."""
    cause = error.__cause__
    return cause.__traceback__ if isinstance(cause, StopIteration) else error.__traceback__


def _innermost(trace: "TracebackType | None") -> "tuple[str, int] | None":
    if trace is None:
        return None
    while trace.tb_next is not None:
        trace = trace.tb_next
    return trace.tb_frame.f_code.co_filename, trace.tb_lineno


def passes(error: BaseException, is_target: Any) -> bool:
    """Whether the way of an error leads through what is searched."""
    trace = _way_of(error)
    while trace is not None:
        if is_target(trace.tb_frame.f_code):
            return True
        trace = trace.tb_next
    return False
