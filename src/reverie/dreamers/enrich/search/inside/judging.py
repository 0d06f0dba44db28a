"""Whether an exception is something that the code does, or only what misused code does."""

import linecache
import re
from types import TracebackType
from typing import Any

_ACCIDENTS = (
    TypeError,
    AttributeError,
    NameError,
    RecursionError,
    MemoryError,
    NotImplementedError,
)


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


_ITEMS = ("list", "texts", "nested", "pairs", "mapping", "text", "tuple")
_COMPLAINTS: "tuple[tuple[str, tuple[str, ...]], ...]" = (
    (r"'(\w+)' object is not callable", ("function",)),
    (r"'(\w+)' object is not iterable", _ITEMS),
    (r"argument of type '(\w+)' is not", _ITEMS),
    (r"object of type '(\w+)' has no len", _ITEMS),
    (r"'(\w+)' object is not subscriptable", _ITEMS),
    (r"cannot unpack non-iterable (\w+) object", ("tuple", "list", "pairs")),
    (r"'(\w+)' object is not an iterator", ("iterator",)),
    (r"'(\w+)' object does not support the context", ("file",)),
    (r"'(\w+)' object (?:does not support item|is not a mapping)", ("mapping", "list")),
    (r"bytes-like object is required, not '?(\w+)", ("blob",)),
    (r"(?:must be|expected) (?:a )?(?:str|string).*(?:not|got) '?(\w+)", ("text",)),
    (r"expected string or bytes-like object, got '(\w+)'", ("text", "blob")),
    (r"(?:cannot be interpreted as an integer|integer.*) ?,? ?(?:not|got)? ?'?(\w*)", ("int",)),
    (r"'(\w+)' object cannot be interpreted as an integer", ("int",)),
    (r"unsupported operand type.*: '(\w+)'", ("int", "number", "text", "moment", "delta", "list")),
    (r"not supported between instances of '(\w+)'", ("int", "text", "number", "moment", "date")),
    (r"can only concatenate \w+ \(not \"(\w+)\"\)", ("text", "list", "tuple")),
    (r"unhashable type: '(\w+)'", ("text", "int", "tuple")),
    (r"<lambda>\(\) (?:takes|missing)()", ("function",)),
    (r"takes \w+ (?:positional )?arguments? (?:but|\()()", ("function",)),
)  # fmt: skip
_READ = tuple((re.compile(pattern), kinds) for pattern, kinds in _COMPLAINTS)
_MISSING = re.compile(r"'(\w+)' object has no attribute '(\w+)'")


def complaint(error: BaseException) -> "tuple[str, Any, Any] | None":
    """What an error says was given, and what was wanted instead: in the form of a comparison."""
    text = str(error)
    found = _MISSING.search(text)
    if found is not None:
        return "hasattr", found[1], found[2]
    for pattern, kinds in _READ:
        found = pattern.search(text)
        if found is not None:
            return "kinds", found[1], kinds
    return None
