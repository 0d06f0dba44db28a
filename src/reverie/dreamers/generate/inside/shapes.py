"""Loops whose holes the results themselves decide: maps, filters, orders, groups.

A bottom-up search meets a loop by chance. Here it begins with the results. Where each has as many
items as what the loop goes over, every item is an example of its own; where the items of a result
stand in what the loop goes over, it is known which ones a test has to keep; a rearranged result
says what a key has to order by. So the hole is filled by looking it up.
"""

import itertools
from collections.abc import Iterator
from typing import Any

from reverie.dreamers.generate.inside.bank import _Bank, _Term
from reverie.dreamers.generate.inside.groups import _mappings
from reverie.dreamers.generate.inside.lists import _in_order, _lists, _rearranged, _texts
from reverie.dreamers.generate.inside.loops import _Inner, _Loop, _loops, _uses
from reverie.dreamers.generate.inside.operations import _kind_of_all
from reverie.dreamers.generate.inside.singles import _singles

_MOST_LOOPS = 40
_CASES = ("if", "else", "otherwise", "when", "unless", "or", "except", "where", "while", "whose")
"""The words without which nobody asks for a case of its own."""


class _Shapes:
    """The terms that give every result, made of a loop and what the results say of its holes."""

    def __init__(
        self, bank: "_Bank", goal: "list[Any]", constants: "list[Any]", words: "list[str]"
    ) -> None:
        self.bank = bank
        self.goal = goal
        self.constants = constants
        self.words = words

    def terms(self, parameters: "list[str]", costs: "tuple[int, ...]") -> "Iterator[_Term]":
        """Expressions and bodies of several lines, with loops over what costs that much."""
        by_cases = not set(_CASES).isdisjoint(self.words)
        for cost in costs:
            loops = _loops(self.bank, parameters, self.words, cost)
            for loop in itertools.islice(loops, _MOST_LOOPS):
                if self.bank.allowance.is_spent():
                    return
                if loop.is_usable():
                    inner = _Inner(self.bank, loop, self.constants, by_cases)
                    made = self._of_loop(loop, inner)
                    yield from (each for each in made if _uses(loop, each.source))

    def _of_loop(self, loop: "_Loop", inner: "_Inner") -> "Iterator[_Term]":
        kind = _kind_of_all(self.goal)
        if kind == "L":
            yield from _lists(loop, inner, self.goal)
            yield from _in_order(loop, inner, self.goal)
            yield from _rearranged(loop, inner, self.goal)
        elif kind == "D":
            yield from _mappings(loop, inner, self.goal)
        elif kind == "s":
            yield from _texts(loop, inner, self.goal, self.constants)
        yield from _singles(loop, inner, self.goal, self.constants)
