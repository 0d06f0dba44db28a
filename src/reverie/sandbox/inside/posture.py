"""The zygote's look at itself before it serves: is every layer that was asked for in force?"""

import errno
import os
from typing import Any

from . import kernel, landlock

_PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS = 21, 39
_NAMESPACES = ("user", "mnt", "pid", "ipc", "uts", "cgroup", "net")


class Unsafe(Exception):
    """A layer that was asked for is not in force."""


def namespaces() -> "dict[str, int]":
    """Inode of each namespace this process is in."""
    return {name: os.stat(f"/proc/self/ns/{name}").st_ino for name in _NAMESPACES}


def check_namespaces(config: "dict[str, Any]") -> None:
    """Every namespace is our own. To be called while /proc/self is still readable."""
    if not config["has_proc"]:
        return  # unshare() itself said yes; there is no /proc to look again
    shared = {"net"} if config["network"] else set()
    for name, inode in namespaces().items():
        if name not in shared and config["host_namespaces"].get(name) == inode:
            raise Unsafe(f"the {name} namespace is the host's")


def examine(config: "dict[str, Any]") -> "dict[str, Any]":
    """Facts about this process, after refusing to go on without a layer."""
    if config["tier"] == "none":
        return {"uid": os.getuid(), "proc": os.path.isdir("/proc/self/task")}
    check_power()
    for path in _FORBIDDEN_WRITES:
        refuse_writing(path)
    return {
        "uid": os.getuid(),
        "kept_uid": config.get("kept_uid"),
        "landlock": landlock.abi(),
        "proc": bool(config.get("has_proc")),
        "pid": os.getpid(),
    }


_FORBIDDEN_WRITES = ("/.reverie-probe", "/usr/.reverie-probe", "/etc/.reverie-probe")


def check_power() -> None:
    """Refuse to go on with a capability, without a filter, or with a way to more power."""
    if kernel.capabilities() != 0:
        raise Unsafe("capabilities are left")
    if kernel.prctl(_PR_GET_SECCOMP) != 2:
        raise Unsafe("no system call filter is in force")
    if kernel.prctl(_PR_GET_NO_NEW_PRIVS) != 1:
        raise Unsafe("new privileges are possible")


def refuse_writing(path: str) -> None:
    """Refuse to go on where a file can be made that nobody should be able to make."""
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600)
    except OSError as error:
        if error.errno in (errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOENT):
            return
        raise
    os.close(descriptor)
    os.unlink(path)
    raise Unsafe(f"{path} could be written")
