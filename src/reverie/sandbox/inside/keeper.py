"""The keeper of one srt slot: starts a fresh srt for every execution, ahead of its request.

It stands outside srt, where a zygote would stand inside, and speaks the zygote's side of the
control socket. What it reports it saw from outside, or was told by the guest, which is ours.
A guest that is killed by the execution it holds cannot report; then srt's exit status is all
that is known.
"""

import json
import os
import select
import signal
import socket
from typing import Any, NoReturn

from . import family, identity, kernel, mounts, passage, wipe, zygote
from .guest_process import GuestProcess

_MESSAGE_BYTES = 1 << 16
_BOOT_MS = 55_000
_OWN_BYTES = 4 << 20
_INODES = 8192


def prepare(control: socket.socket, config: "dict[str, Any]") -> None:
    """A mount namespace of our own, with scratch space of bounded size, as nobody special.

    Never as root: in a user namespace whose user is the host's root, srt 0.0.78 leaves
    /proc/sys writable, and with it the host's kernel.core_pattern.
    """
    os.setsid()
    kernel.prctl(kernel.PR_SET_CHILD_SUBREAPER, 1)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.closerange(3, control.fileno())
    kernel.close_from(control.fileno() + 1)
    uid, gid = os.getuid(), os.getgid()
    kernel.unshare(kernel.CLONE_NEWNS | (kernel.CLONE_NEWUSER if config["uid"] is None else 0))
    if config["uid"] is None:
        identity.map_single_user(uid, gid)
    kernel.mount(None, "/", None, kernel.MS_REC | kernel.MS_PRIVATE)
    if config["uid"] is not None:
        passage.open_way([*config["readonly"], *config["srt"]["needs"]])
    _make_folders(config)
    if config["uid"] is not None:
        identity.become(config["uid"])
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    os.chdir("/")
    os.umask(0o022)


def _make_folders(config: "dict[str, Any]") -> None:
    """In memory, private to this mount namespace: whatever happens, it ends with us."""
    folder, owner = config["host_folder"], config["uid"]
    mounts.mount_scratch(folder, _OWN_BYTES, _INODES)
    mounts.mount_scratch(config["scratch"][0], config["disk_bytes"], _INODES)
    os.mkdir(config["srt"]["own_folder"])
    if owner is not None:
        os.chown(config["scratch"][0], owner, owner)
        os.chown(config["srt"]["own_folder"], owner, owner)
    with open(config["settings"], "w", encoding="utf-8") as file:
        json.dump(config["srt"]["settings"], file)


class Keeper:
    """The loop: start a guest, hand over descriptors, watch, end it, report, wipe."""

    def __init__(self, control: socket.socket, config: "dict[str, Any]") -> None:
        self.control = control
        self.config = config
        self.guest = GuestProcess(config)
        self.is_armed = False
        self.memory_limit = 0
        self.memory_exceeded = False
        self.seen = family.Sample(0.0, 0, 0)

    def run(self) -> NoReturn:
        """Wait for the first guest, then serve until the supervisor goes away or doubt arises."""
        posture = self.guest.await_ready(_BOOT_MS)
        self._tell(booted=True, posture=posture)
        try:
            while True:
                self._step()
        except (OSError, ValueError, wipe.TooDirty) as error:
            self._tell(doubt=f"{type(error).__name__}: {error}"[:200])
        self.guest.end()
        os._exit(1)

    def _step(self) -> None:
        poll = select.poll()
        for descriptor in (self.control.fileno(), *self.guest.descriptors):
            poll.register(descriptor, select.POLLIN)
        ready = poll.poll(zygote.WATCH_INTERVAL_MS if self.memory_limit else None)
        if not ready:
            self._watch()
        elif ready[0][0] == self.control.fileno():
            self._obey()
        else:
            self._hear_guest()

    def _obey(self) -> None:
        try:
            message, descriptors, _, _ = socket.recv_fds(self.control, _MESSAGE_BYTES, 8)
        except ConnectionError:
            message, descriptors = b"", []
        order = message[:1]
        if order == b"S":
            self.guest.hand_over(descriptors)
            self.is_armed = True
        elif order == b"K":
            if self.is_armed:
                self._finish(None)
        elif order == b"L":
            self.memory_limit = int(message[1:])
        else:
            self.guest.end()
            os._exit(0)

    def _hear_guest(self) -> None:
        facts = self.guest.hear()
        if facts is not None and "ready" in facts:
            self.guest.note_ready(facts["ready"])
        elif self.is_armed and (facts is None or "status" in facts) and self._was_asked(facts):
            self._finish(facts)
        else:
            raise ValueError(f"srt ended early: {(facts or {}).get('error') or self.guest.log()}")

    def _was_asked(self, facts: "dict[str, Any] | None") -> bool:
        """A guest may end by itself only with a request, or sent home with a word of farewell."""
        return facts is not None or self.memory_limit > 0

    def _watch(self) -> None:
        self.seen = self.seen.and_later(self.guest.sample())
        if self.seen.bytes_now > self.memory_limit:
            self.memory_exceeded = True
            self._finish(None)

    def _finish(self, facts: "dict[str, Any] | None") -> None:
        """End everything, then say how it went; only then make room for the next."""
        if facts is None:
            self.seen = self.seen.and_later(self.guest.sample())
        exit_status = self.guest.end()
        self._tell(
            status=exit_status if facts is None else facts["status"],
            cpu=self.seen.cpu_seconds if facts is None else facts["cpu"],
            peak_kib=self.seen.peak_kib if facts is None else facts["peak_kib"],
            strays=0 if facts is None else facts["strays"],
            memory_exceeded=self.memory_exceeded,
            changes=[],
        )
        self.is_armed, self.memory_limit, self.memory_exceeded = False, 0, False
        self.seen = family.Sample(0.0, 0, 0)
        wipe.empty(self.config["scratch"][0])
        wipe.empty(self.config["srt"]["own_folder"])
        self.guest = GuestProcess(self.config)

    def _tell(self, **facts: Any) -> None:
        try:
            self.control.send(json.dumps(facts).encode())
        except OSError:
            self.guest.end()
            os._exit(0)  # nobody is left to tell
