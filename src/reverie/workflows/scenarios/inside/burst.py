"""Many calls at once: threads, then tasks of an event loop; or the same one after another."""

import asyncio
import contextlib
import hashlib
import inspect
import json
import random
import re
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from reverie.workflows.inside.step import _is_plain, _resolve
    from reverie.workflows.scenarios.inside.board import Board

_ADDRESS = re.compile(r"0x[0-9a-f]+")
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
