"""Whether an exception is something that the code does, or only what misused code does."""

import linecache
from types import TracebackType

_ACCIDENTS = (TypeError, AttributeError, NameError, RecursionError, MemoryError, NotImplementedError)


def is_junk(error: "BaseException | None", path: str) -> bool:
    """Whether an error says more about the arguments than about the code."""
    if error is None or not isinstance(error, _ACCIDENTS):
        return False
    return not is_deliberate(error.__traceback__, path)


def is_deliberate(trace: "TracebackType | None", path: str) -> bool:
    """Whether the innermost frame is of the module, at a `raise`."""
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    if trace.tb_frame.f_code.co_filename != path:
        return False
    return linecache.getline(path, trace.tb_lineno).lstrip().startswith("raise")
