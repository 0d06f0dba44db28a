"""What is left to judge, shared by those who do it, and what helps the next one."""

import threading
from collections.abc import Sequence

from reverie.instruments.mutation.answers import SliceAnswer
from reverie.instruments.mutation.far import Order

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
