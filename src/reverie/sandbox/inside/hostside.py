"""What a slot leaves on the host while it lives: cgroups and, without namespaces, a folder.

Made and removed by the launcher, which outlives the slot, so that nothing stays behind even
when the supervisor is killed.
"""

from __future__ import annotations

import os
import time
from typing import Any

from . import wipe

_CLEANUP_SECONDS = 1.5


class HostThings:
    """Makes them, lets the zygote join them, removes them."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.groups: list[dict[str, Any]] = config["cgroups"]
        self.folder: str | None = None
        if config["tier"] != "namespaces":
            self.folder = config["scratch"][0]
        self.owner: int | None = config["uid"]
        self.parents: list[tuple[int, str]] = []
        self.members: list[int] = []

    def make(self) -> None:
        """Create the groups with their limits, and the scratch folder."""
        for group in self.groups:
            path = group["path"]
            parent, name = os.path.split(path)
            os.mkdir(path)
            self.parents.append((os.open(parent, os.O_PATH | os.O_CLOEXEC), name))
            for file, value in group["files"].items():
                _write(os.path.join(path, file), value)
            members = os.path.join(path, "cgroup.procs")
            self.members.append(os.open(members, os.O_WRONLY | os.O_CLOEXEC))
        if self.folder is not None:
            os.mkdir(self.folder, 0o700)
            if self.owner is not None:
                os.chown(self.folder, self.owner, self.owner)

    def join(self) -> None:
        """Called in the zygote: enter the groups, then forget the way to them."""
        for descriptor in self.members:
            os.write(descriptor, b"0")
        for descriptor in (*self.members, *(parent for parent, _ in self.parents)):
            os.close(descriptor)

    def remove(self) -> None:
        """Remove everything that `make` made."""
        deadline = time.monotonic() + _CLEANUP_SECONDS
        for parent, name in self.parents:
            while not _remove_group(parent, name) and time.monotonic() < deadline:
                time.sleep(0.005)  # the kernel is still taking the last process out
        if self.folder is not None and os.path.isdir(self.folder):
            wipe.empty(self.folder, 0o700, at_most=10_000_000)
            os.rmdir(self.folder)


def _remove_group(parent: int, name: str) -> bool:
    try:
        os.rmdir(name, dir_fd=parent)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def _write(path: str, value: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CLOEXEC)
    try:
        os.write(descriptor, value.encode())
    finally:
        os.close(descriptor)
