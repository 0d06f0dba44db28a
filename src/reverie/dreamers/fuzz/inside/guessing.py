"""What kind of value a parameter without annotation takes, by what it is called."""

from typing import Any

_MANY = (
    "iterable", "seq", "sequence", "items", "values", "data", "lst", "xs", "ys", "elements",
    "array", "collection", "numbers", "nums", "samples", "population", "points", "it",
)  # fmt: skip
_TEXTS = ("words", "possibilities", "names", "lines", "strings", "texts", "choices", "candidates")
_WHOLE = (
    "n", "k", "m", "size", "count", "width", "limit", "length", "steps", "step", "index", "start",
    "stop", "depth", "base", "year", "y1", "y2", "num", "number", "times", "capacity", "maxsize",
)  # fmt: skip
_TEXT = ("text", "s", "string", "word", "line", "name", "pattern", "prefix", "suffix", "sep")


def guessed(name: str) -> Any:
    """A type for a parameter of this name; None when the name says nothing."""
    if name in _MANY:
        return list
    if name in _TEXTS:
        return list[str]
    if name in _WHOLE:
        return int
    return str if name in _TEXT else None


def is_collection(name: str) -> bool:
    """Whether a name speaks of several values."""
    return name in _MANY or name in _TEXTS
