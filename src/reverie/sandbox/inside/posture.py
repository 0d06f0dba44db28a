"""A process of ours looks at itself, for what cannot be seen from outside."""

import errno
import os
from typing import Any

from . import kernel

_PR_GET_SECCOMP, _PR_GET_NO_NEW_PRIVS = 21, 39
_NAMESPACES = ("user", "mnt", "pid", "ipc", "uts", "cgroup", "net")
_FORBIDDEN_WRITES = ("/.reverie-probe", "/usr/.reverie-probe", "/etc/.reverie-probe")


class Unsafe(Exception):
    """A layer that was asked for is not in force."""


def namespaces() -> "dict[str, int]":
    """Inode of each namespace this process is in."""
    return {name: os.stat(f"/proc/self/ns/{name}").st_ino for name in _NAMESPACES}


def examine(config: "dict[str, Any]") -> "dict[str, Any]":
    """Facts about this process that cannot be seen from outside, which looks at the rest."""
    if config["tier"] == "none":
        return {"proc": os.path.isdir("/proc/self/task")}
    for path in _FORBIDDEN_WRITES:
        refuse_writing(path)
    return {"kept_uid": config.get("kept_uid"), "proc": bool(config.get("has_proc"))}


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
