"""A fake slot whose far side is in the test's own hands: what hostile code could write, written.

No process is started: channel, control socket and output files are real, the rest is counted.
"""

import json
import os
import secrets
import select
import socket
from types import TracebackType
from typing import Any, Self

from reverie.model.execution import Limits, Policy
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends.exchange import Exchange
from reverie.sandbox.backends.slot import Arms
from reverie.sandbox.inside import frames
from reverie.sandbox.profile import Profile

_OUTPUT_BYTES = 4096
_STEPS_AT_MOST = 10_000


class FakeSlot:
    """What an exchange needs of a slot; of a tier whose executions have no children to bury."""

    def __init__(self, policy: Policy | None = None) -> None:
        self.profile = Profile(IsolationTier.LANDLOCK, policy or Policy(), 1 << 20)
        self.control, self.zygote = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        ours, self.peer = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        ours.setsockopt(socket.SOL_SOCKET, socket.SO_PASSCRED, 1)
        for end in (self.control, self.zygote, ours, self.peer):
            end.setblocking(False)
        output, errors = (os.memfd_create(name) for name in ("output", "errors"))
        self.arms: Arms | None = Arms(
            ours, output, errors, _OUTPUT_BYTES, 1, secrets.token_bytes(frames.NONCE_BYTES)
        )
        self.oom_kills = 0
        self.group_cpu_seconds: float | None = None
        self.kills = 0
        self.limits: list[Limits] = []

    def armed_for(self, output_bytes: int) -> Arms:
        """The spare's descriptors."""
        if self.arms is None:
            raise AssertionError("armed twice")
        return self.arms

    def get_ready(self, output_bytes: int) -> None:
        """There is no next spare."""

    def prepare(self, limits: Limits) -> None:
        """Remember what would have been put in force."""
        self.limits.append(limits)

    def kill_execution(self) -> None:
        """Count the order."""
        self.kills += 1

    def cpu_seconds(self) -> float | None:
        """As the test says."""
        return self.group_cpu_seconds

    def take_oom_kills(self) -> int:
        """As the test says."""
        return self.oom_kills

    def lay_down_arms(self) -> None:
        """Let go of the spare's descriptors, once."""
        if self.arms is None:
            raise AssertionError("disarmed twice")
        self.arms.close()
        self.arms = None

    def close(self) -> None:
        """Let go of everything."""
        if self.arms is not None:
            self.lay_down_arms()
        for end in (self.control, self.zygote, self.peer):
            end.close()


class FakePeer:
    """One exchange, and the far sides of its channel and of its zygote."""

    def __init__(
        self, limits: Limits | None = None, answers: int = 1, policy: Policy | None = None
    ) -> None:
        self.slot = FakeSlot(policy)
        self.exchange = Exchange(self.slot, b"{}", limits or Limits(), answers)  # type: ignore[arg-type]

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.slot.close()

    def hello(self) -> None:
        """The spare is there."""
        self.write(b"H")

    def write(self, data: bytes) -> None:
        """Bytes on the channel, as hostile code would write them; read as they come."""
        view = memoryview(data)
        while view and not self.exchange.is_over:
            try:
                view = view[self.slot.peer.send(view) :]
            except BlockingIOError:
                pass
            except OSError:
                return
            self.pump()

    def framed(self, document: Any) -> bytes:
        """An answer with the right nonce."""
        body = document if isinstance(document, bytes) else json.dumps(document).encode()
        return self.exchange.nonce + frames.HEADER.pack(len(body)) + body

    def hang_up(self) -> None:
        """The far side of the channel is closed."""
        self.slot.peer.close()
        self.pump()

    def bury(self, **facts: Any) -> None:
        """The zygote reports the end of the execution."""
        told = {"serial": 1, "status": 0, "cpu": 0.5, "peak_kib": 1024, "changes": []} | facts
        self.tell(json.dumps(told).encode())

    def tell(self, message: bytes) -> None:
        """A message of the zygote."""
        if not self.exchange.is_over:
            self.slot.zygote.send(message)
            self.pump()

    def pump(self) -> None:
        """Let the exchange take everything that is there."""
        for _ in range(_STEPS_AT_MOST):
            if self.exchange.is_over:
                return
            poll = select.poll()
            for descriptor, events in self.exchange.interests():
                poll.register(descriptor, events & ~select.POLLOUT or select.POLLIN)
            ready = poll.poll(0)
            if not ready:
                return
            for descriptor, _ in ready:
                self.exchange.attempt(self.exchange.advance, descriptor)
        raise AssertionError("the exchange does not come to rest")
