"""Memory and process limits for a whole slot by cgroup, where this user may make one.

A slot joins its group once, before it forks anything: moving a process per execution would
cost more than the execution. Where no group can be made, the zygote watches instead.
"""

import os
import re
from dataclasses import dataclass
from pathlib import Path

OVERHEAD_BYTES = 48 << 20
"""Room for the zygote and the spare, which share the group with the execution."""
OVERHEAD_TASKS = 8


@dataclass(frozen=True, slots=True)
class CgroupSite:
    """Where groups can be made: one folder per hierarchy."""

    version: int
    memory: str
    pids: str
    cpu: str | None = None


@dataclass(frozen=True, slots=True)
class SlotCgroup:
    """The groups of one slot."""

    version: int
    memory: str
    pids: str
    cpu: str | None = None

    def recipe(self, memory_bytes: int, processes: int) -> list[dict[str, object]]:
        """What the launcher has to make: folders, and the limits to write into them."""
        memory_files = {self._memory_file: str(memory_bytes + OVERHEAD_BYTES)}
        if self.version == 2:
            files = {**memory_files, "memory.swap.max": "0", "pids.max": _tasks(processes)}
            return [{"path": self.memory, "files": files}]
        groups: list[dict[str, object]] = [
            {"path": self.memory, "files": memory_files},
            {"path": self.pids, "files": {"pids.max": _tasks(processes)}},
        ]
        return [*groups, {"path": self.cpu, "files": {}}] if self.cpu else groups

    def set_limits(self, memory_bytes: int, processes: int) -> None:
        """Change the limits between two executions."""
        _write(self.memory, self._memory_file, str(memory_bytes + OVERHEAD_BYTES))
        _write(self.pids, "pids.max", _tasks(processes))

    def open_oom_counter(self) -> int:
        """A descriptor for `read_oom_kills`, kept open: it is read after every execution."""
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        return os.open(os.path.join(self.memory, file), os.O_RDONLY | os.O_CLOEXEC)

    def open_cpu_counter(self) -> int:
        """A descriptor for `read_cpu_seconds`; -1 where the group's time is not counted."""
        if self.cpu is None:
            return -1
        file = "cpu.stat" if self.version == 2 else "cpuacct.usage"
        return os.open(os.path.join(self.cpu, file), os.O_RDONLY | os.O_CLOEXEC)

    @property
    def _memory_file(self) -> str:
        return "memory.max" if self.version == 2 else "memory.limit_in_bytes"


@dataclass(frozen=True, slots=True)
class _Mount:
    """A hierarchy, or a part of it from `root` on, and where it is mounted."""

    point: str
    root: str

    def folder_of(self, group: str) -> str:
        """Where a group is found; a container may see only its own part of the hierarchy."""
        inner = group.removeprefix(self.root.rstrip("/"))
        return os.path.normpath(f"{self.point}/{inner}")


def read_oom_kills(descriptor: int) -> int:
    """How often the kernel has killed in a group for want of memory."""
    try:
        text = b"\n" + os.pread(descriptor, 4096, 0)
    except OSError:
        return 0  # the slot, and with it the group, is gone
    return int(text.partition(b"\noom_kill ")[2].partition(b"\n")[0] or 0)


def read_cpu_seconds(descriptor: int) -> float | None:
    """CPU time of everybody who is or was in a group; None when nobody counts it."""
    if descriptor < 0:
        return None
    try:
        text = os.pread(descriptor, 4096, 0)
    except OSError:
        return None  # the slot, and with it the group, is gone
    if text.startswith(b"usage_usec "):
        return int(text.split(maxsplit=2)[1]) / 1e6
    return int(text) / 1e9


def find_site(process: str = "/proc/self") -> CgroupSite | None:
    """The place where a process may make groups with memory and process limits."""
    mounts = _cgroup_mounts(_lines(process, "mountinfo"))
    own = _own_groups(_lines(process, "cgroup"))
    return _find_version_2(mounts, own) or _find_version_1(mounts, own)


def for_slot(site: CgroupSite, name: str) -> SlotCgroup:
    """The groups that a slot of this name will have."""
    memory, pids = os.path.join(site.memory, name), os.path.join(site.pids, name)
    cpu = None if site.cpu is None else os.path.join(site.cpu, name)
    return SlotCgroup(site.version, memory, pids, cpu)


def _find_version_2(mounts: dict[str, _Mount], own: dict[str, str]) -> CgroupSite | None:
    """Our own group or the one above: only a group without processes can have controllers."""
    if "" not in mounts or "" not in own:
        return None
    top = mounts[""].point
    here = mounts[""].folder_of(own[""])
    for folder in (here, os.path.dirname(here)):
        is_below = folder == top or folder.startswith(f"{top}/")
        if is_below and _has_controllers(folder) and _is_usable(folder):
            return CgroupSite(2, folder, folder, folder)
    return None


def _has_controllers(folder: str) -> bool:
    try:
        active = Path(folder, "cgroup.subtree_control").read_text(encoding="ascii").split()
    except OSError:
        return False
    return {"memory", "pids"} <= set(active)


def _find_version_1(mounts: dict[str, _Mount], own: dict[str, str]) -> CgroupSite | None:
    found = {
        controller: _usable_folder(mounts[controller], own[controller])
        for controller in ("memory", "pids", "cpuacct")
        if controller in mounts and controller in own
    }
    memory, pids, cpu = (found.get(name) for name in ("memory", "pids", "cpuacct"))
    if memory is None or pids is None:
        return None
    return CgroupSite(1, memory, pids, None if cpu in (memory, pids) else cpu)


def _usable_folder(mount: _Mount, group: str) -> str | None:
    candidates = (mount.folder_of(group), mount.point)
    return next((folder for folder in candidates if _is_usable(folder)), None)


def _is_usable(folder: str) -> bool:
    procs = os.path.join(folder, "cgroup.procs")
    return os.access(folder, os.W_OK) and os.access(procs, os.W_OK)


def _lines(process: str, file: str) -> list[str]:
    try:
        return Path(process, file).read_text("utf-8", "surrogateescape").splitlines()
    except OSError:
        return []


def _cgroup_mounts(lines: list[str]) -> dict[str, _Mount]:
    """Controller to mount; the unified hierarchy has the empty name."""
    found: dict[str, _Mount] = {}
    for line in lines:
        fields, _, rest = line.partition(" - ")
        kind, _, options = rest.split(maxsplit=2)
        if kind not in ("cgroup", "cgroup2"):
            continue
        root, point = (_unescaped(field) for field in fields.split()[3:5])
        for controller in [""] if kind == "cgroup2" else options.split(","):
            found.setdefault(controller, _Mount(point, root))
    return found


def _unescaped(field: str) -> str:
    """The kernel writes blanks and backslashes of a path as three octal digits."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)


def _own_groups(lines: list[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for line in lines:
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(","):
            found[controller] = path
    return found


def _tasks(processes: int) -> str:
    return str(processes + OVERHEAD_TASKS)


def _write(folder: str, file: str, value: str) -> None:
    descriptor = os.open(os.path.join(folder, file), os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, value.encode())
    finally:
        os.close(descriptor)
