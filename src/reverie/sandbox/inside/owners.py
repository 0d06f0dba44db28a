"""Folders whose files belong to somebody else than the sandbox's user.

As root we become an id that owns nothing. A folder that its owner keeps to himself, or that
has to be written in a private view, is then shown through an id-mapped mount: the owner's
files belong to the sandbox's user there, and only there.
"""

import os
import signal
import stat
import struct
from typing import Any

from . import kernel

_OPEN_TREE_CLONE, _AT_EMPTY_PATH, _AT_FDCWD, _MOVE_EMPTY_PATH = 1, 0x1000, -100, 4
_IDMAP, _READ_ONLY, _NO_SUID, _NO_DEVICES = 0x00100000, 1, 2, 4
_READABLE_BY_ALL = stat.S_IROTH | stat.S_IXOTH


def learn(config: "dict[str, Any]") -> "dict[str, int]":
    """As root: host path to a user namespace in which its owner is the sandbox's user.

    To be called before anything is unshared: the first fork after that would be pid 1.
    """
    uid = config["uid"]
    if uid is None:
        return {}
    sources = [pair["source"] for pair in config["copies"]]
    sources += [source for source, _ in config["readonly"] if _is_closed(source)]
    found = {}
    for source in dict.fromkeys(sources):
        status = os.stat(source)
        found[source] = _mapping_namespace(status.st_uid, status.st_gid, uid)
    return found


def _is_closed(path: str) -> bool:
    try:
        mode = os.stat(path).st_mode
    except OSError:
        return False
    return stat.S_ISDIR(mode) and mode & _READABLE_BY_ALL != _READABLE_BY_ALL


def bind_as_user(source: str, target: str, namespace: int) -> None:
    """Show a folder read-only, its owner's files belonging to the sandbox's user."""
    tree = kernel.syscall(
        "open_tree", _AT_FDCWD, os.fsencode(source), _OPEN_TREE_CLONE | os.O_CLOEXEC
    )
    try:
        attributes = struct.pack(
            "QQQQ", _IDMAP | _READ_ONLY | _NO_SUID | _NO_DEVICES, 0, 0, namespace
        )
        kernel.syscall("mount_setattr", tree, b"", _AT_EMPTY_PATH, attributes, len(attributes))
        kernel.syscall("move_mount", tree, b"", _AT_FDCWD, os.fsencode(target), _MOVE_EMPTY_PATH)
    finally:
        os.close(tree)


def _mapping_namespace(owner: int, group: int, uid: int) -> int:
    """A user namespace, held by its descriptor alone, in which `owner` is `uid` outside."""
    ready, done = os.pipe()
    pid = os.fork()
    if pid == 0:
        kernel.unshare(kernel.CLONE_NEWUSER)
        os.write(done, b".")
        while True:
            signal.pause()
    try:
        os.read(ready, 1)
        for name, inside in (("uid_map", owner), ("gid_map", group)):
            descriptor = os.open(f"/proc/{pid}/{name}", os.O_WRONLY | os.O_CLOEXEC)
            os.write(descriptor, f"{inside} {uid} 1".encode())
            os.close(descriptor)
        return os.open(f"/proc/{pid}/ns/user", os.O_RDONLY | os.O_CLOEXEC)
    finally:
        os.close(ready)
        os.close(done)
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
