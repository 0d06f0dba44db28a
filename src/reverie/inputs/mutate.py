"""Neighbours of a call: one constant or container changed a little, for guided search."""

import ast
import random
from collections.abc import Sequence

from reverie.inputs.dice import Dice
from reverie.inputs.literals import Literals
from reverie.inputs.signature import CallableShape
from reverie.inputs.sites import Site, sites, with_expression
from reverie.inputs.values.catalogue import CATALOGUE
from reverie.inputs.values.plain import float_source
from reverie.model.call import Call, Expression

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
    same_form = len(other.args) == len(call.args) and [name for name, _ in other.kwargs] == [
        name for name, _ in call.kwargs
    ]
    theirs = list(other.expressions())
    if not same_form or not theirs or dice.chance(0.5):
        return other
    index = dice.below(len(theirs))
    return with_expression(call, index, theirs[index])


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
