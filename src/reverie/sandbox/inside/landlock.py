"""Landlock: which paths this process and its children may open, enforced by the kernel."""

import os
import stat
import struct
from collections.abc import Callable

from . import kernel

EXECUTE, WRITE_FILE, READ_FILE, READ_DIR = 1, 2, 4, 8
READ = EXECUTE | READ_FILE | READ_DIR
_FILE_RIGHTS = EXECUTE | WRITE_FILE | READ_FILE | (1 << 14) | (1 << 15)
_RIGHTS_BY_ABI = {1: 13, 2: 14, 3: 15, 4: 15}
_SCOPE_ABSTRACT_SOCKETS, _SCOPE_SIGNALS = 1, 2
_NET_BIND, _NET_CONNECT = 1, 2


def abi() -> int:
    """Landlock version of this kernel; 0 when there is none."""
    try:
        return kernel.syscall("landlock_create_ruleset", None, 0, 1)
    except OSError:
        return 0


def all_rights(version: int) -> int:
    """Every file right this version knows; the highest bits came with later versions."""
    return (1 << _RIGHTS_BY_ABI.get(version, 16)) - 1


def restrict(readable: "list[str]", writable: "list[str]", forbid_tcp: bool) -> int:
    """Allow reading and writing below the given paths and nothing else; the version in force."""
    ruleset = make_ruleset(readable, writable, forbid_tcp)
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    try:
        enforcement(ruleset)()
    finally:
        os.close(ruleset)
    return abi()


def make_ruleset(readable: "list[str]", writable: "list[str]", forbid_tcp: bool) -> int:
    """A descriptor of the rules, for `enforcement`."""
    version = abi()
    if version < 1:
        raise OSError("Landlock is not available")
    handled = all_rights(version)
    ruleset = _create(version, handled, forbid_tcp)
    for paths, rights in ((readable, READ), (writable, handled)):
        for path in paths:
            _allow(ruleset, path, rights & handled)
    return ruleset


def enforcement(ruleset: int) -> "Callable[[], int]":
    """Puts rules in force for who calls it and its children; who has no way to new privileges."""
    return kernel.prepare("landlock_restrict_self", ruleset, 0)


def _create(version: int, handled: int, forbid_tcp: bool) -> int:
    words = [handled]
    if version >= 4:
        words.append(_NET_BIND | _NET_CONNECT if forbid_tcp else 0)
    if version >= 6:
        words.append(_SCOPE_ABSTRACT_SOCKETS | _SCOPE_SIGNALS)
    attributes = struct.pack(f"{len(words)}Q", *words)
    return kernel.syscall("landlock_create_ruleset", attributes, len(attributes), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(descriptor).st_mode):
            rights &= _FILE_RIGHTS
        kernel.syscall("landlock_add_rule", ruleset, 1, struct.pack("=Qi", rights, descriptor), 0)
    finally:
        os.close(descriptor)
