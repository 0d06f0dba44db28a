"""Neighbours of a call: one constant or container changed a little, or smaller ones.

    while (smaller := next(filter(still_shows, shrink_call(call)), None)) is not None:
        call = smaller

Every candidate of `shrink_call` comes before the call in one order (length of the source, then the
source), so this ends. Replacing works on the text, not on an unparsed tree: what is not touched
stays as it was, byte for byte, on every Python.
"""

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import AnyStr

from reverie.inputs.dice import Dice
from reverie.inputs.literals import Literals
from reverie.inputs.signature import CallableShape
from reverie.inputs.values.catalogue import CATALOGUE
from reverie.inputs.values.plain import float_source, literal
from reverie.model.call import Call, Expression
from reverie.syntax.parsing import NOT_PYTHON, parse_expression
from reverie.syntax.unparsing import unparse

_TRANSPARENT = frozenset(
    [
        "iter",
        "tuple",
        "list",
        "set",
        "frozenset",
        "sorted",
        "async_items",
        "eventually",
        "answering",
        "contextlib.nullcontext",
        "collections.deque",
        "collections.OrderedDict",
        "collections.Counter",
        "collections.ChainMap",
        "collections.defaultdict",
        "io.StringIO",
        "io.BytesIO",
        "bytearray",
        "memoryview",
        "types.SimpleNamespace",
        "types.MappingProxyType",
        "numpy.array",
        "pandas.Series",
        "ValueError",
    ]
)
"""Calls whose arguments may be changed freely. Classes of the code under test count as such."""


@dataclass(frozen=True, slots=True)
class Site:
    """A literal or a container display inside an expression's source."""

    node: ast.expr
    source: str
    """The whole expression."""

    @property
    def text(self) -> str:
        """What stands there."""
        return self.source[self.node.col_offset : self.node.end_col_offset]

    def with_text(self, text: str) -> str:
        """The whole expression with another text there."""
        return self.source[: self.node.col_offset] + text + self.source[self.node.end_col_offset :]

    def part(self, node: ast.expr) -> str:
        """The text of a node inside."""
        return self.source[node.col_offset : node.end_col_offset]

    @property
    def constant(self) -> object:
        """The value of a literal; an Ellipsis for what is none."""
        match self.node:
            case ast.Constant(value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(int() | float() as number)):
                return -number
        return ...


def sites(expression: Expression) -> list[Site]:
    """Every place, outermost first."""
    try:
        tree = parse_expression(expression.source)
    except NOT_PYTHON:
        return []
    if not expression.source.isascii() or "\n" in expression.source:
        return []
    return [Site(node, expression.source) for node in _open(tree, expression.names)]


def _open(node: ast.expr, own: frozenset[str]) -> Iterator[ast.expr]:
    match node:
        case ast.Constant():
            yield node
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant()):
            yield node
        case ast.List(elts=parts) | ast.Tuple(elts=parts) | ast.Set(elts=parts):
            yield node
            for each in parts:
                yield from _open(each, own)
        case ast.Dict(keys=keys, values=values):
            yield node
            for key, value in zip(keys, values, strict=True):
                if key is not None:
                    yield from _open(key, own)
                yield from _open(value, own)
        case ast.Call(func=target, args=args, keywords=keywords) if _is_open(target, own):
            for each in (*args, *(keyword.value for keyword in keywords)):
                yield from _open(each, own)


def _is_open(target: ast.expr, own: frozenset[str]) -> bool:
    name = unparse(target)
    return name in _TRANSPARENT or name.partition(".")[0] in own or name[:1].isupper()


def with_expression(call: Call, index: int, expression: Expression) -> Call:
    """The call with its expression number `index` (as `Call.expressions` counts) replaced."""
    if call.receiver is not None:
        if index == 0:
            return replace(call, receiver=expression)
        index -= 1
    if index < len(call.args):
        return replace(call, args=(*call.args[:index], expression, *call.args[index + 1 :]))
    index -= len(call.args)
    name, _ = call.kwargs[index]
    kwargs = (*call.kwargs[:index], (name, expression), *call.kwargs[index + 1 :])
    return replace(call, kwargs=kwargs)


_EDGES = (0, 1, -1, 2, 10, 127, 128, 255, 256, 1000, 2**31 - 1, 2**31, -(2**31), 2**53 + 1)
_CHARACTERS = "a bZ0_-./,;:\n\t'\"\\%{[\u00e9\u00df\U0001f600"
_TRIES = 40
_REDRAWN = 0.15


def mutate_call(
    call: Call,
    rng: random.Random,
    hints: Literals | None = None,
    shape: CallableShape | None = None,
) -> Call:
    """A call that differs in one place. With a `shape`, sometimes an argument is drawn anew.

    The call itself comes back when nothing about it can be changed.
    """
    dice = Dice(rng)
    known = hints or Literals()
    if shape is not None and dice.chance(_REDRAWN):
        return _redrawn(call, shape, known, dice)
    expressions = list(call.expressions())
    for _ in range(_TRIES):
        if not expressions:
            break
        index = dice.below(len(expressions))
        changed = mutate_expression(expressions[index], dice, known)
        if changed != expressions[index]:
            return with_expression(call, index, changed)
    return call if shape is None else _redrawn(call, shape, known, dice)


