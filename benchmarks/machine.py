"""What a figure was measured on: facts to print beside it, and CPU time that load cannot bend."""

import os
import platform
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Machine:
    """Facts that explain a difference between two runs."""

    kernel: str
    architecture: str
    processor: str
    cores: int
    memory_mb: int
    python: str
    is_root: bool

    def as_dict(self) -> dict[str, Any]:
        """For the JSON document."""
        return asdict(self)

    def __str__(self) -> str:
        user = "root" if self.is_root else "an ordinary user"
        return (
            f"Linux {self.kernel} {self.architecture}, {self.cores} cores ({self.processor}), "
            f"{self.memory_mb} MB, {self.python}, as {user}"
        )


def describe_machine() -> Machine:
    """This machine, without its name or its paths."""
    return Machine(
        kernel=platform.release(),
        architecture=platform.machine(),
        processor=_processor(),
        cores=len(os.sched_getaffinity(0)),
        memory_mb=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") >> 20,
        python=f"{platform.python_implementation()} {platform.python_version()}",
        is_root=os.getuid() == 0,
    )


def load() -> float:
    """Processes that wanted a core, over the last minute."""
    return os.getloadavg()[0]


def real_interpreter() -> str:
    """The interpreter itself: a name on the PATH may be a shell script that looks for one."""
    return os.path.realpath(sys.executable)


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else "unknown"


@dataclass(frozen=True, slots=True)
class ProcessStat:
    """One line of /proc/PID/stat, as far as it is needed here."""

    pid: int
    name: str
    state: str
    parent: int
    session: int
    cpu_seconds: float  # its own, and that of the children it has waited for


def read_stat(pid: int) -> ProcessStat | None:
    """A process as the kernel shows it; None when it is gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    name, _, rest = text.partition("(")[2].rpartition(")")
    fields = rest.split()
    ticks = sum(int(fields[number]) for number in (11, 12, 13, 14))
    return ProcessStat(
        pid, name, fields[0], int(fields[1]), int(fields[3]), ticks / _TICKS_PER_SECOND
    )


def all_processes() -> dict[int, ProcessStat]:
    """Every process of this machine that can be seen."""
    found = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit() and (stat := read_stat(int(entry))) is not None:
            found[stat.pid] = stat
    return found


def descendants(root: int) -> list[ProcessStat]:
    """All processes below one, at this moment."""
    children: dict[int, list[ProcessStat]] = {}
    for stat in all_processes().values():
        children.setdefault(stat.parent, []).append(stat)
    found: list[ProcessStat] = []
    pending = [root]
    while pending:
        below = children.get(pending.pop(), [])
        found += below
        pending += [stat.pid for stat in below]
    return found


def tree_cpu_seconds(root: int) -> float:
    """CPU time of a process and everything below it, ended and waited for or still running."""
    own = read_stat(root)
    below = sum(stat.cpu_seconds for stat in descendants(root))
    return below + (own.cpu_seconds if own else 0.0)
