"""Whether a change was one of layout and comments only."""

import ast
import re
import warnings

# What formatters add, drop and respell. Texts that differ in more cannot have the same tree,
# but for spellings so rare that they may count as changes.
_LAYOUT = b" \t\n\r\f\v\"'(),;\\"
_COMMENT = re.compile(rb"#[^\n]*")


def is_formatting_only(old: bytes, new: bytes) -> bool:
    """Whether both sources have the same syntax tree. Cheap where they plainly have not."""
    if not _is_same_but_for_layout(old, new):
        return False
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(old)) == ast.dump(ast.parse(new))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False


def _is_same_but_for_layout(old: bytes, new: bytes) -> bool:
    """Looks only at the lines between the equal ends: whole lines, so that comments are whole."""
    start = old.rfind(b"\n", 0, _equal_bytes(old, new)) + 1
    old, new = old[start:], new[start:]
    tail = old[len(old) - _equal_bytes(old[::-1], new[::-1]) :]
    shared = len(tail) - (tail.find(b"\n") + 1 or len(tail))
    old, new = old[: len(old) - shared], new[: len(new) - shared]
    return _essence(old) == _essence(new)


def _essence(source: bytes) -> bytes:
    bare = _COMMENT.sub(b"", source) if b"#" in source else source
    return bare.translate(None, _LAYOUT).lower()


def _equal_bytes(first: bytes, second: bytes) -> int:
    """How many bytes are equal at the beginning, found by halving."""
    low, high = 0, min(len(first), len(second))
    while low < high:
        middle = (low + high + 1) // 2
        if first[low:middle] == second[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
