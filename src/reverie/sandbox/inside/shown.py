"""Folders of the host as the sandbox sees them: the same contents, inodes of its own.

A bind mount shows the host's own inodes, and whoever has an inode in common can talk through
it: by locks, by a named pipe or a socket that lies there, by being told who opens it. So
each folder is bound out of sight and shown through an overlay, which has inodes of its own
for the same files. Where the kernel has no overlay for it, the bind itself is shown and
`is_private` is no longer true; the system call filter then refuses what this would have kept.

An overlay may remember files that the host has replaced since: a folder that the policy
names is therefore shown anew for every execution. System and interpreter stay as they are.
"""

import errno
import os
from typing import NamedTuple

from . import binds, kernel

HIDDEN = "/.hidden"
"""Where nobody without capabilities may look: no permissions, on a root that is read-only."""
_EMPTY = f"{HIDDEN}/empty"
_FLAGS = kernel.MS_RDONLY | kernel.MS_NOSUID | kernel.MS_NODEV
_NO_OVERLAY = (errno.ENODEV, errno.EINVAL, errno.EPERM, errno.ELOOP, errno.EOPNOTSUPP)


def make_hidden() -> None:
    """The folder for what executions must not see."""
    os.mkdir(HIDDEN)
    os.mkdir(_EMPTY)
    os.chmod(HIDDEN, 0)


class _Face(NamedTuple):
    """One overlay: of the folder `lower`, at `point`; or of one file in it."""

    lower: str
    point: str
    file: "str | None" = None

    def mount(self) -> None:
        if self.file is None:
            self._overlay(self.point)
            return
        behind = f"{self.lower}.face"
        os.makedirs(behind, exist_ok=True)
        self._overlay(behind)
        kernel.mount(f"{behind}/{self.file}", self.point, None, kernel.MS_BIND)
        kernel.detach(behind)

    def _overlay(self, point: str) -> None:
        options = f"lowerdir={self.lower}:{_EMPTY}"
        kernel.mount("overlay", point, "overlay", _FLAGS, options)


class Shown:
    """Everything of the host that one slot can see."""

    def __init__(self, owned: "dict[str, int]") -> None:
        self.owned = owned
        self.is_private = True
        self._count = 0
        self._renewed: list[_Face] = []

    def show(self, source: str, target: str, renewed: bool = False) -> None:
        """Show a host path (free of links) read-only, with everything mounted below it."""
        host = binds.OLD + source
        if not os.path.exists(host):
            return
        binds.make_place(host, target)
        for face in self._faces(source, target):
            try:
                face.mount()
            except OSError as error:
                if error.errno not in _NO_OVERLAY:
                    raise
                self.is_private = False
                binds.bind_readonly(source, target, self.owned)
                return
            if renewed:
                self._renewed.append(face)

    def _faces(self, source: str, target: str) -> "list[_Face]":
        self._count += 1
        place = f"{HIDDEN}/shown/{self._count}"
        if not os.path.isdir(binds.OLD + source):
            folder, name = os.path.split(source)
            binds.bind_readonly(folder, place, {})
            return [_Face(place, target, name)]
        binds.bind_readonly(source, place, self.owned)
        inner = [point[len(place) :] for point in binds.mounts_below(place)]
        return [_Face(place + path, target + path) for path in inner]

    @property
    def has_to_be_renewed(self) -> bool:
        """Whether there is anything that could change between two executions."""
        return bool(self._renewed)

    def hide(self) -> None:
        """Take down what is shown anew for every execution."""
        for face in reversed(self._renewed):
            kernel.detach(face.point)

    def renew(self) -> None:
        """Show it as it is now."""
        for face in self._renewed:
            face.mount()
