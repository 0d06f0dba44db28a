"""Mutants on this side: the changed file, the difference for people, and a sample of them.

A sample is the same in every run, and spread over everything by the names.
"""

import difflib
import hashlib
import re
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from reverie.errors import MachineryError
from reverie.instruments.mutation.inside.sites import Survey, Text
from reverie.model.measurements.suite import Mutant
from reverie.syntax.decoding import decode

_LINES_AROUND = 2


@lru_cache(maxsize=64)
def source_of(root: str, file: str) -> bytes:
    """A file as the far side reads it: UTF-8, plain line ends."""
    try:
        data = Path(root, file).read_bytes()
        return decode(data).replace("\r\n", "\n").replace("\r", "\n").encode()
    except (OSError, SyntaxError, ValueError, LookupError) as error:
        raise MachineryError(f"{file!r} cannot be read any more: {error}") from error


def changed_source(root: str, mutant: Mutant) -> str:
    """The whole file with the mutant in it."""
    source = source_of(root, mutant.file)
    changed = source[: mutant.start] + mutant.replacement.encode() + source[mutant.end :]
    return changed.decode("utf-8", "replace")


def diff_of(root: str, mutant: Mutant) -> str:
    """The lines that change, as a unified difference with little around them."""
    source = source_of(root, mutant.file)
    first, last = _with_lines_around(source, mutant.start, mutant.end)
    changed = source[first : mutant.start] + mutant.replacement.encode() + source[mutant.end : last]
    before, after = (
        part.decode("utf-8", "replace").splitlines() for part in (source[first:last], changed)
    )
    lines = difflib.unified_diff(
        before, after, f"a/{mutant.file}", f"b/{mutant.file}", n=_LINES_AROUND, lineterm=""
    )
    above = source.count(b"\n", 0, first)
    return "\n".join(_shifted(line, above) if line.startswith("@@ ") else line for line in lines)


def _with_lines_around(source: bytes, start: int, end: int) -> tuple[int, int]:
    """Where the lines of a part begin and end, with a few more on either side."""
    for _ in range(_LINES_AROUND + 1):
        start = source.rfind(b"\n", 0, max(0, start))
        end = source.find(b"\n", end) + 1 or len(source)
    return start + 1, end


def _shifted(header: str, by: int) -> str:
    """A hunk's header with the numbers that its lines have in the whole file."""
    return re.sub(r"(?<=[-+])\d+", lambda number: str(int(number[0]) + by), header, count=2)


def mutants_of(source: str) -> tuple[str, ...]:
    """Every mutant of a source as text, in the order of its sites; nothing of it is run."""
    data = source.encode()
    text = Text(data)
    found = []
    for site in Survey(data).sites:
        written = text.replacing(site)
        if written is not None:
            start, end = text.span(site.node)
            found.append((data[:start] + written.encode() + data[end:]).decode())
    return tuple(dict.fromkeys(found))


T = TypeVar("T")


def spread_sample(things: Iterable[T], count: int, name: Callable[[T], str]) -> list[T]:
    """`count` of them, or all; a larger sample holds every smaller one."""
    return sorted(things, key=lambda each: hashlib.sha256(name(each).encode()).digest())[:count]
