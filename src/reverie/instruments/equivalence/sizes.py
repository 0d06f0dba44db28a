"""Calls with lists, texts and dicts as long as a number that stands in the sources, or nearly."""

import ast
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import replace

from reverie.model.call import Call, Expression

_LEAST = 8
_LARGEST = 20_000
_MOST_NUMBERS = 5
_MANY = 1100
"""Powers of two that no float can hold, and calls deeper than Python goes, begin before it."""


def sizes_near(constants: Sequence[str]) -> list[int]:
    """Lengths at which something may change: around the first numbers of the sources."""
    numbers = [value for each in constants if type(value := ast.literal_eval(each)) is int]
    chosen = [each for each in numbers if _LEAST <= each <= _LARGEST][:_MOST_NUMBERS]
    return sorted({each + step for each in chosen for step in (-1, 0, 1)})


def sized_calls(call: Call, sizes: Sequence[int]) -> Iterator[Call]:
    """The call with each of its containers at each of the lengths, one at a time."""
    for place, argument in enumerate(call.args):
        for size in sizes:
            source = _sized(argument, size)
            if source is not None:
                args = (*call.args[:place], argument.replaced(source), *call.args[place + 1 :])
                yield replace(call, args=args)


def counting_calls(call: Call) -> Iterator[Call]:
    """The call with each of its whole numbers as a count that is large, but can be waited for."""
    for place, argument in enumerate(call.args):
        match _parsed(argument):
            case ast.Constant(value=int(known)) if not isinstance(known, bool):
                many = argument.replaced(str(_MANY))
                yield replace(call, args=(*call.args[:place], many, *call.args[place + 1 :]))


def inner_sized_calls(call: Call, sizes: Sequence[int]) -> Iterator[Call]:
    """The call with the first list inside one of its arguments at each of the lengths."""
    for place, argument in enumerate(call.args):
        found = _inner_list(_parsed(argument)) if argument.source.isascii() else None
        if found is None:
            continue
        start, end = found.col_offset, found.end_col_offset
        inner = argument.source[start:end]
        for size in sizes:
            longer = f"({inner} * {size // len(found.elts) + 1})[:{size}]"
            source = f"{argument.source[:start]}{longer}{argument.source[end:]}"
            yield replace(
                call, args=(*call.args[:place], argument.replaced(source), *call.args[place + 1 :])
            )


def _inner_list(tree: ast.expr | None) -> ast.List | None:
    inside = () if tree is None else itertools.islice(ast.walk(tree), 1, None)
    return next((each for each in inside if isinstance(each, ast.List) and each.elts), None)


def _parsed(argument: Expression) -> ast.expr | None:
    try:
        return ast.parse(argument.source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _sized(argument: Expression, size: int) -> str | None:
    match _parsed(argument):
        case ast.List(elts=items) if items:
            return f"({argument.source} * {size // len(items) + 1})[:{size}]"
        case ast.Constant(value=str() | bytes() as text) if text:
            return f"({argument.source} * {size // len(text) + 1})[:{size}]"
        case ast.Dict(keys=[ast.Constant(value=str()), *_], values=[value, *_]):
            return f"{{f'k{{n}}': {ast.unparse(value)} for n in range({size})}}"
        case ast.Dict(keys=[ast.Constant(value=int()), *_], values=[value, *_]):
            return f"{{n: {ast.unparse(value)} for n in range({size})}}"
        case ast.Set(elts=[ast.Constant(value=int()), *_]):
            return f"set(range({size}))"
    return None
