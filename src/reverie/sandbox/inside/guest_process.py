"""One srt with the guest in it, as the keeper holds it: started, armed, measured, ended."""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import socket
from typing import Any, NoReturn

from . import family, kernel, kin

_MESSAGE_BYTES = 1 << 16
_LOG_BYTES = 1 << 16
_SHOWN_CHARACTERS = 400
_SHELL_SIGNALS = 128
_REPORT = {"status": int, "cpu": float, "peak_kib": int}


class PreloadRefused(Exception):
    """A module that was to be preloaded cannot be imported."""


class GuestProcess:
    """A running `srt -- python`; the only descriptor that goes through srt is its stdin."""

    def __init__(self, config: dict[str, Any]) -> None:
        self._socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._log = _bounded_log()
        self._pid = os.fork()
        if self._pid == 0:
            _become_srt(theirs.fileno(), self._log, config["srt"])
        theirs.close()
        self._exit = os.pidfd_open(self._pid)
        self._scratch: str = config["scratch"][0]
        self._levels = 0
        self._holder: family.Member | None = None
        self._mounts: list[str] = []
        self._used_before = 0
        private = ("srt", "cgroups")
        plain = {name: value for name, value in config.items() if name not in private}
        plain["hidden"] = config["srt"]["settings_file"]
        self._socket.send(json.dumps(plain).encode())

    @property
    def descriptors(self) -> tuple[int, int]:
        """What to poll: a word from the guest, the end of srt."""
        return self._socket.fileno(), self._exit

    def await_ready(self, milliseconds: int) -> dict[str, Any]:
        """The posture of a guest that came up; OSError with srt's own words if it did not."""
        poll = select.poll()
        for descriptor in self.descriptors:
            poll.register(descriptor, select.POLLIN)
        if not poll.poll(milliseconds):
            raise OSError(f"srt did not come up: {self.log()}")
        facts = self.hear()
        if facts is not None and "refused" in facts:
            raise PreloadRefused(facts["refused"])
        if facts is None or "ready" not in facts:
            raise OSError((facts or {}).get("error") or f"srt ended: {self.log()}")
        self.note_ready(facts["ready"])
        posture: dict[str, Any] = facts["ready"]
        return posture

    def note_ready(self, posture: dict[str, Any]) -> None:
        """Find the guest among srt's processes: the deepest one, by the number it told us."""
        members = family.members(self._pid)
        self._levels = max((len(member.numbers) for member in members), default=0)
        for member in members:
            if len(member.numbers) == self._levels and member.numbers[-1] == posture["pid"]:
                self._holder = member
                points = family.memory_mounts(member.pid)
                self._mounts = [point for point in points if point != self._scratch]
                self._used_before = family.used_bytes(member.pid, self._mounts)

    def hand_over(self, descriptors: list[int]) -> None:
        """Give the guest the descriptors of its execution."""
        socket.send_fds(self._socket, [b"S"], descriptors)
        for descriptor in descriptors:
            os.close(descriptor)

    def hear(self) -> dict[str, Any] | None:
        """What the guest says; None when it ended without a word."""
        try:
            data = self._socket.recv(_MESSAGE_BYTES, socket.MSG_DONTWAIT)
            facts = json.loads(data or b"null")
        except (BlockingIOError, ConnectionError, ValueError):
            return None
        if not isinstance(facts, dict):
            return None
        if "status" in facts and any(type(facts.get(k)) is not v for k, v in _REPORT.items()):
            return None
        return facts

    def sample(self) -> family.Sample:
        """What the execution has spent and holds; srt's own processes are not counted."""
        if self._holder is None:
            return family.Sample(0.0, 0, 0)
        machinery = (1, self._holder.numbers[-1])
        members = [
            member
            for member in family.members(self._pid)
            if len(member.numbers) >= self._levels
            and member.numbers[self._levels - 1] not in machinery
        ]
        held = kin.held_bytes([member.pid for member in members])
        files = family.used_bytes(self._holder.pid, self._mounts) - self._used_before
        cpu = sum(member.cpu_seconds for member in members)
        peak = max((member.peak_kib for member in members), default=0)
        return family.Sample(cpu, peak, held + files)

    def end(self) -> int:
        """Kill the whole tree, reap it, and return srt's end as a wait status."""
        signal.pidfd_send_signal(self._exit, signal.SIGKILL)
        _, status = os.waitpid(self._pid, 0)
        kin.reap_orphans()
        self._socket.close()
        os.close(self._exit)
        os.close(self._log)
        return _as_seen_inside(status)

    def log(self) -> str:
        """The line of srt's own output that tells most."""
        text = os.pread(self._log, _LOG_BYTES, 0).rstrip(b"\0").decode("utf-8", "replace")
        lines = [line.strip() for line in text.splitlines() if line.strip()]
        telling = (line for line in lines if line.startswith(("Error", "bwrap:", "apply-seccomp:")))
        return next(telling, lines[-1] if lines else "it said nothing")[:_SHOWN_CHARACTERS]


def _as_seen_inside(status: int) -> int:
    """Shells on the way turn a signal into an exit status above 128: turn it back."""
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) > _SHELL_SIGNALS:
        return os.WEXITSTATUS(status) - _SHELL_SIGNALS
    return status


def _bounded_log() -> int:
    descriptor = os.memfd_create("srt", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    os.ftruncate(descriptor, _LOG_BYTES)
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, fcntl.F_SEAL_GROW)
    return descriptor


def _become_srt(stdin: int, log: int, srt: dict[str, Any]) -> NoReturn:
    try:
        kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
        for target, source in ((0, stdin), (1, log), (2, log)):
            os.dup2(source, target)
        kernel.close_from(3)
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        os.execve(srt["command"][0], srt["command"], srt["environment"])
    finally:
        os._exit(127)
