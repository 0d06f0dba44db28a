"""Copies of trees that an overlay cannot take a file from.

An overlay copies a file up, with its owner and group, when it is first changed. An owner or
group that has no name in the user namespace cannot be written there, so a tree that has
such files is copied first, as belonging to the sandbox's user. It happens: folders shared
by a group, files that root has left. A tree with an overlay's own marks in it is copied
without them as well: they would hide files from the execution that everybody else sees.
"""

import os
import stat

from . import identity

_MARKS = "user.overlay."
_PART_BYTES = 1 << 20


class Census:
    """Whether a tree has strangers or marks in it, and how much there is to copy."""

    def __init__(self, tree: str, uid: "int | None") -> None:
        mapped = identity.INSIDE_ID if uid is None else uid
        self.owner = (mapped, mapped)
        self.has_strangers = _is_marked(tree)
        self.total_bytes = 0
        self._count(tree)

    def _count(self, folder: str) -> None:
        try:
            entries = list(os.scandir(folder))
        except OSError:
            return  # closed to us, so it will be closed in the copy
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            self.total_bytes += status.st_size + 4096
            if (status.st_uid, status.st_gid) != self.owner or _is_marked(entry.path):
                self.has_strangers = True
            if stat.S_ISDIR(status.st_mode):
                self._count(entry.path)


def _is_marked(path: str) -> bool:
    try:
        names = os.listxattr(path, follow_symlinks=False)
    except OSError:
        return False  # closed to us, or on a file system without attributes
    return any(name.startswith(_MARKS) for name in names)


def copy(tree: str, target: str, uid: "int | None") -> None:
    """Copy what can be read: folders, files and links, all belonging to the sandbox's user."""
    os.mkdir(target)
    _own(target, os.stat(tree).st_mode, uid)
    for entry in os.scandir(tree):
        inner = os.path.join(target, entry.name)
        try:
            if entry.is_symlink():
                os.symlink(os.readlink(entry.path), inner)
            elif entry.is_dir():
                copy(entry.path, inner, uid)
            elif entry.is_file():
                copy_file(entry.path, inner)
                status = entry.stat()
                os.utime(inner, ns=(status.st_atime_ns, status.st_mtime_ns))
                _own(inner, status.st_mode, uid)
        except PermissionError:
            continue  # closed to the sandbox's user, copied or not


def copy_file(source: str, target: str) -> None:
    """The contents of one file. `shutil` would bring six libraries along into every fork."""
    with open(source, "rb") as reading, open(target, "wb") as writing:
        while part := reading.read(_PART_BYTES):
            writing.write(part)


def _own(path: str, mode: int, uid: "int | None") -> None:
    os.chmod(path, stat.S_IMODE(mode) | stat.S_IRUSR | stat.S_IWUSR)
    if uid is not None:
        os.chown(path, uid, uid)
