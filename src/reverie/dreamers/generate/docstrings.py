"""The examples that a docstring shows: `>>> double(2)` and below it what comes out."""

import ast
import doctest
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reverie.errors import UsageError


@dataclass(frozen=True, slots=True)
class Shown:
    """A call of a docstring and its result."""

    name: str
    args: tuple[Any, ...]
    keywords: dict[str, Any]
    result: Any


def examples_in(docstring: str) -> Iterator[Shown]:
    """Every example; `UsageError` for one that is not a plain call with a plain result."""
    for each in _parts(docstring):
        if isinstance(each, doctest.Example):
            yield _shown(each.source.strip(), each.want.strip())


def without_examples(docstring: str) -> str:
    """What a docstring says besides its examples."""
    said = "".join(each for each in _parts(docstring) if isinstance(each, str))
    return "\n".join(line.strip() for line in said.strip().splitlines() if line.strip())


def _parts(docstring: str) -> list[str | doctest.Example]:
    try:
        return doctest.DocTestParser().parse(docstring)
    except ValueError as error:
        raise UsageError(f"docstring: {error}") from error


def _shown(source: str, wanted: str) -> Shown:
    try:
        match ast.parse(source, mode="eval").body:
            case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
                named = {str(each.arg): ast.literal_eval(each.value) for each in keywords}
                values = tuple(ast.literal_eval(each) for each in args)
                return Shown(name, values, named, ast.literal_eval(wanted) if wanted else None)
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError) as error:
        raise UsageError(f"docstring: {source!r:.60} gives {wanted!r:.60}: {error}") from error
    raise UsageError(f"docstring: {source!r:.60} is no plain call")
