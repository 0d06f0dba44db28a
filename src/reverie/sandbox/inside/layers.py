"""Private copy-on-write views of folders, kept by the launcher.

Each is an overlay: the original below, read-only, and above it an empty in-memory layer
that takes every change. Between two executions the layer is not cleaned but replaced by a
new one, so nothing here ever walks through what hostile code has left. Original and layer
lie where executions cannot look, and the launcher, which no foreign code has ever run in,
is the one who reads from them what was changed.

The zygote asks for both over a socket: it has no right to mount, or to look, any more.
"""

from __future__ import annotations

import json
import os
import socket
import stat
import struct
from collections.abc import Callable
from typing import Any

from . import binds, changes, kernel, scratch, snapshot
from .shown import HIDDEN, Shown

_LAYER_INODES = 65_536
_LENGTH = struct.Struct("!I")
_FRESH, _CHANGES, _SCRATCH, _NUMBER = b"R", b"C", b"T", b"P"


class Layers:
    """The views of one slot."""

    def __init__(self, config: dict[str, Any]) -> None:
        self.pairs: list[dict[str, Any]] = config["copies"]
        self.uid: int | None = config["uid"]
        self.size: int = config["disk_bytes"]
        self.config = config
        self.shown = Shown({})
        self.shuffle_numbers: Callable[[], None] | None = None
        self.mounted = False

    @property
    def has_to_be_renewed(self) -> bool:
        """Whether an execution needs anything mounted for itself alone."""
        return bool(self.pairs) or self.shown.has_to_be_renewed

    def mount_originals(self, owners: dict[str, int]) -> None:
        """In the new root: every folder read-only at its hidden place."""
        for number, pair in enumerate(self.pairs):
            pair["original"] = f"{HIDDEN}/original/{number}"
            pair["layer"] = f"{HIDDEN}/layers/{number}"
            os.makedirs(pair["layer"], exist_ok=True)
            os.makedirs(pair["copy"], exist_ok=True)
            binds.bind_readonly(pair["source"], pair["original"], owners)
            census = snapshot.Census(pair["original"], self.uid)
            pair["is_copied"] = census.has_strangers
            pair["bytes"] = self.size + (census.total_bytes if census.has_strangers else 0)

    def mount_fresh(self) -> None:
        """Replace what the last execution changed by nothing."""
        if self.mounted:
            for pair in reversed(self.pairs):
                kernel.detach(pair["copy"])
                kernel.detach(pair["layer"])
            self.shown.hide()
            self.shown.renew()
        for pair in self.pairs:
            _mount_layer(pair, self.uid)
        self.mounted = True

    def answer(self, channel: socket.socket) -> None:
        """Serve one request of the zygote."""
        order = channel.recv(1)
        if not order:
            return
        try:
            reply = self._obey(order)
        except OSError as error:
            reply = {"error": str(error)}
        body = json.dumps(reply).encode()
        channel.sendall(_LENGTH.pack(len(body)) + body)

    def _obey(self, order: bytes) -> dict[str, Any]:
        if order == _CHANGES:
            return changes.changes(self.pairs)
        if order == _SCRATCH:
            scratch.renew(self.config)
        elif order == _NUMBER and self.shuffle_numbers is not None:
            self.shuffle_numbers()
        elif order == _FRESH:
            self.mount_fresh()
        return {}


def ask_for_scratch(descriptor: int) -> None:
    """In the zygote, when nobody lives any more: empty scratch folders that nobody has used."""
    _ask(descriptor, _SCRATCH, "no fresh scratch folder")


def ask_for_number(descriptor: int) -> None:
    """In the zygote, before a fork: a process number by chance."""
    _ask(descriptor, _NUMBER, "no process number")


def ask_for_fresh(descriptor: int) -> None:
    """In the zygote: wait until the launcher has replaced the layers."""
    _ask(descriptor, _FRESH, "no fresh view")


def ask_for_changes(descriptor: int) -> dict[str, Any]:
    """In the zygote, when nobody lives any more: what was changed, and is that all."""
    return _ask(descriptor, _CHANGES, "no list of changes")


def _ask(descriptor: int, order: bytes, failure: str) -> dict[str, Any]:
    os.write(descriptor, order)
    (length,) = _LENGTH.unpack(_read(descriptor, _LENGTH.size, failure))
    reply: dict[str, Any] = json.loads(_read(descriptor, length, failure))
    if "error" in reply:
        raise OSError(f"{failure}: {reply['error']}")
    return reply


def _read(descriptor: int, count: int, failure: str) -> bytes:
    found = b""
    while len(found) < count:
        more = os.read(descriptor, count - len(found))
        if not more:
            raise OSError(f"{failure}: the launcher is gone")
        found += more
    return found


def _mount_layer(pair: dict[str, Any], uid: int | None) -> None:
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
