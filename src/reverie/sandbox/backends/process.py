"""What a process has used so far, as the kernel counts it: read from outside, never asked for."""

import os
import time

_PROCESS_CPU_CLOCK = 2
CHILDREN_WORTH_READING_SECONDS = 0.02
"""The kernel counts children in ticks of this order; less cannot be seen."""


class Process:
    """A living process by its pid here, whatever its pid is where it lives."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.born = time.monotonic()
        self.cpu_before_seconds = self._clock() or 0.0
        self._status = -1

    def get_ready(self) -> None:
        """Open now what will be read in a hurry."""
        if self._status < 0:
            self._status = self._open("status")

    def close(self) -> None:
        """Let go of it."""
        if self._status >= 0:
            os.close(self._status)
            self._status = -1

    def cpu_seconds(self) -> float | None:
        """CPU time since this object was made, waited-for children included; None if it is gone."""
        now = self._clock()
        if now is None:
            return None
        if time.monotonic() - self.born > CHILDREN_WORTH_READING_SECONDS:
            now += self._children_seconds()
        return max(0.0, now - self.cpu_before_seconds)

    def peak_rss_bytes(self) -> int | None:
        """Most memory it has had at once; None when the kernel does not tell."""
        self.get_ready()
        _, found, rest = _read(self._status).partition(b"\nVmHWM:")
        return int(rest.split(maxsplit=1)[0]) << 10 if found else None

    def _clock(self) -> float | None:
        if self.pid <= 0:
            return None
        try:
            return time.clock_gettime((~self.pid << 3) | _PROCESS_CPU_CLOCK)
        except OSError:
            return None

    def _children_seconds(self) -> float:
        descriptor = self._open("stat")
        fields = _read(descriptor).rpartition(b")")[2].split()
        if descriptor >= 0:
            os.close(descriptor)
        if len(fields) < 15:
            return 0.0
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def _open(self, name: str) -> int:
        try:
            return os.open(f"/proc/{self.pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return -1


def _read(descriptor: int) -> bytes:
    """All of a small file of the kernel's; nothing when the process has ended."""
    try:
        return os.pread(descriptor, 4096, 0)
    except OSError:
        return b""
