"""Terms, and the bank that keeps one of those that are worth the same on every example."""

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.dreamers.generate.inside.operations import _BINARY, _UNARY, _kind
    from reverie.dreamers.generate.inside.values import _key

_MOST_TEXT = 2000
_MOST_BANK = 30_000


class _Allowance:
    """How long a search may go on: CPU seconds, and never past a moment on the clock."""

    def __init__(self, cpu_seconds: float, wall_seconds: float) -> None:
        self._cpu = time.process_time() + cpu_seconds
        self._wall = time.monotonic() + wall_seconds

    def is_spent(self) -> bool:
        return time.process_time() > self._cpu or time.monotonic() > self._wall


class _Term:
    """An expression: how it is written, what it is worth on each example, what it costs."""

    __slots__ = ("cost", "is_closed", "kind", "source", "values")

    def __init__(self, source: str, values: "list[Any]", cost: int, is_closed: bool = True) -> None:
        self.source = source
        self.values = values
        self.cost = cost
        self.kind = _kind(values[0]) if values else ""
        self.is_closed = is_closed
        """Whether it may stand next to any operator without brackets."""

    def shown(self) -> str:
        return self.source if self.is_closed else f"({self.source})"


class _Bank:
    """All terms known so far, by cost, no two worth the same."""

    def __init__(
        self,
        terms: "list[_Term]",
        allowance: "_Allowance",
        most: int = _MOST_BANK,
        goal: "list[Any] | None" = None,
    ) -> None:
        self.by_cost: dict[int, list[_Term]] = {}
        self.seen: set[str] = set()
        self.goal = None if goal is None else _key(goal)
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
        if any(_kind(value) != term.kind for value in term.values):
            return False
        try:
            key = _key(term.values)
        except (TypeError, ValueError, RecursionError):
            return False
        if len(key) > _MOST_TEXT * len(term.values) or key in self.seen:
            return key == self.goal
        self.seen.add(key)
        self.by_cost.setdefault(term.cost, []).append(term)
        return True

    def of(self, kind: str, cost: int) -> "list[_Term]":
        """The terms of a kind and a cost."""
        return [each for each in self.by_cost.get(cost, ()) if kind in ("*", each.kind)]

    def every(self) -> "Iterator[_Term]":
        """All of them, the cheapest first."""
        for cost in sorted(self.by_cost):
            yield from self.by_cost[cost]

    def grow_by_one(self, cost: int) -> "Iterator[_Term]":
        """Terms of a cost, made from one that is cheaper; each is yielded when it is new."""
        for kinds, form, function in _UNARY:
            for term in self.of(kinds, cost - 1):
                yield from self._made(form, function, (term,), cost)

    def made_of(self, term: "_Term") -> "Iterator[_Term]":
        """What one more operation makes of a term."""
        for kinds, form, function in _UNARY:
            if kinds == term.kind:
                yield from self._made(form, function, (term,), term.cost + 1)

    def grow_by_two(self, cost: int) -> "Iterator[_Term]":
        """Terms of a cost, made from two that are cheaper together."""
        for kinds, form, function in _BINARY:
            for left in range(cost):
                for one in self.of(kinds[0], left):
                    if self.allowance.is_spent():
                        return
                    for two in self.of(kinds[1], cost - 1 - left):
                        yield from self._made(form, function, (one, two), cost)

    def _made(
        self, form: str, function: "Callable[..., Any]", terms: "tuple[_Term, ...]", cost: int
    ) -> "Iterator[_Term]":
        try:
            values = [
                function(*each) for each in zip(*(term.values for term in terms), strict=True)
            ]
        except Exception:  # noqa: BLE001  not for these values
            return
        is_closed = (
            form.endswith((")", "]")) and not form.startswith("-") and " " not in form.split("(")[0]
        )
        made = _Term(form.format(*(term.shown() for term in terms)), values, cost, is_closed)
        if self.add(made):
            yield made
