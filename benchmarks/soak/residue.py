"""What a supervisor has on this machine: processes, descriptors, groups, mounts, files.

Everything of ours carries the supervisor's pid in its name or has it as an ancestor, so that
other programs on the machine, also other supervisors, are not mistaken for leaks.
"""

import ctypes
import gc
import os
import time
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path

from benchmarks.machine import all_processes, descendants

_PR_SET_CHILD_SUBREAPER = 36
_SLOT_OWNERS = (range(64_000, 65_000), range(1_900_000_000, 1_950_000_000))


@dataclass(frozen=True, slots=True)
class Residue:
    """What is there; empty when nothing is."""

    processes: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    mounts: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return any(getattr(self, part.name) for part in fields(self))

    def __str__(self) -> str:
        parts = {part.name: getattr(self, part.name) for part in fields(self)}
        return "; ".join(
            f"{len(found)} {name} ({', '.join(found[:4])})"
            for name, found in parts.items()
            if found
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The machine before a supervisor starts, to compare with afterwards."""

    temporary: Path
    mounts: frozenset[str]
    shared_memory: frozenset[str]

    @classmethod
    def now(cls, temporary: Path) -> "Surroundings":
        """To be taken before anything of ours runs; `temporary` is the supervisor's alone."""
        return cls(temporary, _mounts(), _shared_memory())

    def residue_of(self, supervisor: int, ancestor: int) -> Residue:
        """What `supervisor` has now, or left; its orphans are looked for below `ancestor`."""
        mark = f"reverie-{supervisor}-"
        return Residue(
            processes=tuple(_processes(mark, supervisor, ancestor)),
            groups=tuple(_groups(mark)),
            mounts=tuple(sorted(_mounts() - self.mounts)),
            files=(*self._files(mark), *self._new_shared_memory(mark)),
        )

    def _files(self, mark: str) -> list[str]:
        own = [str(path) for path in self.temporary.iterdir()]
        return own + [str(path) for path in Path("/tmp").glob(f"{mark}*")]

    def _new_shared_memory(self, mark: str) -> list[str]:
        """New entries that are ours by name, or by an owner that nobody but a slot can be."""
        return [
            name
            for name in _shared_memory() - self.shared_memory
            if mark in name or any(_owner(f"/dev/shm/{name}") in ids for ids in _SLOT_OWNERS)
        ]


def become_subreaper() -> None:
    """Orphans of our descendants become our children instead of init's: none can hide."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")


def wait_until_clean(look: Callable[[], Residue], seconds: float) -> tuple[Residue, float]:
    """Look until nothing is left or the time is over; the last look, and when that was."""
    started = time.monotonic()
    while True:
        found = look()
        passed = time.monotonic() - started
        if not found or passed > seconds:
            return found, passed
        time.sleep(0.01)


def descriptors(pid: int) -> dict[int, str]:
    """Open descriptors of a process and what they are."""
    found = {}
    for name in os.listdir(f"/proc/{pid}/fd"):
        try:
            found[int(name)] = os.readlink(f"/proc/{pid}/fd/{name}")
        except OSError:
            continue  # the one that listed them
    return found


def own_memory_bytes() -> int:
    """Our memory in RAM, after what is free has been given back: a leak stays, scrap does not."""
    gc.collect()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def _processes(mark: str, supervisor: int, ancestor: int) -> list[str]:
    found = {stat.pid: stat for stat in descendants(ancestor) if stat.pid != supervisor}
    for pid, stat in all_processes().items():
        if pid not in found and mark in _cgroup_of(pid):
            found[pid] = stat
    return [
        f"{stat.pid} {stat.name} {stat.state}"
        for stat in found.values()
        # The dead that became ours are collected, as init would do it.
        if not (stat.state == "Z" and stat.parent == ancestor != supervisor)
    ]


def _cgroup_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cgroup").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _groups(mark: str) -> list[str]:
    found: list[str] = []
    for line in Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines():
        fields_before, _, rest = line.partition(" - ")
        if rest.startswith("cgroup"):
            for folder, names, _ in os.walk(fields_before.split()[4]):
                found += [f"{folder}/{name}" for name in names if name.startswith(mark)]
    return found


def _mounts() -> frozenset[str]:
    """Mounts of our own namespace, without the counters in front."""
    lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(line.split()[3:5]) for line in lines)


def _shared_memory() -> frozenset[str]:
    try:
        return frozenset(os.listdir("/dev/shm"))
    except OSError:
        return frozenset()


def _owner(path: str) -> int:
    try:
        return os.lstat(path).st_uid
    except OSError:
        return -1  # it is gone again
