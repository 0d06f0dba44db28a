"""Groups are named after the process they belong to, so that those of dead ones can be removed.

A process that is killed together with its launchers leaves its groups behind. The next one sweeps
them, but only those whose owner is proven dead and that nobody is in.
"""

import os
import re
from pathlib import Path

from reverie.sandbox.backends.cgroups import CgroupSite

_NAME = re.compile(r"reverie-(?P<pid>\d+)-(?P<start>\d+)-(?P<namespace>\d+)-\d+")
_START_FIELD = 19
"""Of `/proc/PID/stat` behind the name: when the process began, in ticks since the machine did."""


def group_name(serial: int) -> str:
    """A name for the groups of one slot that says whose it is."""
    own = os.getpid()
    return f"reverie-{own}-{_start_of(own) or 0}-{_pid_namespace()}-{serial}"


def sweep_groups(site: CgroupSite) -> tuple[str, ...]:
    """Remove the empty groups of processes that are dead; which they were."""
    folders = dict.fromkeys(each for each in (site.memory, site.pids, site.cpu) if each)
    return tuple(
        path
        for folder in folders
        for path in _groups_in(folder)
        if is_orphaned(os.path.basename(path)) and _is_empty(path) and _is_removed(path)
    )


def is_orphaned(name: str) -> bool:
    """Whether the process that a group is named after is known to be dead.

    It is when no process has its number, or one that began at another time. In another pid
    namespace numbers mean other processes: nothing is known there.
    """
    found = _NAME.fullmatch(name)
    if found is None or int(found["namespace"]) != _pid_namespace() or not int(found["start"]):
        return False
    pid, start = int(found["pid"]), _start_of(int(found["pid"]))
    return _is_free(pid) if start is None else start != int(found["start"])


def _is_free(pid: int) -> bool:
    """Whether no process has this number; one that may not be looked at has it."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except (PermissionError, OverflowError):
        return False
    return False


def _groups_in(folder: str) -> list[str]:
    try:
        return [os.path.join(folder, name) for name in os.listdir(folder) if _NAME.fullmatch(name)]
    except OSError:
        return []


def _is_empty(path: str) -> bool:
    try:
        return not Path(path, "cgroup.procs").read_text("ascii").strip()
    except OSError:
        return False


def _is_removed(path: str) -> bool:
    """The kernel refuses when somebody has come in, or another sweeper was first."""
    try:
        os.rmdir(path)
    except OSError:
        return False
    return True


def _start_of(pid: int) -> int | None:
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return None
    return int(text.rpartition(")")[2].split()[_START_FIELD])


def _pid_namespace() -> int:
    """The number of the namespace that this process counts in; 0 where nobody says."""
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0
