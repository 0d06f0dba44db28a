"""What a process has used so far, as the kernel counts it: read from outside, never asked for."""

import os
import time

_PROCESS_CPU_CLOCK = 2
_CHILDREN_WORTH_READING_SECONDS = 0.02
"""The kernel counts children in ticks of this order; less cannot be seen."""


class Process:
    """A living process by its pid here, whatever its pid is where it lives."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.born = time.monotonic()
        self.cpu_before_seconds = self._clock() or 0.0

    def cpu_seconds(self) -> float | None:
        """CPU time since this object was made, waited-for children included; None if it is gone."""
        now = self._clock()
        if now is None:
            return None
        if time.monotonic() - self.born > _CHILDREN_WORTH_READING_SECONDS:
            now += self._children_seconds()
        return max(0.0, now - self.cpu_before_seconds)

    def peak_rss_bytes(self) -> int | None:
        """Most memory it has had at once; None when the kernel does not tell."""
        _, found, rest = self._read("status").partition(b"\nVmHWM:")
        return int(rest.split(maxsplit=1)[0]) << 10 if found else None

    def _clock(self) -> float | None:
        if self.pid <= 0:
            return None
        try:
            return time.clock_gettime((~self.pid << 3) | _PROCESS_CPU_CLOCK)
        except OSError:
            return None

    def _children_seconds(self) -> float:
        fields = self._read("stat").rpartition(b")")[2].split()
        if len(fields) < 15:
            return 0.0
        return (int(fields[13]) + int(fields[14])) / os.sysconf("SC_CLK_TCK")

    def _read(self, name: str) -> bytes:
        try:
            descriptor = os.open(f"/proc/{self.pid}/{name}", os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return b""
        try:
            return os.read(descriptor, 4096)
        except OSError:
            return b""  # it ended between the two calls
        finally:
            os.close(descriptor)
