"""The warm parent of all executions of one slot; pid 1 of its pid namespace.

It never runs a request itself: it forks a spare ahead of each request, and when the
execution ends it kills and reaps every process that is left, reports, and wipes. When it is
in doubt about the state of the slot it says so and leaves; the supervisor makes a new one.
"""

import gc
import importlib
import json
import os
import resource
import select
import signal
import socket
import struct
import sys
from typing import Any, NamedTuple, NoReturn

from . import imports, kin, layers, peers, runner, traces, wipe

WATCH_INTERVAL_MS = 30
_USUAL = (
    "collections dataclasses datetime functools heapq itertools linecache math operator re "
    "string traceback typing"
).split()
"""What most code imports: a few microseconds per fork, instead of milliseconds per import."""
_WITH_OWN_PIDS = ("namespaces", "srt")
_ORDER_BYTES = 64
_DESCRIPTORS = struct.Struct("3i")  # channel, stdout, stderr
_ANCILLARY_BYTES = socket.CMSG_SPACE(_DESCRIPTORS.size)


def warm_up(config: "dict[str, Any]") -> imports.Imports:
    """Import what executions will need, inside the isolation that is already in force."""
    target = imports.Imports(config)
    for name in _USUAL:
        importlib.import_module(name)
    target.preload()
    runner.rehearse()
    gc.collect()
    gc.disable()  # nothing is frozen: an ordinary program that enables it has nothing frozen
    if config["tier"] in _WITH_OWN_PIDS:
        peers.keep_off()
    return target


class _Death(NamedTuple):
    """How an execution ended, and what it cost together with its kin."""

    status: int
    usage: resource.struct_rusage
    kin_cpu_seconds: float
    changes: "dict[str, Any]"


