"""The keeper of one srt slot: starts a fresh srt for every execution, ahead of its request.

It stands outside srt, where a zygote would stand inside, and speaks the zygote's side of the
control socket. What it reports it saw from outside, or was told by the guest, which is ours.
A guest that is killed by the execution it holds cannot report; then srt's exit status is all
that is known.
"""

import json
import os
import select
import socket
from typing import Any, NoReturn

from . import family, frames, wipe, zygote
from .guest_process import GuestProcess

_MESSAGE_BYTES = 1 << 16
_BOOT_MS = 18_000
_ATTEMPTS = 3
_NOTHING = family.Sample(0.0, 0, 0)


class Keeper:
    """The loop: start a guest, hand over descriptors, watch, end it, report, wipe."""

    def __init__(self, control: socket.socket, config: "dict[str, Any]") -> None:
        self.control = control
        self.config = config
        self.guest = GuestProcess(config)
        self.serial = 0
        self.is_armed = False
        self.memory_limit = 0
        self.memory_exceeded = False
        self.seen = _NOTHING

    def run(self) -> NoReturn:
        """Wait for the first guest, then serve until the supervisor goes away or doubt arises."""
        self._tell(closed_in=True, posture=self._await_first_guest())
        if self.control.recv(1) != frames.GO_ON:
            self.guest.end()
            os._exit(1)
        self._tell(booted=True)
        try:
            while True:
                self._step()
        except (OSError, ValueError, wipe.TooDirty) as error:
            self._tell(doubt=f"{type(error).__name__}: {error}"[:200])
        self.guest.end()
        os._exit(1)

    def _await_first_guest(self) -> "dict[str, Any]":
        """srt gives its helper 0.6 s to come up, which is little on a busy machine: try again."""
        for _ in range(_ATTEMPTS - 1):
            try:
                return self.guest.await_ready(_BOOT_MS)
            except OSError:
                self.guest.end()
                self.guest = GuestProcess(self.config)
        return self.guest.await_ready(_BOOT_MS)

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
        if order in (b"S", b"s"):
            if self.is_armed:
                self._finish(None)
            self.guest.hand_over(descriptors)
            self.serial += 1
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
        elif self.is_armed and ("status" in facts if facts else self.memory_limit):
            self._finish(facts)
        else:  # it was not asked anything yet, so no execution can have ended it
            raise ValueError(f"srt ended: {(facts or {}).get('error') or self.guest.log()}")

    def _watch(self) -> None:
        self.seen = self.seen.and_later(self.guest.sample())
        if self.seen.bytes_now > self.memory_limit:
            self.memory_exceeded = True
            self._finish(None)

    def _finish(self, facts: "dict[str, Any] | None") -> None:
        """End everything, then say how it went; only then make room for the next."""
        if facts is None:
            self.seen = self.seen.and_later(self.guest.sample())
        status = self.guest.end()
        if facts is None:
            facts = {"status": status, **self.seen.spent()}
        told = {name: facts[name] for name in ("status", "cpu", "peak_kib") if name in facts}
        exceeded = self.memory_exceeded
        self._tell(serial=self.serial, **told, memory_exceeded=exceeded, changes=[])
        self.is_armed, self.memory_limit, self.memory_exceeded = False, 0, False
        self.seen = _NOTHING
        for folder in (self.config["scratch"][0], self.config["srt"]["own_folder"]):
            wipe.empty(folder, 0o700)
        self.guest = GuestProcess(self.config)

    def _tell(self, **facts: Any) -> None:
        try:
            self.control.send(json.dumps(facts).encode())
        except OSError:
            self.guest.end()
            os._exit(0)  # nobody is left to tell
