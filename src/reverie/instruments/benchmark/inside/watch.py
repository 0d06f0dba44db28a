"""The watch: times two sides from a process in which neither of them runs.

Each side lives in a process of its own. The kernel tells anyone the CPU time of a process, so the
code that is measured never holds the clock. Where the sandbox forbids a second process both sides
share this one, and the answer says so.
"""

import json
import os
import resource
import struct
import time
from collections.abc import Callable
from typing import Any

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


_NAMES = ("old", "new")
_COLD_SEED, _WARM_SEED = 1 << 40, 1 << 41
_EMPTY_BATCHES = 10
_INSPECTED_INPUTS = 8


class _Timing:
    """One side's figures while a round goes on."""

    def __init__(self, side: "_Forked | _Shared") -> None:
        self.side = side
        self.cpu: list[int] = []
        self.wall: list[int] = []
        self.raised = 0
        self.load_ns = self.cold_ns = self.other_ns = 0

    def run(self) -> "tuple[int, int]":
        """One batch, timed: CPU and wall nanoseconds."""
        tell, cpu_ns, wall_ns = self.side.tell, self.side.cpu_ns, time.perf_counter_ns
        wall, cpu = wall_ns(), cpu_ns()
        tell("run")
        wall = wall_ns() - wall
        time.sleep(self.side.rest_seconds)
        return cpu_ns() - cpu, wall

    def apart(self, command: str, *numbers: int) -> "dict[str, Any]":
        """A command whose time is kept apart from the calls'."""
        before = self.side.cpu_ns()
        reply = self.side.tell(command, *numbers)
        self.other_ns += self.side.cpu_ns() - before
        return reply


def _run_benchmark(**order: Any) -> "dict[str, Any]":
    """Everything about one pair of processes, as `rounds.py` orders it."""
    make = _Shared if order["shared"] else _Forked
    timings = {name: _Timing(make(order, name)) for name in _NAMES}
    try:
        if order["mode"] == "fit":
            return _fit(timings["old"], order)
        first = _NAMES if order["round"] % 2 == 0 else _NAMES[::-1]
        for name in first:
            _start(timings[name], order)
        return _MODES[order["mode"]](timings, order)
    except _Failed as failure:
        name, command, told = str(failure).split("\0", 2)
        return {"failed": {"side": name, "command": command, "error": told}}


def _fit(timing: _Timing, order: "dict[str, Any]") -> "dict[str, Any]":
    """Which arguments fit; old alone is asked, or new could choose what it is measured with."""
    timing.side.tell("load")
    return timing.side.tell("fit", order["seed"], order["calls"], order["n"])


def _start(timing: _Timing, order: "dict[str, Any]") -> None:
    before = timing.side.cpu_ns()
    timing.side.tell("load")
    timing.load_ns = timing.side.cpu_ns() - before
    timing.side.tell("settle")
    timing.side.tell("prepare", order["seed"] + _COLD_SEED, order["first_calls"], order["n"])
    timing.cold_ns = timing.run()[0] // order["first_calls"]
    timing.side.tell("collect")


