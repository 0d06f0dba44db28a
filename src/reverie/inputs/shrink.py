"""Smaller calls: what to try when a call has shown something and the smallest is wanted.

    while (smaller := next(filter(still_shows, shrink_call(call)), None)) is not None:
        call = smaller

Every candidate comes before the call in one order (length of the source, then the source), so
this ends.
"""

import ast
from collections.abc import Iterator
from dataclasses import replace
from typing import AnyStr

from reverie.inputs.sites import Site, sites, with_expression
from reverie.inputs.values.plain import float_source
from reverie.inputs.values.write import literal
from reverie.model.call import Call, Expression

_MOST_CUTS = 64


def shrink_call(call: Call) -> Iterator[Call]:
    """Smaller candidates, the most promising first: without an argument, then smaller arguments."""
    seen = {call}
    for candidate in _candidates(call):
        if candidate not in seen and _weight(candidate) < _weight(call):
            seen.add(candidate)
            yield candidate


def _weight(call: Call) -> tuple[int, str]:
    text = call.render("f")
    return len(text), text


def _candidates(call: Call) -> Iterator[Call]:
    for index in range(len(call.kwargs)):
        yield replace(call, kwargs=(*call.kwargs[:index], *call.kwargs[index + 1 :]))
    if call.args:
        yield replace(call, args=call.args[:-1])
    expressions = list(call.expressions())
    for index, expression in enumerate(expressions):
        for smaller in shrink_expression(expression):
            yield with_expression(call, index, smaller)


def shrink_expression(expression: Expression) -> Iterator[Expression]:
    """Smaller expressions of the same form, outermost changes first."""
    for unwrapped in _unwrapped(expression):
        yield expression.replaced(unwrapped)
    for site in sites(expression):
        for text in _smaller(site):
            yield expression.replaced(site.with_text(text))


def _unwrapped(expression: Expression) -> Iterator[str]:
    """`'a' * 10000` is first tried as less of the same."""
    try:
        tree = ast.parse(expression.source, mode="eval").body
    except (SyntaxError, RecursionError, MemoryError, ValueError):
        return
    match tree:
        case ast.BinOp(left=repeated, op=ast.Mult(), right=ast.Constant(int() as count)):
            text = expression.source[repeated.col_offset : repeated.end_col_offset]
            yield text
            yield f"{text} * {count // 2}"
        case ast.Call(func=ast.Name("list"), args=[ast.Call(func=ast.Name("range"), args=[end])]):
            if isinstance(end, ast.Constant) and isinstance(end.value, int):
                yield literal(list(range(min(end.value, 3))))
                yield f"list(range({end.value // 2}))"


def _smaller(site: Site) -> Iterator[str]:
    match site.constant:
        case bool() as truth:
            yield from ("False",) if truth else ()
        case int() as whole:
            yield from map(str, _integers(whole))
        case float() as number:
            yield from map(float_source, _floats(number))
        case str() as text:
            yield from map(ascii, _texts(text, "a"))
        case bytes() as blob:
            yield from map(ascii, _texts(blob, b"a"))
        case _:
            yield from _displays(site)


def _integers(value: int) -> Iterator[int]:
    towards = 1 if value > 0 else -1
    yield from (0, 1, 2, -value, value // 2 if value > 0 else -(-value // 2), value - towards)


def _floats(value: float) -> Iterator[float]:
    yield from (0.0, 1.0, -value)
    if abs(value) < 1e300:
        yield from (float(int(value)), round(value, 1), value / 2)


def _texts(value: AnyStr, plain: AnyStr) -> Iterator[AnyStr]:
    yield value[:0]
    yield value[: len(value) // 2]
    yield value[len(value) // 2 :]
    places = range(min(len(value), _MOST_CUTS))
    yield from (value[:place] + value[place + 1 :] for place in places)
    yield from (value[:place] + plain + value[place + 1 :] for place in places)


def _displays(site: Site) -> Iterator[str]:
    match site.node:
        case ast.List(elts=parts):
            yield from (f"[{', '.join(kept)}]" for kept in _fewer(site, parts))
        case ast.Set(elts=parts):
            for kept in _fewer(site, parts):
                yield "{" + ", ".join(kept) + "}" if kept else "set()"
        case ast.Tuple(elts=parts):
            for kept in _fewer(site, parts):
                yield "(" + ", ".join(kept) + ("," if len(kept) == 1 else "") + ")"
        case ast.Dict(keys=keys, values=values):
            both = zip(keys, values, strict=True)
            pairs = [f"{site.part(key)}: {site.part(value)}" for key, value in both if key]
            yield from ("{" + ", ".join(kept) + "}" for kept in _cuts(pairs))


def _fewer(site: Site, parts: list[ast.expr]) -> Iterator[list[str]]:
    yield from _cuts([site.part(each) for each in parts])


def _cuts(parts: list[str]) -> Iterator[list[str]]:
    """Nothing, either half, then each without one."""
    if not parts:
        return
    middle = len(parts) // 2
    yield []
    yield parts[middle:]
    yield parts[:middle]
    for index in range(min(len(parts), _MOST_CUTS)):
        yield [*parts[:index], *parts[index + 1 :]]
