"""Neighbours of a call: arguments changed, taken over from another call, or echoing one another."""

import ast
import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from reverie.instruments.equivalence.changes import Changes
from reverie.instruments.equivalence.pools import Pools
from reverie.model.call import Call, Expression

_CASED = ("", "", "\u00df", "\u0130", "\u01c6", "\u00e9", "\ufb01", "\u03c2", "K", " ")
_POOLED = {"int": int, "str": str, "float": float, "bytes": bytes}


class Neighbours:
    """Makes neighbours of a call from pools of constants."""

    def __init__(self, pools: Pools, chance: random.Random) -> None:
        self.pools = pools
        self.chance = chance
        self.change = Changes(pools, chance).change

    def mutate(self, call: Call, others: Sequence[Call]) -> Call:
        """A neighbour: one to three changes, or arguments taken over from another call."""
        draw = self.chance.random()
        if draw < 0.15 and others:
            return self._cross(call, self.chance.choice(others))
        if draw < 0.25 and len(call.args) > 1:
            return self._echo(call)
        if draw < 0.4 and len(call.args) > 1:
            return self._weave(call)
        if draw < 0.55 and len(call.args) > 1:
            return self._change_all(call)
        for _ in range(self.chance.choice((1, 1, 1, 2, 2, 3))):
            call = self._change_one(call)
        return call

    def solve(self, call: Call, left: str, right: str) -> Call:
        """A place of the call moved so that what was compared as `left` might become `right`."""
        place = self.chance.randrange(len(call.args)) if call.args else 0
        try:
            tree = ast.parse(call.args[place].source, mode="eval")
            one, other = ast.literal_eval(left), ast.literal_eval(right)
        except (IndexError, SyntaxError, ValueError, RecursionError, MemoryError):
            return self._change_one(call)
        sites = [
            (each, value)
            for each, value in _literals(tree)
            if type(value) is type(one) is type(other)
        ]
        if not sites or not isinstance(one, int | float | str):
            return self._change_one(call)
        chosen, value = self.chance.choice(sites)
        moved = self._moved(value, one, other)
        source = call.args[place].source
        text = f"{source[: chosen.col_offset]}{moved!a}{source[chosen.end_col_offset :]}"
        return _with_argument(call, place, call.args[place].replaced(text))

    def _moved(self, value: Any, left: Any, right: Any) -> Any:
        """The value with the same difference made to it as lies between the two sides."""
        if isinstance(value, str):
            return value.replace(left, right) if left and left in value else right
        by = right - left + self.chance.choice((-1, 0, 0, 1))
        options = [value + by, value - by, right]
        if isinstance(value, int):
            options.append(value ^ left ^ right)
        return self.chance.choice(options)

    def _cross(self, call: Call, other: Call) -> Call:
        if len(call.args) != len(other.args) or not call.args:
            return self._change_one(call)
        place = self.chance.randrange(len(call.args))
        args = list(call.args)
        args[place] = other.args[place]
        return replace(call, args=tuple(args))

    def _echo(self, call: Call) -> Call:
        """One argument as another one of its form, a text possibly in another case."""
        first, second = self.chance.sample(range(len(call.args)), 2)
        source = call.args[first].source
        if kind_of(source) != kind_of(call.args[second].source):
            return self._change_one(call)
        if kind_of(source) == "str" and self.chance.random() < 0.7:
            text = str(ast.literal_eval(source)) + self.chance.choice(_CASED)
            first_said = call.args[first].replaced(ascii(text))
            call = _with_argument(call, first, first_said)
            fold = self.chance.choice((str.upper, str.lower, str.casefold, str.title, str.strip))
            source = ascii(fold(text))
        return _with_argument(call, second, call.args[first].replaced(source))

    def _weave(self, call: Call) -> Call:
        """A part of one argument put into another one: a text into a text, a key, a number."""
        giver, taker = self.chance.sample(range(len(call.args)), 2)
        parts, places = (_parts(call.args[each].source) for each in (giver, taker))
        fitting = [
            (node, value, [given for _, given in parts if type(given) is type(value)])
            for node, value in places
        ]
        fitting = [each for each in fitting if each[2]]
        if not fitting:
            return self._change_one(call)
        node, value, given = self.chance.choice(fitting)
        is_text = isinstance(value, str | bytes)
        woven = self._woven(value, given) if is_text else self.chance.choice(given)
        source = call.args[taker].source
        text = f"{source[: node.col_offset]}{woven!a}{source[node.end_col_offset :]}"
        return _with_argument(call, taker, call.args[taker].replaced(text))

    def _woven(self, value: Any, given: list[Any]) -> Any:
        """A text of fragments of others, which may overlap."""
        place = self.chance.randint(0, len(value))
        fragments = [value[:place]] if self.chance.random() < 0.5 else []
        for _ in range(self.chance.randint(1, 3)):
            each = self.chance.choice(given)
            fragments.append(self.chance.choice((each, each, each[1:], each[:-1], each[:1])))
        return type(value)().join(fragments)

    def _change_all(self, call: Call) -> Call:
        """Every argument anew from the pools, for conditions that meet only together."""
        args = []
        for each in call.args:
            pooled = self.pools.draw(_POOLED.get(kind_of(each.source), type(None)))
            is_kept = pooled is None or self.chance.random() < 0.25
            args.append(self.change(each) if is_kept else self._near(each, pooled))
        return replace(call, args=tuple(args))

    def _near(self, expression: Expression, pooled: ast.expr | None) -> Expression:
        if pooled is None:
            return expression
        value = ast.literal_eval(pooled)
        if type(value) is int:
            value += self.chance.choice((-1, 0, 0, 1))
        return expression.replaced(ascii(value))

    def _change_one(self, call: Call) -> Call:
        places = len(call.args) + len(call.kwargs) + (call.receiver is not None)
        if places == 0:
            return call
        place = self.chance.randrange(places)
        if place < len(call.args):
            args = list(call.args)
            args[place] = self.change(args[place])
            return replace(call, args=tuple(args))
        place -= len(call.args)
        if place < len(call.kwargs):
            kwargs = list(call.kwargs)
            kwargs[place] = (kwargs[place][0], self.change(kwargs[place][1]))
            return replace(call, kwargs=tuple(kwargs))
        if call.receiver is None:
            return call
        return replace(call, receiver=self.change(call.receiver))


def _parts(source: str) -> list[tuple[ast.expr, Any]]:
    """Numbers and texts in a plain argument, by their place; its offsets must be those of ASCII."""
    try:
        found = _literals(ast.parse(source, mode="eval")) if source.isascii() else ()
        return [each for each in found if type(each[1]) in _POOLED.values()]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _literals(tree: ast.AST) -> Iterator[tuple[ast.expr, Any]]:
    """Literals with their values; a negative number is one, not a sign and a number."""
    signed = {
        each.operand
        for each in ast.walk(tree)
        if isinstance(each, ast.UnaryOp) and isinstance(each.operand, ast.Constant)
    }
    for each in ast.walk(tree):
        if isinstance(each, ast.Constant) and each not in signed:
            yield each, each.value
        elif isinstance(each, ast.UnaryOp) and each.operand in signed:
            yield each, ast.literal_eval(each)


@lru_cache(maxsize=4096)
def kind_of(source: str) -> str:
    """The type of a plain literal, or the form of a display."""
    try:
        node = ast.parse(source, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return type(node.value).__name__ if isinstance(node, ast.Constant) else type(node).__name__


def _with_argument(call: Call, place: int, argument: Expression) -> Call:
    return replace(call, args=(*call.args[:place], argument, *call.args[place + 1 :]))
