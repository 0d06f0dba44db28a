"""Less of the machine, and many calls at once.

A process stops this one part of the time, and there is less memory. Calls come in threads, then as
tasks of an event loop; or the same one after another.
"""

import asyncio
import contextlib
import ctypes
import hashlib
import inspect
import json
import os
import random
import re
import resource
import select
import signal
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from reverie.workflows.inside.step import _is_plain, _resolve
from reverie.workflows.scenarios.inside.watch import Board

if TYPE_CHECKING:
    from collections.abc import Callable

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


_ADDRESS = re.compile(r"0x[0-9a-fA-F]+")
_LINES = 3000
_GATE_SECONDS = 2.0


class Burst:
    """Calls one callable many times and keeps what every call came to."""

    def __init__(
        self,
        call: "Callable[[], Any]",
        faults: "dict[str, Any]",
        board: "Board",
        files: "tuple[str, ...]",
    ) -> None:
        self.call = call
        self.threads = faults["threads"]
        self.tasks = faults["tasks"]
        self.files = files
        self.board = board
        self.lock = threading.Lock()
        self.results: dict[str, int] = {}
        self.errors: list[BaseException] = []
        self.now = self.most = 0

    def run(self, *, in_turn: bool) -> Any:
        """The burst, or as many calls one after another; then one call more, which it returns."""
        if inspect.iscoroutinefunction(getattr(self.call, "step", None)):
            return asyncio.run(self._run_coroutines(in_turn))
        if in_turn:
            for _ in range(self.threads + self.tasks):
                self._once()
        else:
            self._run_threads()
            if self.tasks:
                asyncio.run(self._run_tasks())
            self.board.fire("at_once", self.most)
        return _resolve(self.call())

    async def _run_coroutines(self, in_turn: bool) -> Any:
        """Coroutines are written for one event loop: all of the burst is tasks of one."""
        jobs = [self._in_task() for _ in range(self.threads + self.tasks)]
        if in_turn:
            for each in jobs:
                await each
        else:
            self.board.fire("tasks", len(jobs))
            await asyncio.gather(*jobs)
            self.board.fire("at_once", self.most)
        return await self.call()

    def _run_threads(self) -> None:
        gate = threading.Barrier(self.threads)
        before = threading.stack_size(512 * 1024)
        interval = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        crowd = [
            threading.Thread(target=self._in_thread, args=(gate, number), daemon=True)
            for number in range(self.threads)
        ]
        try:
            for each in crowd:
                each.start()
            self.board.fire("threads", len(crowd))
            for each in crowd:
                each.join()
        finally:
            threading.stack_size(before)
            sys.setswitchinterval(interval)

    def _in_thread(self, gate: threading.Barrier, number: int) -> None:
        sys.settrace(_Interrupting(self.files, f"{self.board.seed}:{number}").begin)
        with contextlib.suppress(threading.BrokenBarrierError):
            gate.wait(_GATE_SECONDS)
        self._once()

    async def _run_tasks(self) -> None:
        """Tasks that each hand the call to a thread, as one calls what blocks."""
        jobs = [asyncio.to_thread(self._once) for _ in range(self.tasks)]
        self.board.fire("tasks", len(jobs))
        await asyncio.gather(*jobs)

    async def _in_task(self) -> None:
        self._enter()
        try:
            self._keep(await self.call())
        except Exception as error:  # noqa: BLE001  what it does wrong is told, not raised
            self._fail(error)
        finally:
            self._leave()

    def _once(self) -> None:
        self._enter()
        try:
            self._keep(_resolve(self.call()))
        except Exception as error:  # noqa: BLE001  what it does wrong is told, not raised
            self._fail(error)
        finally:
            self._leave()

    def _enter(self) -> None:
        with self.lock:
            self.now += 1
            self.most = max(self.most, self.now)

    def _leave(self) -> None:
        with self.lock:
            self.now -= 1

    def _keep(self, value: Any) -> None:
        digest = _digest(value)
        with self.lock:
            self.results[digest] = self.results.get(digest, 0) + 1

    def _fail(self, error: BaseException) -> None:
        with self.lock:
            self.errors.append(error)


class _Interrupting:
    """Gives way to other threads at lines of the code under test, where a race would show."""

    def __init__(self, files: "tuple[str, ...]", seed: str) -> None:
        self.files = files
        self.dice = random.Random(seed)
        self.left = _LINES

    def begin(self, frame: Any, event: str, _: Any) -> Any:
        """Trace only frames of the code under test."""
        return self.line if frame.f_code.co_filename.startswith(self.files) else None

    def line(self, frame: Any, event: str, _: Any) -> Any:
        """Give way at every third line or so."""
        if event == "line" and self.left > 0:
            self.left -= 1
            if self.dice.random() < 0.3:
                time.sleep(0.0002)
        return self.line


def _digest(value: Any) -> str:
    if _is_plain(value):
        text = json.dumps(value, sort_keys=True)
    else:
        text = _ADDRESS.sub("0x", repr(value)[:100_000])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
