"""Orders of a campaign: which tests reach which mutant, and what is left to judge.

Reach is read from the coverage map. The queue is shared by those who judge, with what helps the
next one.
"""

import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from reverie.instruments.mutation.sandbox_side import Order, SliceAnswer
from reverie.model.measurements.suite import CoverageMap, Mutant

T = TypeVar("T")


def orders_for(mutants: Iterable[Mutant], coverage: CoverageMap) -> list[Order]:
    """An order for each mutant; one that nothing reaches has no tests and no import."""
    reach = _Reach(coverage)
    return [Order(each, reach.is_imported(each), reach.tests_of(each)) for each in mutants]


class _Reach:
    """Who runs a line of a function: asked for each of some thousand mutants, so looked up."""

    def __init__(self, coverage: CoverageMap) -> None:
        self._runs: dict[str, dict[str, dict[int, list[int]]]] = {}
        self._imports = coverage.imports
        self._untraced: set[int] = set()
        self._known: dict[tuple[str, str | None, int, int], tuple[int, ...]] = {}
        for place, test in enumerate(coverage.usable):
            if not test.is_traced:
                self._untraced.add(place)
                continue
            for file, functions in test.lines.items():
                for name, lines in functions.items():
                    runs = self._runs.setdefault(file, {}).setdefault(name, {})
                    for line in lines:
                        runs.setdefault(line, []).append(place)

    def tests_of(self, mutant: Mutant) -> tuple[int, ...]:
        """The tests that run any line of its statement, by their places."""
        key = mutant.file, mutant.unit, mutant.first_line, mutant.last_line
        if key not in self._known:
            found = set(self._untraced)
            for runs in _of_unit(mutant, self._runs.get(mutant.file, {})):
                for line in range(mutant.first_line, mutant.last_line + 1):
                    found.update(runs.get(line, ()))
            self._known[key] = tuple(sorted(found))
        return self._known[key]

    def is_imported(self, mutant: Mutant) -> bool:
        """Whether any line of its statement runs when its file is imported."""
        lines = range(mutant.first_line, mutant.last_line + 1)
        found = _of_unit(mutant, self._imports.get(mutant.file, {}))
        return any(line in each for each in found for line in lines)


def _of_unit(mutant: Mutant, functions: Mapping[str, T]) -> Iterator[T]:
    """What is known of the mutant's own function, where it has one; else of all.

    A function that fits on one line shares it with its own definition.
    """
    for name, known in functions.items():
        if mutant.unit is None or _is_inside(name, mutant.unit):
            yield known


def _is_inside(name: str, unit: str) -> bool:
    return name == unit or name.startswith(f"{unit}.<locals>.")


_LEAST_SLICE, _MOST_LEAST = 8, 48
_START_SHARE = 0.25
"""What starting a process may cost, of what it then does."""
_LEAST_SECONDS, _MOST_SECONDS = 12.0, 60.0


class OrderQueue:
    """Orders by file, those of one import together. Thread-safe."""

    def __init__(self, orders: Sequence[Order], workers: int, start_seconds: float = 0.0) -> None:
        self._waiting: list[list[Order]] = [
            sorted(orders, key=lambda order: (not order.at_import, order.mutant.file))
        ]
        self._workers = workers
        self._lock = threading.Lock()
        self._idle = threading.Condition(self._lock)
        self._busy = 0
        self.left = len(orders)
        self.kills: dict[int, int] = {}
        self.alone: set[int] = set()
        self._slices = 0
        self._start_seconds = start_seconds
        self._pace = 0.0
        """CPU seconds of a mutant, as far as is known."""

    def take(self) -> list[Order]:
        """Some orders; empty when nothing is left and nobody can give anything back."""
        with self._lock:
            while not self._waiting and self._busy:
                self._idle.wait()
            if not self._waiting:
                return []
            some = self._waiting.pop()
            is_first = self._slices < self._workers
            much = self.left if is_first else len(some) + sum(map(len, self._waiting))
            share = max(self._worth_a_start(), -(-much // self._workers))
            if len(some) > share:
                self._waiting.append(some[share:])
                some = some[:share]
            self._busy += 1
            self._slices += 1
            return some

    def _worth_a_start(self) -> int:
        """How many mutants make the start of a process worth its cost."""
        if not self._pace:
            return _LEAST_SLICE
        enough = round(self._start_seconds / _START_SHARE / self._pace)
        return max(_LEAST_SLICE, min(enough, _MOST_LEAST))

    def seconds(self, collect_seconds: float) -> float:
        """CPU time that a slice may take: enough that starting it does not matter."""
        grown = _LEAST_SECONDS * 2 ** min(self._slices / self._workers, 4)
        return min(_MOST_SECONDS, max(grown, 6 * collect_seconds))

    def finish(self, done: Sequence[Order]) -> None:
        """These have their verdicts. A slice ends with `put_back` or with its last order."""
        with self._lock:
            self.left -= len(done)

    def put_back(self, some: Sequence[Order], *, in_halves: bool = False) -> None:
        """These have none yet."""
        with self._lock:
            if in_halves and len(some) > 1:
                middle = len(some) // 2
                self._waiting += [list(some[:middle]), list(some[middle:])]
            elif some:
                self._waiting.append(list(some))

    def release(self) -> None:
        """The taker is done with what it took."""
        with self._lock:
            self._busy -= 1
            self._idle.notify_all()

    def learn(self, answer: SliceAnswer) -> None:
        """Tests that killed come first from now on; and what a mutant costs."""
        with self._lock:
            spent = answer.cpu_seconds - self._start_seconds
            if answer.results and spent > 0:
                self._pace = spent / len(answer.results)
            self.alone.update(answer.alone)
            for result in answer.results:
                if result.verdict == "killed" and result.test >= 0:
                    self.kills[result.test] = self.kills.get(result.test, 0) + 1