def _redrawn(call: Call, shape: CallableShape, known: Literals, dice: Dice) -> Call:
    """Another call of the shape, or this one with one of the other's arguments."""
    from reverie.inputs.calls import draw_call

    other = draw_call(shape, dice.below(10**6), seed=dice.below(10**9), hints=known)
    same_form = _form(other) == _form(call)
    theirs = list(other.expressions())
    if not same_form or not theirs or dice.chance(0.5):
        return other
    index = dice.below(len(theirs))
    return with_expression(call, index, theirs[index])


def _form(call: Call) -> tuple[bool, int, tuple[str, ...]]:
    return call.receiver is None, len(call.args), tuple(name for name, _ in call.kwargs)


def mutate_expression(expression: Expression, dice: Dice, hints: Literals) -> Expression:
    """An expression that differs in one place; itself when there is nothing to change."""
    places = sites(expression)
    if not places:
        return _other_of_its_kind(expression, dice)
    site = dice.pick(places)
    return expression.replaced(site.with_text(_changed(site, dice, hints)))


def _other_of_its_kind(expression: Expression, dice: Dice) -> Expression:
    """Another value from the catalogue's entry that holds this one."""
    for entry in CATALOGUE.values():
        options = (*entry.typical, *entry.edges)
        if expression.source in options and expression.modules <= set(entry.modules):
            source = dice.pick(options)
            needed = frozenset(each for each in entry.modules if f"{each}." in source)
            return Expression(source, needed)
    return expression


def _changed(site: Site, dice: Dice, hints: Literals) -> str:
    match site.constant:
        case bool() as truth:
            return str(not truth)
        case int() as whole:
            return str(_integer(whole, dice, hints))
        case float() as number:
            return float_source(_floating(number, dice, hints))
        case str() as words:
            return ascii(_text(words, dice, hints.texts, _CHARACTERS))
        case bytes() as blob:
            words = blob.decode("latin-1")
            shown = [each.decode("latin-1") for each in hints.blobs]
            return ascii(_text(words, dice, shown, "a b\x00\xff\n").encode("latin-1"))
    match site.node:
        case ast.Dict(keys=keys, values=values):
            return _pairs(site, [key for key in keys if key is not None], values, dice)
        case ast.List(elts=parts):
            return "[" + ", ".join(_items([site.part(each) for each in parts], dice)) + "]"
        case ast.Set(elts=parts):
            kept = list(dict.fromkeys(_items([site.part(each) for each in parts], dice)))
            return "{" + ", ".join(kept) + "}" if kept else "set()"
        case ast.Tuple(elts=parts) if len(parts) > 1:
            texts = [site.part(each) for each in parts]
            if all(type(each) is type(parts[0]) for each in parts):
                texts = _items(texts, dice)
            return "(" + ", ".join(texts) + ("," if len(texts) == 1 else "") + ")"
    return site.text


def _integer(value: int, dice: Dice, hints: Literals) -> int:
    options = [value + 1, value - 1, -value, value * 2, value // 2, value + dice.between(-16, 16)]
    options.append(dice.pick(_EDGES))
    if hints.integers:
        options += [dice.pick(hints.integers) + dice.between(-1, 1) for _ in range(2)]
    return dice.pick(options)


def _floating(value: float, dice: Dice, hints: Literals) -> float:
    options = [value + 1, value - 1, -value, value * 2, value / 2, value + 0.5, 0.0, -0.0, 1e16]
    if abs(value) < 1e15:
        options += [float(round(value)), round(value, 1) + 0.05]
    options += [float("nan"), float("inf")] if dice.chance(0.2) else []
    options += [float(each) for each in (*hints.floats, *hints.integers)[:6]]
    return dice.pick(options)


def _text(value: str, dice: Dice, hints: Sequence[str], characters: str) -> str:
    place = dice.below(len(value) + 1)
    before, after = value[:place], value[place:]
    options = [before + dice.pick(characters) + after, before + after[1:], before, after, "",
               before + after[:1] + after, value + value, value.swapcase(), value[::-1],
               f" {value}", f"{value} "]  # fmt: skip
    if hints:
        hint = dice.pick(hints)
        options += [hint, value + hint, hint + value, before + hint + after]
    changed = dice.pick(options)
    return changed if all(ord(each) < 256 for each in changed) or len(characters) > 8 else value


def _items(parts: list[str], dice: Dice) -> list[str]:
    if not parts:
        return parts
    first, second = dice.below(len(parts)), dice.below(len(parts))
    swapped = list(parts)
    swapped[first], swapped[second] = swapped[second], swapped[first]
    return dice.pick(
        (
            [*parts[:first], *parts[first + 1 :]],
            [*parts[:first], parts[second], *parts[first:]],
            [*parts, parts[first]],
            swapped,
            parts[::-1],
            parts[:first],
            parts[first:],
            [*parts, *parts],
            [parts[first]],
            [],
        )
    )


def _pairs(site: Site, keys: list[ast.expr], values: list[ast.expr], dice: Dice) -> str:
    pairs = [(site.part(key), site.part(value)) for key, value in zip(keys, values, strict=True)]
    if not pairs:
        return "{}"
    first, second = dice.below(len(pairs)), dice.below(len(pairs))
    exchanged = list(pairs)
    exchanged[first] = (pairs[first][0], pairs[second][1])
    kept = dice.pick(
        (
            [*pairs[:first], *pairs[first + 1 :]],
            exchanged,
            pairs[::-1],
            [pairs[first]],
            pairs[:first],
        )
    )
    return "{" + ", ".join(f"{key}: {value}" for key, value in kept) + "}"


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
        tree = parse_expression(expression.source)
    except NOT_PYTHON:
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
