"""Memory and process limits for a whole slot by cgroup, where this user may make one.

A slot joins its group once, before it forks anything: moving a process per execution would
cost more than the execution. Where no group can be made, the zygote watches instead.
"""

import os
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


@dataclass(frozen=True, slots=True)
class SlotCgroup:
    """The groups of one slot."""

    version: int
    memory: str
    pids: str

    def recipe(self, memory_bytes: int, processes: int) -> list[dict[str, object]]:
        """What the launcher has to make: folders, and the limits to write into them."""
        memory_files = {self._memory_file: str(memory_bytes + OVERHEAD_BYTES)}
        if self.version == 2:
            files = {**memory_files, "memory.swap.max": "0", "pids.max": _tasks(processes)}
            return [{"path": self.memory, "files": files}]
        return [
            {"path": self.memory, "files": memory_files},
            {"path": self.pids, "files": {"pids.max": _tasks(processes)}},
        ]

    def set_limits(self, memory_bytes: int, processes: int) -> None:
        """Change the limits between two executions."""
        _write(self.memory, self._memory_file, str(memory_bytes + OVERHEAD_BYTES))
        _write(self.pids, "pids.max", _tasks(processes))

    def open_oom_counter(self) -> int:
        """A descriptor for `read_oom_kills`, kept open: it is read after every execution."""
        file = "memory.events" if self.version == 2 else "memory.oom_control"
        return os.open(os.path.join(self.memory, file), os.O_RDONLY | os.O_CLOEXEC)

    @property
    def _memory_file(self) -> str:
        return "memory.max" if self.version == 2 else "memory.limit_in_bytes"


def read_oom_kills(descriptor: int) -> int:
    """How often the kernel has killed in a group for want of memory."""
    try:
        text = b"\n" + os.pread(descriptor, 4096, 0)
    except OSError:
        return 0  # the slot, and with it the group, is gone
    return int(text.partition(b"\noom_kill ")[2].partition(b"\n")[0] or 0)


def find_site() -> CgroupSite | None:
    """The place where this process may make groups with memory and process limits."""
    mounts = _cgroup_mounts()
    own = _own_groups()
    return _find_version_2(mounts, own) or _find_version_1(mounts, own)


def for_slot(site: CgroupSite, name: str) -> SlotCgroup:
    """The groups that a slot of this name will have."""
    return SlotCgroup(site.version, os.path.join(site.memory, name), os.path.join(site.pids, name))


def _find_version_2(mounts: dict[str, str], own: dict[str, str]) -> CgroupSite | None:
    if "" not in mounts or "" not in own:
        return None
    here = os.path.normpath(mounts[""] + own[""])
    for folder in (here, os.path.dirname(here)):
        if folder.startswith(mounts[""]) and _has_controllers(folder) and _is_usable(folder):
            return CgroupSite(2, folder, folder)
    return None


def _has_controllers(folder: str) -> bool:
    try:
        active = Path(folder, "cgroup.subtree_control").read_text(encoding="ascii").split()
    except OSError:
        return False
    return {"memory", "pids"} <= set(active)


def _find_version_1(mounts: dict[str, str], own: dict[str, str]) -> CgroupSite | None:
    found = {}
    for controller in ("memory", "pids"):
        if controller not in mounts or controller not in own:
            return None
        root = mounts[controller]
        candidates = (os.path.normpath(root + own[controller]), root)
        usable = next((folder for folder in candidates if _is_usable(folder)), None)
        if usable is None:
            return None
        found[controller] = usable
    return CgroupSite(1, found["memory"], found["pids"])


def _is_usable(folder: str) -> bool:
    procs = os.path.join(folder, "cgroup.procs")
    return os.access(folder, os.W_OK) and os.access(procs, os.W_OK)


def _cgroup_mounts() -> dict[str, str]:
    """Controller to mount point; the unified hierarchy has the empty name."""
    found: dict[str, str] = {}
    try:
        lines = Path("/proc/self/mountinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return found
    for line in lines:
        fields, _, rest = line.partition(" - ")
        kind, _, options = rest.split(maxsplit=2)
        point = fields.split()[4]
        if kind == "cgroup2":
            found.setdefault("", point)
        elif kind == "cgroup":
            for option in options.split(","):
                found.setdefault(option, point)
    return found


def _own_groups() -> dict[str, str]:
    found: dict[str, str] = {}
    try:
        lines = Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    except OSError:
        return found
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
