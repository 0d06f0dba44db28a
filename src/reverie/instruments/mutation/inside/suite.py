"""The tests of a warm process: what each costs, which kill, and in which order to try them."""

from collections.abc import Iterable
from typing import Any

from . import items
from .children import NO_TEST, RUNNING, Statement


class Suite:
    """Tests by their place in the host's list; those it does not know come after."""

    def __init__(self, request: "dict[str, Any]") -> None:
        self.names: list[str] = request["tests"]
        self.items: dict[int, Any] = {}
        self._costs: list[float] = request["costs"]
        self._slow = frozenset(request["slow"])
        self._bad = frozenset(request["bad"])
        self._collect_seconds: float = request["collect_seconds"]
        self._kills: dict[int, int] = {int(k): v for k, v in request["kills"].items()}
        self._near_kills: dict[tuple[str, int], int] = {}
        self._last_killers: dict[str, int | None] = {}

    def take(self, session: Any) -> None:
        """The tests are collected."""
        self._runner = items.ItemRunner(session)
        number = {name: index for index, name in enumerate(self.names)}
        found = [item.nodeid for item in session.items]
        known = items.known_names(found, self.names, self._bad)
        for item in session.items:
            name = known[item.nodeid]
            if name not in self._bad:
                self.items[number.setdefault(name, len(number))] = item

    @property
    def in_order(self) -> "list[int]":
        """All tests as pytest would run them; before they are collected, all that are known."""
        return sorted(self.items) if self.items else list(range(len(self.names)))

    def cost(self, test: int) -> float:
        """CPU seconds of a test; of the collection when there is none yet."""
        if test == NO_TEST:
            return self._collect_seconds
        return self._costs[test] if test < len(self._costs) else 1.0

    def ranked(self, tests: "Iterable[int]", mutant: "dict[str, Any]") -> "list[int]":
        """Likely killers first: of the same line, of the same function, then the cheap ones."""
        line, unit = _line(mutant), _unit(mutant)

        def rank(test: int) -> "tuple[int, int, float]":
            worth = (self._kills.get(test, 0) + 0.1) / (self.cost(test) + 0.001)
            nearest = self._near_kills.get((line, test), 0)
            return -nearest, -self._near_kills.get((unit, test), 0), -worth

        return sorted(tests, key=rank)

    def last_killer(self, mutant: "dict[str, Any]", otherwise: "int | None") -> "int | None":
        """The test that killed the last mutant of the same line; None if that one survived."""
        return self._last_killers.get(_line(mutant), otherwise)

    def learn(self, test: "int | None", mutant: "dict[str, Any]") -> None:
        """A test has killed a mutant; None: it survived."""
        self._last_killers[_line(mutant)] = None if test == NO_TEST else test
        if test is not None and test != NO_TEST:
            self._kills[test] = self._kills.get(test, 0) + 1
            for place in (_line(mutant), _unit(mutant)):
                self._near_kills[place, test] = self._near_kills.get((place, test), 0) + 1

    @property
    def cpu_seconds(self) -> float:
        """What all of them cost together."""
        return sum(self._costs)

    def first_failing(self, order: "list[int]", statement: Statement) -> "int | None":
        """Run tests in this process, for good; the place of the first that fails."""
        chosen = [self.items[test] for test in order]
        slow = {id(self.items[test]) for test in order if self._is_slow(test)}
        return items.run_in_order(
            self._runner,
            chosen,
            lambda item: id(item) in slow,
            lambda place: statement.write(RUNNING, order[place]),
        )

    def _is_slow(self, test: int) -> bool:
        return test in self._slow or test >= len(self.names)


def _line(mutant: "dict[str, Any]") -> str:
    return f"{mutant['path']}:{mutant['line']}"


def _unit(mutant: "dict[str, Any]") -> str:
    return f"{mutant['path']}:{mutant['scope']}"
