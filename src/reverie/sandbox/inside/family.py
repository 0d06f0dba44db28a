"""A tree of processes as its keeper sees it from outside, through the host's /proc.

Processes come and go while we look: whoever ended between two looks counts for nothing.
"""

import os
from dataclasses import dataclass
from typing import Any

from . import kin

_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """What a group of processes has spent, and what it holds at this moment."""

    cpu_seconds: float
    peak_kib: int
    bytes_now: int

    def and_later(self, later: "Sample") -> "Sample":
        """Both looks together: what is spent only grows."""
        return Sample(
            max(self.cpu_seconds, later.cpu_seconds),
            max(self.peak_kib, later.peak_kib),
            later.bytes_now,
        )

    def spent(self) -> "dict[str, Any]":
        """What is known of the spending; empty when nobody was there to look at."""
        if not self.peak_kib:
            return {}
        return {"cpu": self.cpu_seconds, "peak_kib": self.peak_kib}


@dataclass(frozen=True)
class Member:
    """One process: its number out here, and in every pid namespace down to its own."""

    pid: int
    numbers: "tuple[int, ...]"
    peak_kib: int
    cpu_seconds: float


def members(root: int) -> "list[Member]":
    """All processes below `root` that are there to be looked at."""
    found = (_look_at(pid) for pid in kin.descendants(root))
    return [member for member in found if member is not None]


def _look_at(pid: int) -> "Member | None":
    fields = dict(
        line.split(":", 1) for line in _read(f"/proc/{pid}/status").splitlines() if ":" in line
    )
    times = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()[11:15]
    if "NSpid" not in fields or len(times) != 4:
        return None
    return Member(
        pid,
        tuple(map(int, fields["NSpid"].split())),
        _kib(fields.get("VmHWM")),
        sum(map(int, times)) / _TICKS,
    )


def _kib(field: "str | None") -> int:
    return 0 if field is None else int(field.split()[0])


def memory_mounts(pid: int) -> "list[str]":
    """Mount points of writable in-memory file systems, as this process sees them."""
    points = []
    for line in _read(f"/proc/{pid}/mountinfo").splitlines():
        fields = line.split()
        kind = fields[fields.index("-") + 1]
        if kind == "tmpfs" and "rw" in fields[5].split(","):
            points.append(fields[4])
    return points


def used_bytes(pid: int, points: "list[str]") -> int:
    """What lies in these file systems of a process, each counted once."""
    used: dict[int, int] = {}
    for point in points:
        path = f"/proc/{pid}/root{point}"
        try:
            device, space = os.stat(path).st_dev, os.statvfs(path)
        except OSError:
            continue  # covered by another mount, or the process is gone
        used[device] = (space.f_blocks - space.f_bfree) * space.f_frsize
    return sum(used.values())


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""
