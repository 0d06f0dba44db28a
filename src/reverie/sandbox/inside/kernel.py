"""Raw system calls through ctypes: the few that `os` does not have."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Callable

from . import syscalls

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

CLONE_NEWTIME = 0x00000080
CLONE_NEWNS = 0x00020000
CLONE_NEWCGROUP = 0x02000000
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
CLONE_ANY_NAMESPACE = 0x7E020080

MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MS_REMOUNT, MS_BIND, MS_MOVE, MS_REC, MS_PRIVATE = 32, 0x1000, 0x2000, 0x4000, 0x40000
MNT_DETACH = 2

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_CHILD_SUBREAPER = 36
PR_SET_NO_NEW_PRIVS = 38
PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 47, 4

MACHINES = {
    "x86_64": (0xC000003E, syscalls.X86_64),
    "aarch64": (0xC00000B7, syscalls.AARCH64),
}
"""Audit architecture and system call numbers by `os.uname().machine`."""


def machine() -> tuple[int, dict[str, int]]:
    """Audit architecture and system call table of this machine."""
    name = os.uname().machine
    if name not in MACHINES:
        raise OSError(f"no system call table for machine {name}")
    return MACHINES[name]


def _checked(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def prepare(
    name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None
) -> Callable[[], int]:
    """Everything about a call of `name` but the call itself, which raises OSError naming it."""
    number = ctypes.c_long(machine()[1][name])
    converted = [ctypes.c_long(a) if isinstance(a, int) else a for a in arguments]
    return lambda: _checked(_libc.syscall(number, *converted), name)


def syscall(name: str, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """Call `name`; raises OSError naming it."""
    return prepare(name, *arguments)()


def prctl(option: int, *arguments: int) -> int:
    """Process control; raises OSError naming the option."""
    padded = (*arguments, 0, 0, 0, 0)[:4]
    result = _libc.prctl(option, *(ctypes.c_ulong(a) for a in padded))
    return _checked(result, f"prctl {option}")


def unshare(flags: int) -> None:
    """Leave the given namespaces for new ones."""
    syscall("unshare", flags)


def mount(source: str | None, target: str, kind: str | None, flags: int, data: str = "") -> None:
    """Mount, bind or change a mount."""
    result = _libc.mount(
        None if source is None else os.fsencode(source),
        os.fsencode(target),
        None if kind is None else kind.encode(),
        ctypes.c_ulong(flags),
        data.encode() if data else None,
    )
    _checked(result, f"mount {kind or source or 'flags'} on {target}")


def detach(target: str) -> None:
    """Unmount lazily."""
    _checked(_libc.umount2(os.fsencode(target), MNT_DETACH), f"umount {target}")


def pivot_root(new_root: str, put_old: str) -> None:
    """Make `new_root` the root of this mount namespace."""
    syscall("pivot_root", os.fsencode(new_root), os.fsencode(put_old))


def close_from(first: int) -> None:
    """Close every descriptor from `first` on."""
    os.closerange(first, 0x7FFFFFF)


def drop_capabilities() -> None:
    """Give up every capability set, for good."""
    for capability in range(64):
        if _libc.prctl(PR_CAPBSET_DROP, ctypes.c_ulong(capability), 0, 0, 0) < 0:
            break
    _libc.prctl(PR_CAP_AMBIENT, ctypes.c_ulong(PR_CAP_AMBIENT_CLEAR_ALL), 0, 0, 0)
    header = struct.pack("Ii", 0x20080522, 0)
    _checked(_libc.capset(header, bytes(24)), "capset")


def capabilities() -> int:
    """All effective, permitted and inheritable capabilities, or-ed together."""
    header = ctypes.create_string_buffer(struct.pack("Ii", 0x20080522, 0), 8)
    data = ctypes.create_string_buffer(24)
    _checked(_libc.capget(header, data), "capget")
    combined = 0
    for word in struct.unpack("6I", data.raw):
        combined |= word
    return combined
