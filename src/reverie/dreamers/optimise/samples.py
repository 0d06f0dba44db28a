"""Calls that are like real ones, for whoever compares: from inputs that the race was run with."""

import ast
import builtins
from collections.abc import Iterator

from reverie.dreamers.optimise.race import SAMPLES, Course
from reverie.model.call import Call, Expression

_MADE = "@"
"""Begins what is shown of arguments that cannot be written: their number, then their names."""


def sample_calls(shown: tuple[str, ...], course: Course) -> tuple[Call, ...]:
    """Calls from arguments as they were shown: claims, read as literals or made anew inside."""
    found = [
        _made(text, size, seed, course) if text.startswith(_MADE) else _literal(text)
        for text, (size, seed) in zip(shown, SAMPLES, strict=False)
    ]
    return tuple(each for each in found if each is not None)


def _literal(text: str) -> Call | None:
    try:
        args, kwargs = ast.literal_eval(text)
        given = tuple(Expression(repr(each)) for each in args)
        named = tuple((str(name), Expression(repr(each))) for name, each in kwargs.items())
    except (ValueError, SyntaxError, TypeError, AttributeError, RecursionError, MemoryError):
        return None
    return Call(given, named)


def _made(text: str, size: int, seed: int, course: Course) -> Call | None:
    """Each argument by a call of the maker, which is brought along."""
    count, *names = text.removeprefix(_MADE).split(",")
    if not count.isdigit() or not all(name.isidentifier() for name in names):
        return None
    made = f"{course.maker}({size}, {seed})"
    args = tuple(_expression(f"{made}[0][{place}]", course) for place in range(int(count)))
    kwargs = tuple((name, _expression(f"{made}[1][{name!r}]", course)) for name in names)
    return Call(args, kwargs)


def _expression(source: str, course: Course) -> Expression:
    if course.maker_source is None:
        return Expression(source, names=frozenset({course.maker}))
    names = frozenset(_free_names(course.maker_source)) & course.module_names
    return Expression(source, names=names, definitions=(course.maker_source,))


def _free_names(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Name) and not hasattr(builtins, node.id):
            yield node.id
