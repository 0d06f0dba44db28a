"""Who the sandboxed process is: the only user of its namespace, with no power at all.

Not 65534: that is how the kernel shows every owner that has no name in here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import kernel

INSIDE_ID = 1000
_LOOPBACK_UP = (0x8914, b"lo", 1 | 64)  # SIOCSIFFLAGS, interface, up and running


def map_single_user(uid: int, gid: int) -> None:
    """In a new user namespace: one user, who is (uid, gid) outside."""
    _write("/proc/self/setgroups", "deny")
    _write("/proc/self/uid_map", f"{INSIDE_ID} {uid} 1")
    _write("/proc/self/gid_map", f"{INSIDE_ID} {gid} 1")


def become(uid: int) -> None:
    """Give up root for an unused unprivileged id, for good."""
    os.setgroups([])
    os.setresgid(uid, uid, uid)
    os.setresuid(uid, uid, uid)
    if os.getresuid() != (uid, uid, uid) or os.getresgid() != (uid, uid, uid):
        raise OSError(f"could not become uid {uid}")
    kernel.prctl(kernel.PR_SET_DUMPABLE, 1)


def unreachable(uid: int, paths: Iterable[str]) -> str | None:
    """The first of these paths that `uid` cannot use; a child that becomes it tries them all.

    Root's interpreter often lies below a home folder that is closed to everybody else.
    """
    wanted = [path for path in paths if os.path.exists(path)]
    pid = os.fork()
    if pid == 0:
        status = 255
        try:
            become(uid)
            closed = (n for n, path in enumerate(wanted) if not os.access(path, os.R_OK))
            status = min(next(closed, -1) + 1, 254)
        finally:
            os._exit(status)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if status == 0:
        return None
    return wanted[status - 1] if 0 < status <= len(wanted) else f"uid {uid}"


def raise_loopback() -> None:
    """Bring `lo` up in a new network namespace: servers inside can talk to themselves."""
    import fcntl
    import socket
    import struct

    command, name, flags = _LOOPBACK_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as handle:
        fcntl.ioctl(handle.fileno(), command, struct.pack("16sH14x", name, flags))


def _write(path: str, text: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
