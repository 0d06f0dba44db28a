"""Work in a fork of this process, which it cannot harm; answers come back through a pipe."""

import os
import pickle
import resource
import select
import signal
import struct
import time
from collections.abc import Callable
from typing import Any

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
        work(Teller(writing))
        code = 0
    except BaseException:  # noqa: BLE001  the code under test may leave anything behind
        code = 1
    finally:
        os._exit(code)


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
