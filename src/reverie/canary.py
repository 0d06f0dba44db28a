"""A new version beside the old one, in a running program: watched, and switched off when worse.

    from reverie.canary import canary

    @canary(new_total, share=0.05)
    def total(items): ...

    total.canary.status()   # calls, differences, errors, latency

Callers always get an answer that the old version would give: by default the new one only runs
beside it. With `live=True` it answers its share of the calls; when it raises, the old one is
asked instead. The first error or difference, or a median that is `slower` times the old one's,
ends the trial for good. This module imports nothing of the rest of Reverie.
"""

import functools
import threading
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

_KEPT = 1000


@dataclass(frozen=True, slots=True)
class Status:
    """What was seen so far."""

    is_on: bool
    calls: int
    compared: int
    differences: int
    errors: int
    old_seconds: float | None
    """The median time of the old version; None before the first comparison."""
    new_seconds: float | None
    reason: str | None
    """Why the trial ended."""


class Canary:
    """One trial: decides which calls are shared, compares, and ends itself."""

    def __init__(
        self,
        old: Callable[..., Any],
        new: Callable[..., Any],
        share: float,
        least_calls: int,
        slower: float,
        live: bool,
        on_end: Callable[[Status], None] | None,
    ) -> None:
        if not 0 < share <= 1:
            raise ValueError(f"share must be above 0 and at most 1, not {share!r}")
        if slower <= 1:
            raise ValueError(f"slower must be above 1, not {slower!r}")
        self.old, self.new = old, new
        self.share, self.least_calls, self.slower, self.live = share, least_calls, slower, live
        self.on_end = on_end
        self.reason: str | None = None
        self._lock = threading.Lock()
        self._calls = self._compared = self._differences = self._errors = 0
        self._times: list[tuple[float, float]] = []

    def call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """One call of the program."""
        if not self._is_shared():
            return self.old(*args, **kwargs)
        try:
            given = deepcopy((args, kwargs))
        except Exception:  # noqa: BLE001  what cannot be copied cannot be tried twice
            return self.old(*args, **kwargs)
        began = time.perf_counter()
        result = self.old(*args, **kwargs)
        between = time.perf_counter()
        try:
            other = self.new(*given[0], **given[1])
        except Exception as error:  # noqa: BLE001  whatever the new version raises ends its trial
            self._note(None, f"the new version raised {type(error).__name__}")
            return result
        times = between - began, time.perf_counter() - between
        if not _is_same(result, other):
            self._note(times, "the versions gave different results")
            return result
        self._note(times, None)
        return other if self.live else result

    def stop(self, reason: str = "stopped by hand") -> None:
        """Go on with the old version alone."""
        with self._lock:
            self.reason = self.reason or reason

    def status(self) -> Status:
        """What was seen so far."""
        with self._lock:
            return self._status()

    def _is_shared(self) -> bool:
        """Every so many calls, evenly; nothing is left to chance."""
        with self._lock:
            before = int(self._calls * self.share)
            self._calls += 1
            return self.reason is None and int(self._calls * self.share) > before

    def _note(self, times: tuple[float, float] | None, reason: str | None) -> None:
        with self._lock:
            self._compared += 1
            self._errors += times is None
            self._differences += times is not None and reason is not None
            if times is not None:
                self._times.append(times)
                del self._times[:-_KEPT]
            if self.reason is not None:
                return
            self.reason = reason or self._slowness()
            status = self._status() if self.reason is not None else None
        if status is not None and self.on_end is not None:
            self.on_end(status)

    def _slowness(self) -> str | None:
        if len(self._times) < self.least_calls:
            return None
        old, new = (_median([each[side] for each in self._times]) for side in (0, 1))
        return (
            f"the new version takes {new / old:.2f} times as long"
            if new > old * self.slower
            else None
        )

    def _status(self) -> Status:
        old, new = ((_median([each[side] for each in self._times]) if self._times else None)
                    for side in (0, 1))  # fmt: skip
        return Status(self.reason is None, self._calls, self._compared, self._differences,
                      self._errors, old, new, self.reason)  # fmt: skip


def canary(
    new: Callable[..., Any],
    *,
    share: float = 0.05,
    least_calls: int = 100,
    slower: float = 1.5,
    live: bool = False,
    on_end: Callable[[Status], None] | None = None,
) -> Callable[[Callable[..., Any]], Any]:
    """Decorate the old version with the trial of a new one; `.canary` tells how it goes."""

    def decorate(old: Callable[..., Any]) -> Any:
        trial = Canary(old, new, share, least_calls, slower, live, on_end)

        @functools.wraps(old)
        def called(*args: Any, **kwargs: Any) -> Any:
            return trial.call(args, kwargs)

        called.canary = trial  # type: ignore[attr-defined]
        return called

    return decorate


def _is_same(one: Any, other: Any) -> bool:
    try:
        return type(one) is type(other) and bool(one == other or (one != one and other != other))
    except Exception:  # noqa: BLE001  what cannot be compared is not known to be the same
        return False


def _median(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]