def _calibrate(timings: "dict[str, _Timing]", order: "dict[str, Any]") -> "dict[str, Any]":
    """How many calls make a sample that the clock can see, and what such a sample costs."""
    calls, seed = order["least_calls"], order["seed"] + _WARM_SEED
    while True:
        began = time.perf_counter_ns()
        found = {name: _try_batch(each, seed, calls, order) for name, each in timings.items()}
        took = time.perf_counter_ns() - began
        seed += calls
        busy = sorted(max(each["busy_ns"], 1) for each in found.values())
        factor = min(order["sample_ns"] // busy[0] + 1, order["most_sample_ns"] // busy[1])
        if factor < 2 or took > order["most_ns"] or calls >= order["most_calls"]:
            break
        calls *= min(8, factor)
    difference = _difference(timings, "compare") or _difference(timings, "compare_arguments")
    timings["old"].side.tell("prepare", order["seed"], max(calls, _INSPECTED_INPUTS), order["n"])
    inputs = timings["old"].side.tell("inspect_inputs")
    return {"calls": calls, **found, "inputs": inputs, "difference": difference}


def _try_batch(timing: _Timing, seed: int, calls: int, order: "dict[str, Any]") -> "dict[str, Any]":
    timing.other_ns = 0
    timing.apart("prepare", seed, calls, order["n"])
    cpu, wall = timing.run()
    reply = timing.apart("collect")
    waited = 2 * reply["waits"] >= calls and wall > 2 * cpu
    return {
        "cpu_ns": cpu,
        "wall_ns": wall,
        "busy_ns": wall if waited else cpu,
        "waited": waited,
        "other_ns": timing.other_ns,
        "raised": reply["raised"],
    }


def _round(timings: "dict[str, _Timing]", order: "dict[str, Any]") -> "dict[str, Any]":
    """Every slot once on both sides: A B, B A, A B, …"""
    calls, size, difference = order["calls"], order["n"], None
    _warm_up(timings, order)
    overhead = _overhead(timings)
    begun = {name: timing.side.cpu_ns() for name, timing in timings.items()}
    for slot in range(order["slots"]):
        first = _NAMES if (slot + order["round"]) % 2 == 0 else _NAMES[::-1]
        for name in first:
            timings[name].apart("prepare", order["seed"] + slot * calls, calls, size)
        for name in first:
            cpu, wall = timings[name].run()
            timings[name].cpu.append(cpu)
            timings[name].wall.append(wall)
        replies = [timings[name].apart("collect") for name in _NAMES]
        for name, reply in zip(_NAMES, replies, strict=True):
            timings[name].raised += reply["raised"]
        if replies[0]["digest"] is None or replies[0]["digest"] != replies[1]["digest"]:
            difference = _difference(timings, "compare")
            if difference is not None:
                break
    for name, timing in timings.items():
        if timing.side.has_own_clock:  # then whatever it did between the commands counts as well
            timing.other_ns = max(0, timing.side.cpu_ns() - begun[name] - sum(timing.cpu))
    return {
        **{name: _figures(timing) for name, timing in timings.items()},
        "overhead": overhead,
        "difference": difference,
    }


def _warm_up(timings: "dict[str, _Timing]", order: "dict[str, Any]") -> None:
    """Batches that do not count, with inputs of their own."""
    for batch in range(order["warm"]):
        seed = order["seed"] + _WARM_SEED + batch * order["calls"]
        for timing in timings.values():
            timing.side.tell("prepare", seed, order["calls"], order["n"])
            timing.run()
            timing.side.tell("collect")


def _overhead(timings: "dict[str, _Timing]") -> "dict[str, int]":
    """What a sample without a call takes; the lesser of the two, so that no side can raise it."""
    found: list[tuple[int, int]] = []
    for timing in timings.values():
        timing.side.tell("prepare", 0, 0, 0)
        found += [timing.run() for _ in range(_EMPTY_BATCHES)]
    return {"cpu_ns": min(each[0] for each in found), "wall_ns": min(each[1] for each in found)}


def _difference(timings: "dict[str, _Timing]", command: str) -> "dict[str, Any] | None":
    """The first call whose results (or arguments, afterwards) are not the same on both sides."""
    old, new = (timings[name].side.tell(command)["digests"] for name in _NAMES)
    for place, (left, right) in enumerate(zip(old, new, strict=True)):
        if left != right:
            shown = {name: timings[name].side.tell("show", place) for name in _NAMES}
            return {"of": "results" if command == "compare" else "arguments", **shown}
    return None


def _figures(timing: _Timing) -> "dict[str, Any]":
    return {
        "cpu_ns": timing.cpu,
        "wall_ns": timing.wall,
        "load_ns": timing.load_ns,
        "cold_ns": timing.cold_ns,
        "other_ns": timing.other_ns,
        "raised": timing.raised,
        "rss_bytes": timing.side.end(),
    }


def _trace(timings: "dict[str, _Timing]", order: "dict[str, Any]") -> "dict[str, Any]":
    """Memory, in a run of its own: tracing it slows everything down."""
    found: dict[str, Any] = {}
    for name, timing in timings.items():
        peaks = []
        for slot in range(order["slots"]):
            timing.side.tell("prepare", order["seed"] + slot, 1, order["n"])
            peaks.append(timing.side.tell("trace")["peak"])
        found[name] = {"peaks": peaks}
    return found


_MODES: "dict[str, Callable[[dict[str, _Timing], dict[str, Any]], dict[str, Any]]]" = {
    "calibrate": _calibrate,
    "round": _round,
    "trace": _trace,
}
