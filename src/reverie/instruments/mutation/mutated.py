"""Mutants on this side: the changed file, the difference for people, and a sample of them.

A sample is the same in every run, and spread over everything by the names.
"""

import difflib
import hashlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from reverie.errors import MachineryError
from reverie.instruments.mutation.inside.sites import Survey, Text
from reverie.model.measurements.suite import Mutant
from reverie.syntax.decoding import decode


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
    before = source_of(root, mutant.file).decode("utf-8", "replace").splitlines()
    after = changed_source(root, mutant).splitlines()
    lines = difflib.unified_diff(
        before, after, f"a/{mutant.file}", f"b/{mutant.file}", n=2, lineterm=""
    )
    return "\n".join(lines)


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
