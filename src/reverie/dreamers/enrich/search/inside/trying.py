"""Running one try: in a fork, at a fixed time, with its output; which exceptions count."""

import asyncio
import fcntl
import inspect
import io
import itertools
import linecache
import os
import pickle
import random
import re
import resource
import select
import signal
import stat
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import TracebackType
from typing import Any

from reverie_pytest.clock import clock

from .nodes import Evaluator, Line, needs_of

NOON, LATER = 1_736_942_400.0, 2_051_265_600.5
"""A noon in January 2025, and the new year of 2035."""


class Conditions:
    """Time stands still and chance repeats itself, the same for every try."""

    def __init__(self) -> None:
        self.clock: Any = clock
        self.clock.install()
        self.other = False
        """Whether a later day and other chances are in force."""
        self.clock.freeze(NOON)

    def begin(self) -> None:
        """Before a try."""
        self.clock.grant_reads()
        random.seed(int(self.other))

    def change(self, *, other: bool) -> None:
        """Another day, or back to the first."""
        self.other = other
        self.clock.freeze(LATER if other else NOON)


_HEAD = struct.Struct("!I")
_SPARE_BYTES = 400 << 20


class Teller:
    """The child's end: tells its parent things, one after the other."""

    def __init__(self, descriptor: int) -> None:
        self.descriptor = descriptor

    def tell(self, thing: Any) -> None:
        """Anything that can cross."""
        data = pickle.dumps(thing)
        view = memoryview(_HEAD.pack(len(data)) + data)
        while view:
            view = view[os.write(self.descriptor, view) :]


def in_child(work: "Callable[[Teller], None]", seconds: float) -> "tuple[list[Any], bool]":
    """What a child told, and whether it came to its end by itself."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _be_child(reading, writing, work)
    os.close(writing)
    try:
        data, is_whole = _read(reading, time.monotonic() + seconds)
    finally:
        os.close(reading)
        if not _is_over(child):
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
    return _things(data), is_whole


def _be_child(reading: int, writing: int, work: "Callable[[Teller], None]") -> None:
    code = 1
    try:
        os.close(reading)
        _limit_memory()
        work(Teller(_out_of_reach(writing)))
        code = 0
    except BaseException:  # noqa: BLE001  the code under test may leave anything behind
        code = 1
    finally:
        os._exit(code)


def _out_of_reach(writing: int) -> int:
    """Where no number leads that a try gives in the place of a file's name.

    The way to the supervisor is nobody's in a child; behind its number lies nothing there.
    """
    high = fcntl.fcntl(writing, fcntl.F_DUPFD, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2)
    os.close(writing)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in range(3, nothing):
        try:
            is_channel = stat.S_ISSOCK(os.fstat(number).st_mode)
        except OSError:
            continue  # nothing is open there
        if is_channel:
            os.dup2(nothing, number)
    os.close(nothing)
    return int(high)


def _limit_memory() -> None:
    """A child's own children have no more than it has."""
    most = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10) + _SPARE_BYTES
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    if hard == resource.RLIM_INFINITY or most < hard:
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def _read(descriptor: int, until: float) -> "tuple[bytes, bool]":
    parts: list[bytes] = []
    while True:
        left = until - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            return b"".join(parts), False
        part = os.read(descriptor, 1 << 20)
        if not part:
            return b"".join(parts), True
        parts.append(part)


def _is_over(child: int) -> bool:
    until = time.monotonic() + 0.2
    while time.monotonic() < until:
        if os.waitpid(child, os.WNOHANG)[0] == child:
            return True
        time.sleep(0.001)
    return False


def _things(data: bytes) -> "list[Any]":
    found = []
    while len(data) >= _HEAD.size:
        (length,) = _HEAD.unpack(data[: _HEAD.size])
        if len(data) < _HEAD.size + length:
            break
        found.append(pickle.loads(data[_HEAD.size : _HEAD.size + length]))  # noqa: S301  our child's
        data = data[_HEAD.size + length :]
    return found


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


_ACCIDENTS = (
    TypeError,
    AttributeError,
    NameError,
    RecursionError,
    MemoryError,
    NotImplementedError,
)


def is_junk(error: "BaseException | None", path: str) -> bool:
    """Whether an error says more about the arguments than about the code."""
    if error is None or not isinstance(error, _ACCIDENTS):
        return False
    return not is_deliberate(error.__traceback__, path)


def is_deliberate(trace: "TracebackType | None", path: str) -> bool:
    """Whether the innermost frame is of the module, at a `raise`."""
    if trace is None:
        return False
    while trace.tb_next is not None:
        trace = trace.tb_next
    if trace.tb_frame.f_code.co_filename != path:
        return False
    return linecache.getline(path, trace.tb_lineno).lstrip().startswith("raise")


_ITEMS = ("list", "texts", "nested", "pairs", "mapping", "text", "tuple")
_COMPLAINTS: "tuple[tuple[str, tuple[str, ...]], ...]" = (
    (r"'(\w+)' object is not callable", ("function",)),
    (r"'(\w+)' object is not iterable", _ITEMS),
    (r"argument of type '(\w+)' is not", _ITEMS),
    (r"object of type '(\w+)' has no len", _ITEMS),
    (r"'(\w+)' object is not subscriptable", _ITEMS),
    (r"cannot unpack non-iterable (\w+) object", ("tuple", "list", "pairs")),
    (r"'(\w+)' object is not an iterator", ("iterator",)),
    (r"'(\w+)' object does not support the context", ("file",)),
    (r"'(\w+)' object (?:does not support item|is not a mapping)", ("mapping", "list")),
    (r"bytes-like object is required, not '?(\w+)", ("blob",)),
    (r"(?:must be|expected) (?:a )?(?:str|string).*(?:not|got) '?(\w+)", ("text",)),
    (r"expected string or bytes-like object, got '(\w+)'", ("text", "blob")),
    (r"(?:cannot be interpreted as an integer|integer.*) ?,? ?(?:not|got)? ?'?(\w*)", ("int",)),
    (r"'(\w+)' object cannot be interpreted as an integer", ("int",)),
    (r"unsupported operand type.*: '(\w+)'", ("int", "number", "text", "moment", "delta", "list")),
    (r"not supported between instances of '(\w+)'", ("int", "text", "number", "moment", "date")),
    (r"can only concatenate \w+ \(not \"(\w+)\"\)", ("text", "list", "tuple")),
    (r"unhashable type: '(\w+)'", ("text", "int", "tuple")),
    (r"<lambda>\(\) (?:takes|missing)()", ("function",)),
    (r"takes \w+ (?:positional )?arguments? (?:but|\()()", ("function",)),
)  # fmt: skip
_READ = tuple((re.compile(pattern), kinds) for pattern, kinds in _COMPLAINTS)
_MISSING = re.compile(r"'(\w+)' object has no attribute '(\w+)'")


def complaint(error: BaseException) -> "tuple[str, Any, Any] | None":
    """What an error says was given, and what was wanted instead: in the form of a comparison."""
    text = str(error)
    found = _MISSING.search(text)
    if found is not None:
        return "hasattr", found[1], found[2]
    for pattern, kinds in _READ:
        found = pattern.search(text)
        if found is not None:
            return "kinds", found[1], kinds
    return None
