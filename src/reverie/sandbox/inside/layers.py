"""Private copy-on-write views of folders, kept by the launcher.

Each is an overlay: the original below, read-only, and above it an empty in-memory layer
that takes every change. Between two executions the layer is not cleaned but replaced by a
new one, so nothing here ever walks through what hostile code has left.

The zygote asks for fresh layers over a socket: it has no right to mount any more.
"""

import os
import socket
import stat
from typing import Any

from . import kernel, mounts, snapshot

_LAYER_INODES = 65_536
_WORD_BYTES = 1024


class Layers:
    """The views of one slot."""

    def __init__(self, config: "dict[str, Any]") -> None:
        self.pairs: list[dict[str, Any]] = config["copies"]
        self.uid: int | None = config["uid"]
        self.size: int = config["disk_bytes"]
        self.mounted = False

    def mount_originals(self, owners: "dict[str, int]") -> None:
        """In the new root: every folder read-only at its hidden place."""
        for pair in self.pairs:
            os.makedirs(pair["layer"], exist_ok=True)
            os.makedirs(pair["copy"], exist_ok=True)
            mounts.bind_readonly(pair["source"], pair["original"], owners)
            census = snapshot.Census(pair["original"], self.uid)
            pair["is_copied"] = census.has_strangers
            pair["bytes"] = self.size + (census.total_bytes if census.has_strangers else 0)

    def mount_fresh(self) -> None:
        """Replace what the last execution changed by nothing."""
        for pair in self.pairs:
            if self.mounted:
                kernel.detach(pair["copy"])
                kernel.detach(pair["layer"])
            _mount_layer(pair, self.uid)
        self.mounted = True

    def answer(self, channel: socket.socket) -> None:
        """Serve one request of the zygote for fresh layers."""
        if not channel.recv(1):
            return
        try:
            self.mount_fresh()
        except OSError as error:
            channel.send(str(error).encode()[:_WORD_BYTES])
        else:
            channel.send(b"fresh")


def ask_for_fresh(descriptor: int) -> None:
    """In the zygote: wait until the launcher has replaced the layers."""
    os.write(descriptor, b"R")
    word = os.read(descriptor, _WORD_BYTES)
    if word != b"fresh":
        raise OSError(f"no fresh view: {word.decode(errors='replace') or 'the launcher is gone'}")


def _mount_layer(pair: "dict[str, Any]", uid: "int | None") -> None:
    layer, original = pair["layer"], pair["original"]
    options = f"size={pair['bytes']},nr_inodes={_LAYER_INODES},mode=711"
    kernel.mount("tmpfs", layer, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, options)
    mode = stat.S_IMODE(os.stat(original).st_mode) | stat.S_IRWXU
    for name in ("upper", "work"):
        path = f"{layer}/{name}"
        os.mkdir(path)
        os.chmod(path, mode)
        if uid is not None:
            os.chown(path, uid, uid)
    lower = original
    if pair["is_copied"]:
        lower = f"{layer}/lower"
        snapshot.copy(original, lower, uid)
    stacked = f"lowerdir={lower},upperdir={layer}/upper,workdir={layer}/work,userxattr"
    kernel.mount("overlay", pair["copy"], "overlay", kernel.MS_NOSUID | kernel.MS_NODEV, stacked)
