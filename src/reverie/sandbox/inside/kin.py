"""Processes and their kin: find them, end them, count what they hold.

Processes come and go while we look: whoever ended between two looks counts for nothing.
"""

import os
import resource
import signal

_WORTH_SHARING_BYTES = 64 << 20
"""Below this, shared pages are not worth being told apart."""


def kill(target: int, number: int = signal.SIGKILL) -> None:
    """Signal a process, a group (below -1) or, as pid 1, everybody else (-1)."""
    try:
        if target < -1:
            os.killpg(-target, number)
        else:
            os.kill(target, number)
    except (ProcessLookupError, PermissionError):
        return  # already gone, or a zombie of another session


def wait_for_all() -> float:
    """Reap until no child is left; the CPU time they used."""
    cpu = 0.0
    while True:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return cpu
        cpu += usage.ru_utime + usage.ru_stime


def reap_orphans() -> float:
    """Kill and reap everything below us until there is nothing: killing hands us orphans.

    First all are stopped, so that nobody forks while the others are killed.
    """
    cpu = 0.0
    own = os.getpid()
    while below := descendants(own):
        stopped: set[int] = set()
        while fresh := set(below) - stopped:
            for pid in fresh:
                kill(pid, signal.SIGSTOP)
            stopped |= fresh
            below = descendants(own)
        for pid in below:
            kill(pid)
        for pid in set(below) & set(children(own)):
            _, _, usage = os.wait4(pid, 0)
            cpu += usage.ru_utime + usage.ru_stime
    return cpu


def descendants(root: int) -> "list[int]":
    """All processes below `root`, whatever session, group or namespace they moved to."""
    found: list[int] = []
    pending = children(root)
    while pending:
        pid = pending.pop()
        found.append(pid)
        pending += children(pid)
    return found


def children(pid: int) -> "list[int]":
    """The children of all threads of a process."""
    found: list[int] = []
    try:
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(child) for child in file.read().split()]
    except OSError:
        return found  # it ended; or Landlock hides /proc, and forbids new processes
    return found


def everybody_else() -> "list[int]":
    """Every process of our own pid namespace but ourselves."""
    return [int(name) for name in os.listdir("/proc") if name.isdigit() and name != "1"]


def held_bytes(pids: "list[int]") -> int:
    """Memory of these processes, shared pages counted once."""
    page = resource.getpagesize()
    resident = [_resident_pages(pid) * page for pid in pids]
    if sum(resident) < _WORTH_SHARING_BYTES:
        return sum(resident)
    return sum(_proportional_bytes(pid, size) for pid, size in zip(pids, resident, strict=True))


def _resident_pages(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/statm", encoding="ascii") as file:
            return int(file.read().split()[1])
    except (OSError, IndexError):
        return 0  # it ended between two looks


def _proportional_bytes(pid: int, resident: int) -> int:
    try:
        with open(f"/proc/{pid}/smaps_rollup", encoding="ascii") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) << 10
    except OSError:
        return resident  # not readable: count all of it, never less
    return resident
