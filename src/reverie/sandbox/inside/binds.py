"""Read-only bind mounts from the old root, while it is still reachable."""

import errno
import os
import re
import struct

from . import kernel, owners

OLD = "/old"
"""Where the host's root is until the new one is sealed."""
READONLY = kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV
_AT_RECURSIVE, _AT_FDCWD = 0x8000, -100


def bind_readonly(source: str, target: str, owned: "dict[str, int] | None" = None) -> None:
    """Show one host path (free of links) read-only, with everything mounted below it.

    One that has an owner in `owned` is shown as belonging to the sandbox's user.
    """
    host = OLD + source
    if not os.path.exists(host):
        return
    make_place(host, target)
    if owned and source in owned:
        owners.bind_as_user(host, target, owned[source])
        return
    kernel.mount(host, target, None, kernel.MS_BIND | kernel.MS_REC)
    make_readonly(target)


def make_place(host: str, target: str) -> None:
    """A folder or an empty file to mount on."""
    if os.path.isdir(host):
        os.makedirs(target, exist_ok=True)
    elif not os.path.exists(target):
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o644))


def make_readonly(path: str) -> None:
    """Read-only, no set-uid, no devices; for the mount and everything below it."""
    attributes = struct.pack("QQQQ", 1 | 2 | 4, 0, 0, 0)  # read-only, no set-uid, no devices
    try:
        kernel.syscall(
            "mount_setattr",
            _AT_FDCWD,
            os.fsencode(path),
            _AT_RECURSIVE,
            attributes,
            len(attributes),
        )
    except OSError as error:
        if error.errno != errno.ENOSYS:
            raise
        for point in mounts_below(path):
            kernel.mount(None, point, None, kernel.MS_REMOUNT | kernel.MS_BIND | READONLY)


def mounts_below(path: str) -> list[str]:
    """Every mount point at or below a path, outer ones first."""
    with open(f"{OLD}/proc/self/mountinfo", encoding="utf-8", errors="surrogateescape") as lines:
        points = [_unescaped(line.split()[4]) for line in lines]
    return [point for point in points if point == path or point.startswith(path + "/")]


def _unescaped(field: str) -> str:
    """The kernel writes blanks and backslashes of a path as three octal digits."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), field)
