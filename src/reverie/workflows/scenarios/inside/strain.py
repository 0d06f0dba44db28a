"""Less of the machine: a process that stops this one part of the time, and less memory."""

import ctypes
import os
import resource
import select
import signal
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.workflows.scenarios.inside.board import Board

_PERIOD_SECONDS = 0.004
_MOST_STOPS = 100_000
_ARENA_MAX = -8


class CpuQuota:
    """Lets the process run only a share of every period, as a quota of the kernel's does."""

    def __init__(self, share: float, board: "Board") -> None:
        self.share = share
        self.board = board
        self.child = 0
        self.told = self.ending = -1

    def install(self) -> None:
        """Begin: from here on the process is stopped again and again."""
        parent = os.getpid()
        self.told, telling = os.pipe()
        heeding, self.ending = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            os.close(self.ending)
            self._hold_back(parent, telling, heeding)
        os.close(telling)
        os.close(heeding)
        os.read(self.told, 1)

    def _hold_back(self, parent: int, telling: int, heeding: int) -> None:
        """In the child. It ends only when the parent runs: a stopped one could not go on."""
        stops, last, is_over = 0, 0.0, False
        try:
            os.write(telling, b".")
            while not is_over and stops < _MOST_STOPS:
                last = time.monotonic()
                os.kill(parent, signal.SIGSTOP)
                stops += 1
                time.sleep(_PERIOD_SECONDS * (1 - self.share))
                os.kill(parent, signal.SIGCONT)
                wait = _PERIOD_SECONDS * self.share
                is_over = bool(select.select([heeding], [], [], wait)[0])
            os.write(telling, f"{stops} {last}".encode())
        finally:
            os._exit(0)

    def close(self) -> None:
        """Run freely again, and count how often it was stopped until now."""
        if not self.child:
            return
        ended = time.monotonic()
        os.close(self.ending)
        os.waitpid(self.child, 0)
        self.child = 0
        stops, _, last = os.read(self.told, 100).decode().partition(" ")
        os.close(self.told)
        self.board.fire("cpu_stopped", int(stops or 0) - (float(last or 0) > ended))


class MemoryShare:
    """Allows a share of what the step needed without faults, and a headroom, on top of now."""

    def __init__(self, share: float, need: int, headroom: int, board: "Board") -> None:
        self.need = need
        self.allowed = int(need * share) + headroom
        self.board = board
        self.before = resource.getrlimit(resource.RLIMIT_DATA)

    def install(self) -> None:
        """Lower the limit; it fires when it is below the need."""
        if self.allowed >= self.need:
            return
        limit = _memory()["VmData"] + self.allowed
        hard = self.before[1]
        if hard != resource.RLIM_INFINITY and limit >= hard:
            return
        resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
        self.board.fire("memory_limited")

    def close(self) -> None:
        """As much as before."""
        resource.setrlimit(resource.RLIMIT_DATA, self.before)


def _memory() -> "dict[str, int]":
    """What the kernel says of this process, in bytes; nothing where it does not say."""
    try:
        with open("/proc/self/status") as file:
            lines = [line.partition(":") for line in file]
    except OSError:
        return {}
    names = ("VmData", "VmSize", "VmPeak", "VmRSS", "VmHWM")
    return {name: int(value.split()[0]) * 1024 for name, _, value in lines if name in names}


def _need(before: "dict[str, int]", after: "dict[str, int]") -> int:
    """By how much it grew at most: what it touched, or what it only reserved."""
    if not before or not after:
        return 0
    touched, reserved = after["VmHWM"] - before["VmRSS"], after["VmPeak"] - before["VmSize"]
    return max(0, touched, reserved)


def _share_one_arena() -> None:
    """A heap per thread would reserve more than the code under test ever asks for."""
    try:
        ctypes.CDLL(None).mallopt(_ARENA_MAX, 1)
    except (AttributeError, OSError):
        return
