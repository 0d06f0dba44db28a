"""Judgement on what is around the kernel: container, folders, limits, programs. Pure."""

from reverie.sandbox.backends.srt import INSTALL, INSTALL_HELPERS
from reverie.sandbox.doctor import fixes
from reverie.sandbox.doctor.findings import Check, State
from reverie.sandbox.doctor.machine import Machine

_SHARED_MEMORY_BYTES = 64 << 20
_TEMPORARY_BYTES = 64 << 20
_WANTED_LIMITS = {"open files": 1024, "processes": 512, "address space": 8 << 30}
_LIMIT_COMMANDS = {
    "open files": "ulimit -n 4096",
    "processes": "ulimit -u 4096",
    "address space": "ulimit -v unlimited",
}


def check_container(machine: Machine) -> Check:
    """Whether a wall around us stands in the way of our own."""
    why = "container runtimes forbid namespaces unless they are told otherwise"
    around = machine.container
    if around is None:
        return Check("container", State.OK, "none seen", why)
    seen = f"inside {around.kind} ({around.mark})"
    needed = ("user_namespace", "mounts", "proc")
    if all(machine.features[name].worked for name in needed):
        return Check("container", State.OK, f"{seen}; it lets us make namespaces", why)
    return Check(
        "container",
        State.LIMITED,
        f"{seen}; it forbids namespaces or mounts",
        why,
        fixes.open_container(machine),
    )


def check_shared_memory(machine: Machine) -> Check:
    """Sandboxes have their own; the host's serves tier none and Reverie's own helpers."""
    why = "multiprocessing under tier none; the other tiers bring their own"
    size = machine.shared_memory_bytes
    fix = "sudo mount -t tmpfs -o size=1g,mode=1777 tmpfs /dev/shm (docker run --shm-size=1g …)"
    if size is None:
        return Check("shared memory", State.LIMITED, "/dev/shm is not writable", why, fix)
    seen = f"/dev/shm, {size >> 20} MiB"
    if size < _SHARED_MEMORY_BYTES:
        return Check("shared memory", State.LIMITED, seen, why, fix)
    return Check("shared memory", State.OK, seen, why)


def check_temporary_folder(machine: Machine) -> Check:
    """Tiers without a root of their own keep scratch space there."""
    folder = machine.temporary
    why = "scratch space of tiers landlock and none; mount points of srt"
    choose = "export TMPDIR=/a/folder/that/is/writable"
    if not folder.is_writable:
        return Check(
            "temporary folder", State.MISSING, f"{folder.path} is not writable", why, choose
        )
    if folder.is_noexec:
        fix = f"sudo mount -o remount,exec {folder.path} (or {choose})"
        seen = f"{folder.path} is mounted noexec: built extensions cannot be loaded from it"
        return Check("temporary folder", State.LIMITED, seen, why, fix)
    if folder.free_bytes < _TEMPORARY_BYTES:
        seen = f"{folder.path} has {folder.free_bytes >> 20} MiB left"
        return Check("temporary folder", State.LIMITED, seen, why, choose)
    return Check("temporary folder", State.OK, folder.path, why)


def check_resource_limits(machine: Machine) -> Check:
    """Limits that our own processes would run into."""
    why = "each slot holds descriptors and processes; a bound address space breaks threads"
    short = [
        name
        for name, wanted in _WANTED_LIMITS.items()
        if (limit := machine.resource_limits[name]) is not None and limit < wanted
    ]
    shown = ", ".join(
        f"{name} {'unlimited' if limit is None else limit}"
        for name, limit in machine.resource_limits.items()
    )
    if not short:
        return Check("resource limits", State.OK, shown, why)
    fix = " && ".join(_LIMIT_COMMANDS[name] for name in short)
    return Check("resource limits", State.LIMITED, shown, why, fix)


def check_interpreter(machine: Machine) -> Check:
    """As root a sandbox's process is nobody, and nobody has to reach the interpreter."""
    why = "as root, executions run as an unused user, who has to reach the interpreter"
    if not machine.is_root or machine.closed_folder is None:
        return Check("interpreter", State.OK, machine.interpreter, why)
    seen = f"{machine.interpreter} lies in {machine.closed_folder}, which is closed to others"
    fix = "PYTHON=/usr/bin/python3 make setup (an interpreter outside a home folder)"
    return Check("interpreter", State.LIMITED, f"{seen}: tier landlock stays root", why, fix)


def check_srt(machine: Machine) -> Check:
    """Optional."""
    why = "optional: tier srt, when asked for by name"
    if machine.srt_version is not None:
        return Check("srt", State.OK, f"sandbox-runtime {machine.srt_version}", why)
    fix = f"{INSTALL} && {INSTALL_HELPERS}"
    return Check("srt", State.MISSING, machine.srt_problem or "not installed", why, fix)


def check_postgres(machine: Machine) -> Check:
    """Optional."""
    why = "optional: a journal in PostgreSQL instead of SQLite"
    if machine.has_postgres:
        return Check("postgresql driver", State.OK, "psycopg", why)
    return Check(
        "postgresql driver", State.MISSING, "no psycopg", why, "pip install 'reverie[postgres]'"
    )


def check_git(machine: Machine) -> Check:
    """Promotions are git branches."""
    why = "improvements are promoted as git branches"
    if machine.git is not None:
        return Check("git", State.OK, machine.git, why)
    return Check("git", State.MISSING, "not on the PATH", why, "apt-get install git")
