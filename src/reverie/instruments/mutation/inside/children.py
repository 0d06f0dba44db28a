"""A forked process that makes one statement, watched until it ends or has spent too much.

What it says it writes into memory shared with its parent: which test it is at, what it had
spent when that began, and in the end its statement. The parent only looks when a limit could
have been reached, so a test costs no exchange.
"""

import functools
import mmap
import os
import resource
import select
import shutil
import signal
import struct
import threading
import time
from collections.abc import Callable

_STATE = struct.Struct("<cid")
_CPU_CLOCK = 2
_LEAST_CPU_SECONDS = 0.3
_TIMES_AS_LONG = 20.0
_LEAST_WALL_SECONDS = 8.0
_WALL_PER_CPU = 6.0
_HEADROOM_BYTES = 384 << 20

RUNNING = b"r"
SURVIVED, KILLED, SAME, UNFIT, INVALID = b"s", b"k", b"e", b"u", b"i"
DOUBTFUL = b"c"
"""Killed by a test that ran after others: to be seen again without them."""
TIMEOUT, DIED = b"t", b"d"
NO_TEST = -1
"""The killer of a mutant with which the tests cannot even be collected."""


class Statement:
    """The shared memory of a parent and its child."""

    def __init__(self) -> None:
        self._memory = mmap.mmap(-1, mmap.PAGESIZE)

    def write(self, word: bytes, test: int = NO_TEST) -> None:
        """Say something; the last word stands."""
        _STATE.pack_into(self._memory, 0, word, test, time.process_time())

    def read(self) -> "tuple[bytes, int, float]":
        """The last word, its test, and the CPU seconds its writer had spent then."""
        word, test, spent = _STATE.unpack_from(self._memory, 0)
        return word, test, spent


def run_child(
    statement: Statement, act: "Callable[[], None]", cost: "Callable[[int], float]"
) -> "tuple[bytes, int]":
    """Fork, act, and tell how it ended: its last word and the test it was about."""
    statement.write(RUNNING)
    child = fork_child()
    if child == 0:
        act_and_end(act)
    return watch(child, statement, cost)


def act_and_end(act: "Callable[[], None]") -> None:
    """Do what a child is there for; it never comes back."""
    try:
        act()
    finally:
        os._exit(0)


def fork_child() -> int:
    """Fork; the child has a process group, silence and a memory limit of its own."""
    null, limit, fork = _nowhere(), _memory_limit(), _plain_fork()
    child: int = os.fork() if fork is None or threading.active_count() > 1 else fork()
    if child < 0:
        raise OSError("no process can be started")
    if child == 0:
        os.setpgid(0, 0)
        os.dup2(null, 1)
        os.dup2(null, 2)
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_DATA, limit)
    return child


@functools.cache
def _plain_fork() -> "Callable[[], int] | None":
    """The C library's own: what Python does after a fork is for processes with threads.

    It makes every lock of every logger anew, and random numbers; a child without that is nearer
    to a process that was started by itself, and copies 200 pages fewer.
    """
    try:
        import ctypes

        return ctypes.PyDLL(None).fork
    except (ImportError, OSError, AttributeError):
        return None


@functools.cache
def _nowhere() -> int:
    return os.open(os.devnull, os.O_RDWR)


@functools.cache
def _memory_limit() -> "tuple[int, int] | None":
    """What a child may have, by what its parent has; None when it has less already."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = _data_bytes() + _HEADROOM_BYTES
    return (wanted, hard) if soft == resource.RLIM_INFINITY or wanted < soft else None


def watch(child: int, statement: Statement, cost: "Callable[[int], float]") -> "tuple[bytes, int]":
    """Wait for a child; one that spends far more than its test costs is killed."""
    descriptor = os.pidfd_open(child)
    poll = select.poll()
    poll.register(descriptor, select.POLLIN)
    at, since = (b"", 0, 0.0), time.monotonic()
    seconds = _LEAST_CPU_SECONDS
    is_out_of_time = False
    try:
        while not poll.poll(seconds * 1000.0):
            state = statement.read()
            if state != at:
                at, since = state, time.monotonic()
            _, test, spent = state
            limit = _LEAST_CPU_SECONDS + _TIMES_AS_LONG * cost(test)
            used = _cpu_seconds(child) - spent
            waited = time.monotonic() - since
            if used > limit or waited > _LEAST_WALL_SECONDS + _WALL_PER_CPU * limit:
                is_out_of_time = True
                break
            seconds = max(0.02, min(limit - used, 1.0))
    finally:
        _kill(child)
        os.close(descriptor)
        _, status = os.waitpid(child, 0)
    word, test, _ = statement.read()
    if is_out_of_time:
        return TIMEOUT, test
    if word == RUNNING:
        is_ours = os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL
        return (DIED if is_ours else KILLED), test
    return word, test


def _kill(child: int) -> None:
    """The child, and what it started and left in its group."""
    for kill, number in ((os.killpg, child), (os.kill, child)):
        try:
            kill(number, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            continue


def _cpu_seconds(pid: int) -> float:
    try:
        return time.clock_gettime((~pid << 3) | _CPU_CLOCK)
    except OSError:
        return 0.0  # it is ending


def _data_bytes() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[5]) * mmap.PAGESIZE
    except (OSError, IndexError, ValueError):
        return 256 << 20


class Litter:
    """What a test leaves in shared folders, removed before the next mutant sees it.

    In folders that nobody but this sandbox sees: which they are, the host says.
    """

    def __init__(self, private: "list[str]") -> None:
        places = dict.fromkeys(map(os.path.expandvars, private))
        self._places = [place for place in places if os.access(place, os.W_OK)]
        self._kept = {entry.path for place in self._places for entry in os.scandir(place)}

    def sweep(self) -> None:
        """Remove everything that was not there at first."""
        for place in self._places:
            for entry in os.scandir(place):
                if entry.path in self._kept:
                    continue
                if entry.is_dir(follow_symlinks=False):
                    shutil.rmtree(entry.path, ignore_errors=True)
                else:
                    _unlink(entry.path)


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return  # it went by itself, or is not ours to remove
