"""A tree of processes as its keeper sees it from outside, through the host's /proc.

Processes come and go while we look: whoever ended between two looks counts for nothing.
"""

import os
from dataclasses import dataclass
from typing import Any

_TICKS = os.sysconf("SC_CLK_TCK")
_WORTH_SHARING_BYTES = 64 << 20


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
    resident_kib: int
    peak_kib: int
    cpu_seconds: float


def descendants(root: int) -> "list[Member]":
    """All processes below `root`, whatever session, group or namespace they moved to."""
    found: list[Member] = []
    pending = _children(root)
    while pending:
        pid = pending.pop()
        pending += _children(pid)
        member = _look_at(pid)
        if member is not None:
            found.append(member)
    return found


def _children(pid: int) -> "list[int]":
    try:
        threads = os.listdir(f"/proc/{pid}/task")
    except OSError:
        return []
    found: list[int] = []
    for thread in threads:
        found += map(int, _read(f"/proc/{pid}/task/{thread}/children").split())
    return found


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
        _kib(fields.get("VmRSS")),
        _kib(fields.get("VmHWM")),
        sum(map(int, times)) / _TICKS,
    )


def _kib(field: "str | None") -> int:
    return 0 if field is None else int(field.split()[0])


def held_bytes(members: "list[Member]") -> int:
    """Their memory, shared pages counted once; only worked out where it could matter."""
    resident = sum(member.resident_kib for member in members) << 10
    if resident < _WORTH_SHARING_BYTES:
        return resident
    return sum(_proportional_kib(member) for member in members) << 10


def _proportional_kib(member: Member) -> int:
    for line in _read(f"/proc/{member.pid}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return _kib(line.partition(":")[2])
    return member.resident_kib  # not readable: count all of it, never less


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