class Zygote:
    """The loop: spawn, wait, kill the rest, report, wipe."""

    def __init__(
        self,
        control: socket.socket,
        config: "dict[str, Any]",
        target: imports.Imports,
        oom_score: "int | None",
    ) -> None:
        self.oom_score = oom_score
        self.control = control
        self.config = config
        self.traces = traces.Traces(config) if config["tier"] == "namespaces" else None
        self.runner = runner.Runner(config, target)
        self.poll = select.poll()
        self.poll.register(control.fileno(), select.POLLIN)
        self.child = 0
        self.serial = 0
        self.child_descriptor = -1
        self.memory_limit = 0
        self.memory_exceeded = False

    def run(self) -> NoReturn:
        """Serve until the supervisor goes away or the slot is in doubt."""
        try:
            while True:
                self._step()
        except (OSError, ValueError, wipe.TooDirty, traces.Used) as error:
            self._tell(doubt=f"{type(error).__name__}: {error}"[:200])
        os._exit(1)

    def _step(self) -> None:
        watching = WATCH_INTERVAL_MS if self.memory_limit and self.child else None
        ready = self.poll.poll(watching)
        if not ready:
            self._watch_memory()
        elif ready[0][0] == self.child_descriptor:
            self._finish()
        else:
            self._obey()  # one event at a time: a new spare may get the number of the dead one

    def _obey(self) -> None:
        try:
            message, ancillary, _, _ = self.control.recvmsg(_ORDER_BYTES, _ANCILLARY_BYTES)
        except ConnectionError:
            message, ancillary = b"", []
        order = message[:1]
        if ancillary:
            if self.child:
                os.kill(self.child, signal.SIGKILL)
                os.waitpid(self.child, 0)  # it has answered: what it has used is known
                self._forget()
                self._wipe()
            self._spawn(_DESCRIPTORS.unpack(ancillary[0][2]), rehearsed=order == b"S")
        elif order == b"K":
            self._kill_everything()
        elif order == b"L":
            self.memory_limit = int(message[1:])
        else:
            self._kill_everything()
            os._exit(0)

    def _spawn(self, descriptors: "tuple[int, ...]", rehearsed: bool) -> None:
        """Fork a spare; one whose request is already on its way does not rehearse for it."""
        if self.config["renews_views"]:
            layers.ask_for_fresh(self.config["layer_channel"])
        self._set_oom_score(b"1000")
        self.serial += 1
        self.child = os.fork() if self.traces is None else self.traces.fork()
        if self.child == 0:
            self.runner.serve(descriptors, rehearsed)
        self._set_oom_score(b"0")
        for descriptor in descriptors:
            os.close(descriptor)
        self.child_descriptor = os.pidfd_open(self.child)
        self.poll.register(self.child_descriptor, select.POLLIN)

    def _set_oom_score(self, score: bytes) -> None:
        """Children inherit it: written before a fork, it makes them the first to be killed."""
        if self.oom_score is not None:
            os.write(self.oom_score, score)

    def _finish(self) -> None:
        """The execution ended, by itself or killed: bury it and tell the supervisor."""
        exceeded = self.memory_exceeded
        death = self._bury()
        self._tell(
            serial=self.serial,
            status=death.status,
            cpu=death.usage.ru_utime + death.usage.ru_stime + death.kin_cpu_seconds,
            peak_kib=death.usage.ru_maxrss,
            memory_exceeded=exceeded,
            **death.changes,
        )
        self._wipe()  # after the verdict: what cannot be wiped must not cost that

    def _bury(self) -> "_Death":
        """Reap it and all its kin.

        Nothing here does more than it must: every page that we write to while a child of
        ours lives is copied.
        """
        _, status, usage = os.wait4(self.child, 0)
        kin_cpu_seconds = self._forget()
        changed: dict[str, Any] = {}
        if self.config["copies"]:
            changed = layers.ask_for_changes(self.config["layer_channel"])
        return _Death(status, usage, kin_cpu_seconds, changed)

    def _forget(self) -> float:
        """The execution is reaped: so be its kin; the CPU time that they used."""
        self.poll.unregister(self.child_descriptor)
        os.close(self.child_descriptor)
        self.child, self.child_descriptor = 0, -1
        self.memory_limit, self.memory_exceeded = 0, False
        return self._reap_everything()

    def _wipe(self) -> None:
        if self.traces is not None:
            self.traces.remove()
            return
        for folder in self.config["scratch"]:
            wipe.empty(folder, self.config["scratch_mode"])

    def _tell(self, **facts: Any) -> None:
        try:
            self.control.send(json.dumps(facts).encode())
        except OSError:
            os._exit(0)  # nobody is left to tell

    def _kill_everything(self) -> None:
        """In a pid namespace of our own, -1 is every process but us, at once."""
        if self.config["tier"] == "namespaces":
            kin.kill(-1)
        elif self.child:
            kin.kill(-self.child)
            kin.kill(self.child)

    def _reap_everything(self) -> float:
        """Kill and reap every process that is left; the CPU time they used.

        Orphans become our children. So when the execution is reaped and we have no child,
        nobody is left, and the look over all processes that kill(-1) takes can be saved.
        """
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return 0.0
        if self.config["tier"] != "namespaces":
            return kin.reap_orphans()
        kin.kill(-1)
        return kin.wait_for_all()

    def _watch_memory(self) -> None:
        pids = (
            kin.everybody_else()
            if self.config["tier"] == "namespaces"
            else kin.descendants(os.getpid())
        )
        if kin.held_bytes(pids) > self.memory_limit:
            self.memory_exceeded = True
            self._kill_everything()


def open_oom_score() -> "int | None":
    """Our own score, opened while /proc still lets us; None where there is no /proc."""
    try:
        return os.open("/proc/self/oom_score_adj", os.O_WRONLY | os.O_CLOEXEC)
    except OSError:
        return None  # the kernel then chooses by size, which is the execution as well


def prepare_process() -> None:
    """Signals and streams of a process that has no terminal and no user."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    null = os.open("/dev/null", os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    if null > 2:
        os.close(null)
    sys.stdin = os.fdopen(0, "r", encoding="utf-8", closefd=False)
    options: dict[str, Any] = {"encoding": "utf-8", "errors": "backslashreplace", "closefd": False}
    sys.stdout = os.fdopen(1, "w", buffering=1, **options)
    sys.stderr = os.fdopen(2, "w", buffering=1, **options)
    for name in ("stdin", "stdout", "stderr"):
        sys.__dict__[f"__{name}__"] = getattr(sys, name)
