"""What an execution leaves behind that is no file: numbers, times and counters.

The next process gets the next number, so does the next file; a folder remembers when it was
changed, a network what went over it. None of that can be wiped by who has no power, so the
launcher, which has some, gives out fresh things: scratch space when it was touched, a process
number by chance when numbers were used up. A network that was used goes with its slot.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any

from . import landlock, layers

_LAST_NUMBER = "/proc/sys/kernel/ns_last_pid"
_LOWEST_NUMBER, _HIGHEST_NUMBER = 8_000, 30_000
"""Above all numbers that a slot begins with: what existed before its executions is out of reach
for everybody (`peers`), and an execution has to be within the reach of its keeper."""
_NETWORK_COUNTERS = ("/proc/self/net/snmp", "/proc/self/net/snmp6")
_COUNTERS_BYTES = 1 << 14
_DEVICES = ("/dev/null", "/dev/full")


class Used(Exception):
    """Something was used that only a new slot has unused."""


class Numbers:
    """In the launcher: sets where process numbers of the slot go on."""

    def __init__(self) -> None:
        try:
            self._descriptor = os.open(_LAST_NUMBER, os.O_WRONLY | os.O_CLOEXEC)
        except OSError:
            self._descriptor = -1  # read-only, as in a container: numbers then rise by one

    @property
    def can_be_set(self) -> bool:
        """Whether this kernel lets us."""
        return self._descriptor >= 0

    def shuffle(self) -> None:
        """Go on from a number by chance; only a process of the slot itself may say so."""
        number = random.SystemRandom().randrange(_LOWEST_NUMBER, _HIGHEST_NUMBER)
        pid = os.fork()
        if pid == 0:
            status = 1
            try:
                # At the start: the kernel ignores what is written anywhere else, without a word.
                os.pwrite(self._descriptor, b"%d" % number, 0)
                status = 0
            finally:
                os._exit(status)
        if os.waitpid(pid, 0)[1] != 0:
            raise OSError("process numbers could not be set")


class Traces:
    """In the zygote of a slot with namespaces: removes them between two executions."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._channel: int = config["layer_channel"]
        self._folders: list[str] = config["scratch"]
        self._sets_numbers: bool = config["sets_numbers"]
        self._writable = [*_DEVICES, "/proc"]
        # A view is mounted anew for every execution; its parent folder stays the same one.
        self._writable += [os.path.dirname(pair["copy"]) for pair in config["copies"]]
        self._next_number = 0
        self._ruleset = -1
        self._enforce: Callable[[], int] | None = None
        os.chdir("/")  # or we would hold on to the first scratch folder
        paths = () if config["network"] or not config["has_proc"] else _NETWORK_COUNTERS
        self._network = [os.open(path, os.O_RDONLY | os.O_CLOEXEC) for path in _present(paths)]
        self._unused = self._count()
        self._look_at_scratch()

    def remove(self) -> None:
        """Nobody is alive: make everything as if nobody had been."""
        if self._count() != self._unused:
            raise Used("the slot's network was used")
        if [_times(folder) for folder in self._folders] != self._times:
            layers.ask_for_scratch(self._channel)
            self._look_at_scratch()

    def fork(self) -> int:
        """Fork an execution whose number says nothing about those before it."""
        if self._sets_numbers and not self._next_number:
            layers.ask_for_number(self._channel)
        pid = os.fork()
        if pid == 0 and self._next_number not in (0, os.getpid()):
            os._exit(0)
        if pid and self._next_number not in (0, pid):
            os.waitpid(pid, 0)
            self._next_number = 0
            return self.fork()
        if pid == 0 and self._enforce is not None:
            self._enforce()
        self._next_number = pid + 1 if self._sets_numbers else 0
        return pid

    def _count(self) -> list[bytes]:
        return [os.pread(descriptor, _COUNTERS_BYTES, 0) for descriptor in self._network]

    def _look_at_scratch(self) -> None:
        self._times = [_times(folder) for folder in self._folders]
        if landlock.abi() < 1:
            return  # the mount namespace alone decides what can be written
        if self._ruleset >= 0:
            os.close(self._ruleset)
        writable = [*self._folders, *self._writable]
        self._ruleset = landlock.make_ruleset(["/"], writable, forbid_tcp=False)
        self._enforce = landlock.enforcement(self._ruleset)


def _present(paths: tuple[str, ...]) -> list[str]:
    return [path for path in paths if os.path.exists(path)]


def _times(folder: str) -> tuple[int, int, int]:
    """Of the last change and the last look; the first nobody can set."""
    status = os.stat(folder)
    return status.st_ctime_ns, status.st_mtime_ns, status.st_atime_ns
