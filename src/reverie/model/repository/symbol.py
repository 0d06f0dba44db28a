"""What can be searched for. Tuples, and alone here: an answer is made of thousands, at once."""

from typing import NamedTuple


class SymbolRecord(NamedTuple):
    """A function, method or class that can be searched for."""

    qualname: str
    line: int
    kind: str
    """`function`, `method` or `class`."""
    signature: str
    summary: str
    """First line of the docstring; empty without one."""
    words: str
    """What it can be found by, in lower case: words of its name, a bar, words of its docstring."""
    shape: str
    """Its types in a normal form; empty when nothing is annotated."""


class FoundSymbol(NamedTuple):
    """A remembered symbol with the file it stands in."""

    path: str
    symbol: SymbolRecord
