"""Running one try: time, output and what is left open are taken care of."""

import asyncio
import inspect
import io
import itertools
import signal
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from .conditions import Conditions
from .nodes import Evaluator, Line, needs_of

CPU_SECONDS = 0.06
WALL_SECONDS = 1.5
_AGAIN_SECONDS = 0.05
_MOST_ITEMS = 60
_CPU, _WALL = int(signal.ITIMER_PROF), int(signal.ITIMER_REAL)
_MOST_SHOWN = 500
FEW_ITEMS = 5


class OutOfTime(BaseException):
    """The try takes too long; raised again and again until the code lets it pass."""


class Outcome:
    """How a try went. `error` is the exception that ended it, at the line `ended_at`."""

    __slots__ = ("ended_at", "error", "handling", "is_late", "values")

    def __init__(self) -> None:
        self.values: list[Any] = []
        self.handling: list[str] = []
        """How each result was brought to an end: `""`, `listed`, `sliced`, `awaited`, `gathered`,
        `each listed`"""
        self.error: BaseException | None = None
        self.ended_at = -1
        self.is_late = False


class Runner:
    """Runs tries in this process."""

    def __init__(self, evaluator: Evaluator, conditions: Conditions) -> None:
        self.evaluator = evaluator
        self.conditions = conditions
        listen()

    def run(self, lines: "list[Line]", patience: float = 1.0) -> Outcome:
        """One try, to its end or to its first exception."""
        outcome = Outcome()
        used = needs_of(lines)
        self.conditions.begin()
        try:
            with guarded(patience) as said:
                self._run_lines(lines, used, outcome, said)
        except OutOfTime:
            outcome.is_late = True
        except BaseException as error:  # noqa: BLE001  whatever the code raises is what it did
            outcome.error = error
        return outcome

    def is_steady(self, lines: "list[Line]", outcome: Outcome) -> bool:
        """Whether a try comes to the same on another day and with other chances."""
        self.conditions.change(other=True)
        try:
            again = self.run(lines)
        finally:
            self.conditions.change(other=False)
        return not again.is_late and _shown(again) == _shown(outcome)

    def _run_lines(
        self, lines: "list[Line]", used: "set[int]", outcome: Outcome, said: io.StringIO
    ) -> None:
        results: dict[int, Any] = {}
        with ExitStack() as entered:
            for place, line in enumerate(lines):
                outcome.ended_at = place
                handling = ""
                if line.form == "change":
                    self.evaluator.perform(line.node, results)
                    value = None
                else:
                    value = self.evaluator.value(line.node, results)
                    if line.form == "enter":
                        value = entered.enter_context(value)
                    else:
                        value, handling = finished(value, is_used=line.number in used)
                results[line.number] = value
                outcome.values.append(value)
                outcome.handling.append(handling)


def _shown(outcome: Outcome) -> "list[str]":
    """What can be seen of an outcome from outside."""
    found = [str(type(outcome.error)), str(len(outcome.values))]
    try:
        with guarded():
            found += [_text(each) for each in outcome.values]
    except OutOfTime:
        return []
    return found


def _text(value: Any) -> str:
    try:
        text = repr(value)[:_MOST_SHOWN]
    except Exception:  # noqa: BLE001  of the code under test
        return ""
    return str(type(value)) if " at 0x" in text else text


def listen() -> None:
    """Have timers end what takes too long; once in a process is enough."""
    signal.signal(signal.SIGPROF, _out_of_time)
    signal.signal(signal.SIGALRM, _out_of_time)


@contextmanager
def guarded(patience: float = 1.0) -> Iterator[io.StringIO]:
    """Limits of time, and streams that lead nowhere; gives what is printed."""
    streams = sys.stdout, sys.stderr, sys.stdin
    said = io.StringIO()
    sys.stdout, sys.stderr, sys.stdin = said, io.StringIO(), io.StringIO()
    try:
        signal.setitimer(_CPU, CPU_SECONDS * patience, _AGAIN_SECONDS)
        signal.setitimer(_WALL, WALL_SECONDS * patience, _AGAIN_SECONDS)
        yield said
    finally:
        _stop_timers()
        sys.stdout, sys.stderr, sys.stdin = streams


def finished(value: Any, *, is_used: bool) -> "tuple[Any, str]":
    """The result of what was awaited or iterated to its end."""
    if inspect.iscoroutine(value):
        return driven(value), "awaited"
    if is_used:
        return value, ""
    if inspect.isasyncgen(value):
        return driven(_gathered(value)), "gathered"
    if _is_iterator(value):
        items = list(itertools.islice(value, _MOST_ITEMS))
        if len(items) < _MOST_ITEMS:
            return items, "listed"
        return items[:FEW_ITEMS], "sliced"
    if type(value) in (tuple, list) and value and all(map(_is_iterator, value)):
        several = [list(itertools.islice(each, _MOST_ITEMS)) for each in value]
        if all(len(each) < _MOST_ITEMS for each in several):
            return several, "each listed"
    return value, ""


def _is_iterator(value: Any) -> bool:
    return hasattr(type(value), "__next__") and hasattr(type(value), "__iter__")


def driven(coroutine: Any) -> Any:
    """What a coroutine comes to."""
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


async def _gathered(items: Any) -> "list[Any]":
    return [each async for each in items]


def _stop_timers() -> None:
    """Also when a timer goes off in the middle of it."""
    while True:
        try:
            signal.setitimer(_CPU, 0)
            signal.setitimer(_WALL, 0)
            return
        except OutOfTime:
            continue


def _out_of_time(*_: Any) -> None:
    raise OutOfTime
