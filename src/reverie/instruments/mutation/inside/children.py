"""A forked process that makes one statement, watched until it ends or has spent too much.

What it says it writes into memory shared with its parent: which test it is at, what it had
spent when that began, and in the end its statement. The parent only looks when a limit could
have been reached, so a test costs no exchange.

A fork copies the table of its parent's pages, not the pages. With two megabytes to an entry instead
of four kilobytes that costs a tenth. The kernel splits large pages that a process writes to, so
they are joined again from time to time.

The repository's files are put back as they were after tests that write among them. Inside the
sandbox the tree is a private view, so nothing outside changes; but all mutants of one warm process
share it.
"""

import functools
import mmap
import os
import resource
import select
import shutil
import signal
import struct
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

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


def unnamed_file() -> int:
    """A file that goes away with its last descriptor. Where no cgroup counts it, the sandbox
    forbids memory files.
    """
    descriptor, path = tempfile.mkstemp(dir=os.environ.get("TMPDIR", "/tmp"))
    os.unlink(path)
    return descriptor


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


_HUGE = 2 << 20
_COLLAPSE = 25
"""MADV_COLLAPSE, Linux 6.1: now, and whatever the system's settings for new memory are."""
_FORKS_BETWEEN = 24


class LargePages:
    """Joins the pages of this process; where that cannot be done, nothing happens."""

    def __init__(self) -> None:
        self._forks = 0
        self._advise = _advise()

    def before_fork(self) -> None:
        """Join what is there, the first time and then now and again."""
        if self._forks % _FORKS_BETWEEN == 0 and self._advise is not None:
            self.join()
        self._forks += 1

    def join(self) -> None:
        """Join every page of memory that is this process's own."""
        if self._advise is None:
            return
        for start, end in _own_memory():
            first, last = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
            if first < last:
                self._advise(first, last - first, _COLLAPSE)


def _advise() -> "Callable[[int, int, int], int] | None":
    try:
        import ctypes

        function = ctypes.CDLL(None).madvise
        function.argtypes = (ctypes.c_size_t, ctypes.c_size_t, ctypes.c_int)
    except (ImportError, OSError, AttributeError):
        return None  # a Python without it, or another system
    return function


def _own_memory() -> "Iterator[tuple[int, int]]":
    try:
        with open("/proc/self/maps", encoding="ascii", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError:
        return
    for line in lines:
        fields = line.split()
        if fields[1] == "rw-p" and (len(fields) == 5 or fields[5] == "[heap]"):
            start, _, end = fields[0].partition("-")
            yield int(start, 16), int(end, 16)


_PASSED_OVER = frozenset({".git", ".venv", "venv", "node_modules", "__pycache__", ".tox", ".nox"})
_BYTES_AT_MOST = 96 << 20
_FILES_AT_MOST = 20_000


class Tree:
    """A copy of the files below a folder, and how to get back to it."""

    def __init__(self, root: str, copy: str) -> None:
        self.root = root
        self.copy = copy
        self._known = dict(_walk(root))
        sizes = sum(size for size, _ in self._known.values())
        self.is_restorable = (
            os.access(root, os.W_OK)
            and sizes <= _BYTES_AT_MOST
            and len(self._known) <= _FILES_AT_MOST
        )

    def keep(self) -> None:
        """Copy what there is, so that it can be put back."""
        for path in self._known:
            target = os.path.join(self.copy, os.path.relpath(path, self.root))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(path, target)

    def changed(self) -> "list[str]":
        """Files that came, went or differ since the beginning, relative to the root."""
        now = dict(_walk(self.root))
        paths = {path for path in (*now, *self._known) if now.get(path) != self._known.get(path)}
        return sorted(os.path.relpath(path, self.root) for path in paths)

    def put_back(self) -> None:
        """Undo every change."""
        for name in self.changed():
            path, kept = os.path.join(self.root, name), os.path.join(self.copy, name)
            if path not in self._known:
                os.unlink(path)
                continue
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copyfile(kept, path)
            modified = self._known[path][1]
            os.utime(path, ns=(modified, modified))


def kept_tree(request: "dict[str, Any]") -> "Tree | None":
    """A tree that can be put back, where the request says that tests write into it."""
    if not request["restore"]:
        return None
    scratch = os.environ.get("TMPDIR", "/tmp")
    tree = Tree(request["root"], os.path.join(scratch, "original"))
    if not tree.is_restorable:
        return None
    tree.keep()
    return tree


def _walk(root: str) -> "Iterator[tuple[str, tuple[int, int]]]":
    for folder, folders, names in os.walk(root):
        folders[:] = [name for name in folders if name not in _PASSED_OVER]
        for name in names:
            path = os.path.join(folder, name)
            try:
                status = os.lstat(path)
            except OSError:
                continue
            if not os.path.islink(path) and not name.endswith(".pyc"):
                yield path, (status.st_size, status.st_mtime_ns)
