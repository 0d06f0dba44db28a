"""Terms of a search, kept by what they are worth on all examples at once.

Of those that never differ there, the cheapest stays (observational equivalence). The text that
Python writes for the values tells them apart: it is quicker than any other key, and 1, 1.0 and
True are three.
"""

import itertools
import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from reverie.dreamers.generate.inside.operations import _is_closed, _kind, _kind_of_all

_MOST_TEXT = 2000
_MOST_KEY = 40_000
_ASKED_BETWEEN = 32
_MOST_BANK = 30_000


class _Allowance:
    """How long a search may go on: CPU seconds, and never past a moment on the clock."""

    def __init__(self, cpu_seconds: float, wall_seconds: float) -> None:
        self._cpu = time.process_time() + cpu_seconds
        self._wall = time.monotonic() + wall_seconds
        self._asked = 0
        self._is_over = False

    def part(self, share: float) -> "_Allowance":
        """A share of what is left."""
        cpu = (self._cpu - time.process_time()) * share
        return _Allowance(cpu, (self._wall - time.monotonic()) * share)

    def is_spent(self) -> bool:
        """Whether it is over; looked up only now and then, as the clock costs more than a term."""
        self._asked += 1
        if not self._is_over and self._asked % _ASKED_BETWEEN == 1:
            self._is_over = time.process_time() > self._cpu or time.monotonic() > self._wall
        return self._is_over


class _Term:
    """An expression: how it is written, what it is worth on each example, what it costs."""

    __slots__ = ("cost", "is_closed", "is_constant", "kind", "source", "values")

    def __init__(self, source: str, values: "list[Any]", cost: int, is_closed: bool = True) -> None:
        self.source = source
        self.values = values
        self.cost = cost
        self.kind = _kind_of_all(values)
        self.is_closed = is_closed
        """Whether it may stand next to any operator without brackets."""
        self.is_constant = False
        """Whether it is a value that stands in the source."""

    def shown(self) -> str:
        return self.source if self.is_closed else f"({self.source})"


def _constant(value: Any, count: int) -> "_Term":
    """A value that stands in the source."""
    made = _Term(repr(value), [value] * count, 1)
    made.is_constant = True
    return made


def _condition(test: "_Term") -> str:
    """A test as it may stand behind an `if`."""
    return f"({test.source})" if " else " in test.source else test.source


class _Bank:
    """All terms known so far, by cost, no two worth the same."""

    def __init__(
        self,
        terms: "list[_Term]",
        operations: "list[list[Any]]",
        allowance: "_Allowance",
        most: int = _MOST_BANK,
        goal: "list[Any] | None" = None,
    ) -> None:
        self.operations = operations
        self.by_cost: dict[int, list[_Term]] = {}
        self.seen: dict[int, _Term] = {}
        """By the hash of what a term is worth: the text itself would fill the memory."""
        self.goal = None if goal is None else hash(repr(goal))
        """What is looked for: terms worth that are not kept twice, but told again."""
        self.allowance = allowance
        self.most = most
        for term in terms:
            self.add(term)

    def add(self, term: "_Term") -> bool:
        """Keep a term unless one that is worth the same is there, or it is too large.

        True when it was kept, or is another way to write what is looked for.
        """
        if not term.kind or len(self.seen) >= self.most:
            return False
        try:
            text = repr(term.values)
        except (TypeError, ValueError, RecursionError):
            return False
        key = hash(text)
        is_long = len(text) > min(_MOST_KEY, _MOST_TEXT * len(term.values))
        if is_long or key in self.seen:
            return key == self.goal
        if term.kind == "x" and term.cost and key != self.goal:
            return False
        self.seen[key] = term
        self.by_cost.setdefault(term.cost, []).append(term)
        return True

    def of(self, kind: str, cost: int) -> "list[_Term]":
        """The terms of a kind and a cost."""
        return [each for each in self.by_cost.get(cost, ()) if kind in ("*", each.kind)]

    def worth(self, values: "list[Any]") -> "_Term | None":
        """The term that is worth that, if there is one."""
        return self.seen.get(hash(repr(values)))

    def every(self) -> "Iterator[_Term]":
        """All of them, the cheapest first."""
        for cost in sorted(self.by_cost):
            yield from self.by_cost[cost]

    def grow_by_one(self, cost: int) -> "Iterator[_Term]":
        """Terms of a cost, made from one that is cheaper; each is yielded when it is new."""
        for kinds, form, function in self.operations[0]:
            for term in self.of(kinds, cost - 1):
                yield from self._made(form, function, (term,), cost)

    def made_of(self, term: "_Term") -> "Iterator[_Term]":
        """What one more operation makes of a term."""
        for kinds, form, function in self.operations[0]:
            if kinds == term.kind:
                yield from self._made(form, function, (term,), term.cost + 1)

    def grow_by_two(self, cost: int) -> "Iterator[_Term]":
        """Terms of a cost, made from two that are cheaper together."""
        for kinds, form, function in self.operations[1]:
            for left in range(cost):
                for one in self.of(kinds[0], left):
                    if self.allowance.is_spent():
                        return
                    for two in self.of(kinds[1], cost - 1 - left):
                        yield from self._made(form, function, (one, two), cost)

    def grow_by_three(self, cost: int) -> "Iterator[_Term]":
        """Terms of a cost, made from three that are parameters or constants."""
        for kinds, form, function in self.operations[2]:
            for left, middle in itertools.product(range(2), repeat=2):
                right = cost - 1 - left - middle
                if right not in (0, 1) or self.allowance.is_spent():
                    continue
                places = zip(kinds, (left, middle, right), strict=True)
                for terms in itertools.product(*(self.of(*place) for place in places)):
                    yield from self._made(form, function, terms, cost)

    def _made(
        self, form: str, function: "Callable[..., Any]", terms: "tuple[_Term, ...]", cost: int
    ) -> "Iterator[_Term]":
        try:
            values = [
                function(*each) for each in zip(*(term.values for term in terms), strict=True)
            ]
        except Exception:  # noqa: BLE001  not for these values
            return
        text = form.format(*(term.shown() for term in terms))
        made = _Term(text, values, cost, _is_closed(form))
        if self.add(made):
            yield made


def _item_name(source: str, items: "list[Any]", taken: "list[str]") -> str:
    kind = _kind(items[0])
    wanted = {"L": "row", "i": "number", "f": "number", "s": "word"}.get(kind, "item")
    if all(isinstance(each, str) and len(each) == 1 for each in items):
        wanted = "char"
    known = {*taken, *re.findall(r"\w+", source)}
    while wanted in known:
        wanted += "_"
    return wanted
