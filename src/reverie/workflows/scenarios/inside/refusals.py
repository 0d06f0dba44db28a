"""Whether an exception is an answer or an accident.

A refusal is raised on purpose: by a `raise` of the code under test, by the binding of the call
itself, by a validator, by an exit with a message; or its docstring says that it comes.
"""

import dis
import re
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

_RAISE = dis.opmap["RAISE_VARARGS"]


class Overdue(BaseException):
    """The step did not end in time."""


def _told(
    error: BaseException, roots: "tuple[str, ...]", function: "Callable[..., Any]"
) -> "dict[str, Any]":
    """An exception as it is told to the host."""
    own = _own_frames(error, roots)
    where = None
    if own:
        code = own[-1].tb_frame.f_code
        where = f"{code.co_filename.rpartition('/')[2]}:{code.co_name}:{own[-1].tb_lineno}"
    message = str(error).encode("utf-8", "replace").decode()[:300]
    return {
        "type": type(error).__name__[:100],
        "message": message,
        "where": where,
        "refused": _is_refusal(error, own, function),
    }


def _is_refusal(error: BaseException, own: "list[Any]", function: "Callable[..., Any]") -> bool:
    name = type(error).__name__
    if isinstance(error, SystemExit):
        return error.code not in (None, 0)
    if isinstance(error, MemoryError | RecursionError) or not isinstance(error, Exception):
        return False
    if not own:
        return isinstance(error, TypeError) or "Validation" in name
    last = own[-1]
    code, place = last.tb_frame.f_code.co_code, last.tb_lasti
    if last.tb_next is None and code[place] == _RAISE and code[place + 1] != 0:
        return True
    said = getattr(function, "__doc__", None) or ""
    return "Validation" in name or re.search(rf"\b{re.escape(name)}\b", said) is not None


def _own_frames(error: BaseException, roots: "tuple[str, ...]") -> "list[Any]":
    found, trace = [], error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(roots):
            found.append(trace)
        trace = trace.tb_next
    return found
