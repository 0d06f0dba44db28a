"""Where the sides live: each in a process of its own, or both in the one of the watch."""

import json
import os
import resource
import struct
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reverie.instruments.benchmark.inside.side import _Side

_COMMAND = struct.Struct("<32sqqq")
_LENGTH = struct.Struct("<I")
_MOST_REPLY_BYTES = 8 << 20
_FIRST_DESCRIPTOR, _PAST_DESCRIPTORS = 3, 1024
_REST_SECONDS = 5e-5
"""The count of a process is exact once it waits again, which it does a moment after its reply."""


_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
"""Libraries that start threads when they are imported, unless they are told not to."""


class _Failed(Exception):
    """A side could not do what it was told."""


class _Shared:
    """A side in this very process."""

    def __init__(self, order: "dict[str, Any]", name: str) -> None:
        self.name = name
        self.side = _Side(order[name], order["inputs"])
        # Under a limit of CPU time the kernel counts a process by ticks, but a thread exactly.
        self.cpu_ns: Callable[[], int] = time.thread_time_ns
        self.rest_seconds, self.has_own_clock = 0.0, False

    def tell(self, command: str, *numbers: int) -> "dict[str, Any]":
        """Have it done, and wait for the reply."""
        try:
            reply: dict[str, Any] = getattr(self.side, command)(*numbers)
        except Exception as error:
            raise _Failed(f"{self.name}\0{command}\0{_told(error)}") from error
        return reply

    def end(self) -> "int | None":
        """Nothing to end; the peak of memory would be that of both."""
        return None


class _Forked:
    """A side in a process of its own, which cannot reach the answer that this one will give."""

    def __init__(self, order: "dict[str, Any]", name: str) -> None:
        self.name = name
        down, up = os.pipe(), os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            _pin(order["round"] if order["pin"] else None)
            _stay_alone()
            _be_side(_Side(order[name], order["inputs"]), down[0], up[1])
        os.close(down[0])
        os.close(up[1])
        self.down, self.up = down[1], up[0]
        clock = (~self.pid << 3) | 2  # the kernel's name for that process's CPU clock
        self.cpu_ns: Callable[[], int] = lambda: time.clock_gettime_ns(clock)
        self.rest_seconds, self.has_own_clock = _REST_SECONDS, True

    def tell(self, command: str, *numbers: int) -> "dict[str, Any]":
        """Have it done, and wait for the reply."""
        os.write(self.down, _COMMAND.pack(command.encode(), *(*numbers, 0, 0, 0)[:3]))
        size = _LENGTH.unpack(self._read(_LENGTH.size, command))[0]
        if not size:
            return {}
        if size > _MOST_REPLY_BYTES:
            raise _Failed(f"{self.name}\0{command}\0its reply is too large")
        reply: dict[str, Any] = json.loads(self._read(size, command))
        if "failed" in reply:
            raise _Failed(f"{self.name}\0{command}\0{reply['failed']}")
        return reply

    def _read(self, size: int, command: str) -> bytes:
        data = b""
        while len(data) < size:
            part = os.read(self.up, size - len(data))
            if not part:
                raise _Failed(f"{self.name}\0{command}\0the process ended")
            data += part
        return data

    def end(self) -> "int | None":
        """End it; the peak of its memory, as the kernel counted it."""
        os.close(self.down)
        usage = os.wait4(self.pid, 0)[2]
        return usage.ru_maxrss << 10


def _pin(turn: "int | None") -> None:
    """Keep both sides on one core, where neighbours slow them alike; another one every round."""
    if turn is not None:
        cores = sorted(os.sched_getaffinity(0))
        os.sched_setaffinity(0, {cores[turn % len(cores)]})


def _stay_alone() -> None:
    """No process and no thread can be started from here on, not even by what is imported.

    The clock is that of one process: another one could do the work, or give the answers.
    """
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))


def _be_side(side: "_Side", down: int, up: int) -> None:
    """Serve until the watch hangs up. Never returns."""
    try:
        low, high = sorted((down, up))
        os.closerange(_FIRST_DESCRIPTOR, low)
        os.closerange(low + 1, high)
        os.closerange(high + 1, _PAST_DESCRIPTORS)
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        while len(data := os.read(down, _COMMAND.size)) == _COMMAND.size:
            name, *numbers = _COMMAND.unpack(data)
            os.write(up, _reply_to(side, name.rstrip(b"\0").decode(), numbers))
    finally:
        os._exit(0)


def _reply_to(side: "_Side", command: str, numbers: "list[int]") -> bytes:
    action = getattr(side, command)
    try:
        reply = action(*numbers[: action.__code__.co_argcount - 1])
    except Exception as error:  # noqa: BLE001  it is the code under test that raises
        reply = {"failed": _told(error)}
    body = json.dumps(reply).encode() if reply else b""
    return _LENGTH.pack(len(body)) + body


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:500].encode("utf-8", "replace").decode()
