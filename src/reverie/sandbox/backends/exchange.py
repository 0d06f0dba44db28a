"""One execution on one slot, as a state machine: feed it readiness, it ends in facts.

    hello ─▶ asking ─▶ listening ─▶ burying ─▶ done

Nothing here blocks, so one thread can drive many slots (`drive`), and nothing that comes
over the channel is trusted: it is junk, partial, huge or deeply nested until proven a frame.
"""

import json
import os
import secrets
import select
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from reverie.errors import SandboxLost
from reverie.model.execution import Limits
from reverie.sandbox.backends.slot import Slot
from reverie.sandbox.inside import frames
from reverie.sandbox.observation import Ending, Observation

_HELLO_SECONDS = 60.0
_BURIAL_SECONDS = 10.0
_PATIENCE_AFTER_ANSWER_SECONDS = 0.1
_READ_BYTES = 1 << 18
_MESSAGE_BYTES = 1 << 20
_HELLO_LIMIT_BYTES = 1 << 12


class _Phase(StrEnum):
    HELLO = "hello"
    ASKING = "asking"
    LISTENING = "listening"
    BURYING = "burying"
    DONE = "done"


class Exchange:
    """One request, sent to an armed slot and followed to its end."""

    def __init__(self, slot: Slot, request: bytes, limits: Limits, answers: int = 1) -> None:
        self.slot = slot
        self.observation: Observation | None = None
        self.failure: SandboxLost | None = None
        self.attempt(self._take_arms, limits.output_bytes)
        self.limits = limits
        self.nonce = secrets.token_bytes(frames.NONCE_BYTES)
        self.claims: list[Mapping[str, Any]] = []
        self._answers = answers
        self._unsent = memoryview(frames.request_frame(self.nonce, request))
        self._received = bytearray()
        self._phase = _Phase.HELLO
        self._ending: Ending | None = None
        self._garble: str | None = None
        self._spare_cpu = 0.0
        self._is_mute = False
        self._changes: tuple[tuple[str, str], ...] = ()
        self._started = time.monotonic()
        self._deadline = self._started + _HELLO_SECONDS
        self._ended = 0.0

    def _take_arms(self, output_bytes: int) -> None:
        self.arms = self.slot.armed_for(output_bytes)

    @property
    def is_over(self) -> bool:
        """Whether `observation` or `failure` is there."""
        return self.observation is not None or self.failure is not None

    @property
    def seen(self) -> Observation:
        """What was seen of an exchange that came to its end."""
        if self.observation is None:
            raise self.failure or SandboxLost(self.slot.profile.tier, "not finished")
        return self.observation

    def attempt(self, step: Callable[..., None], *arguments: int) -> None:
        """Take one step; a slot that is lost is kept as this exchange's failure."""
        if self.is_over:
            return
        try:
            step(*arguments)
        except SandboxLost as error:
            self.failure = error

    def interests(self) -> list[tuple[int, int]]:
        """Descriptors to poll, with events."""
        wanted = [(self.slot.control.fileno(), select.POLLIN)]
        if self._phase is _Phase.HELLO or (self._phase is _Phase.LISTENING and not self._is_mute):
            wanted.append((self.arms.channel.fileno(), select.POLLIN))
        elif self._phase is _Phase.ASKING:
            wanted.append((self.arms.channel.fileno(), select.POLLIN | select.POLLOUT))
        return wanted

    def seconds_left(self) -> float:
        """Until `expire` has to be called."""
        return self._deadline - time.monotonic()

    def advance(self, descriptor: int) -> None:
        """Something is ready."""
        if descriptor == self.slot.control.fileno():
            self._hear_zygote()
        elif self._phase is _Phase.HELLO:
            self._hear_hello()
        else:
            if self._phase is _Phase.ASKING:
                self._ask()
            self._listen()

    def expire(self) -> None:
        """The deadline of the current phase has passed."""
        if self._phase is _Phase.HELLO:
            raise SandboxLost(self.slot.profile.tier, "the spare did not come up")
        if self._phase is _Phase.BURYING and self._ending is not None:
            if self._deadline < self._ended + _BURIAL_SECONDS:
                self.slot.kill_execution()
                self._deadline = self._ended + _BURIAL_SECONDS
                return
            raise SandboxLost(self.slot.profile.tier, "the execution could not be buried")
        self.slot.kill_execution()
        self._bury(Ending.WALL, _BURIAL_SECONDS)

    def _hear_hello(self) -> None:
        data = self._receive()
        if data is None:
            return
        if not data or len(self._received) > _HELLO_LIMIT_BYTES:
            raise SandboxLost(self.slot.profile.tier, "the spare ended before its request")
        frame = self._take_frame(frames.HEADER.size, _HELLO_LIMIT_BYTES)
        if self._ending is not None:
            raise SandboxLost(self.slot.profile.tier, "the spare did not say hello")
        if frame is None:
            return
        hello = _parse(frame)
        if hello is None:
            raise SandboxLost(self.slot.profile.tier, "the spare did not say hello")
        self._spare_cpu = _number(hello.get("cpu"), 0.0)
        self.slot.prepare(self.limits)
        self._started = time.monotonic()
        self._deadline = self._started + self.limits.wall_seconds
        self._phase = _Phase.ASKING
        self._ask()

    def _ask(self) -> None:
        try:
            while self._unsent:
                self._unsent = self._unsent[self.arms.channel.send(self._unsent) :]
        except BlockingIOError:
            return
        except OSError:
            pass  # it is gone; listening finds out how
        self._phase = _Phase.LISTENING

    def _listen(self) -> None:
        data = self._receive()
        if data is None:
            return
        if not data:
            self._is_mute = True  # it may live on; the wall, or its end, decides
            return
        while self._phase is _Phase.LISTENING or self._phase is _Phase.ASKING:
            if not self._take_answer():
                return

    def _take_answer(self) -> bool:
        """Move one complete answer from the buffer to the claims."""
        head = len(self.nonce) + frames.HEADER.size
        if bytes(self._received[: len(self.nonce)]) != self.nonce[: len(self._received)]:
            self._give_up("it wrote to the channel itself")
            return False
        frame = self._take_frame(head, self.limits.result_bytes + 4096)
        if frame is None:
            return False
        claim = _parse(frame)
        if claim is None:
            self._give_up("its answer is not a JSON object")
            return False
        self.claims.append(claim)
        self._deadline = max(self._deadline, time.monotonic() + self.limits.wall_seconds)
        if len(self.claims) == self._answers:
            if self._received:
                self._give_up("more than one answer")
            else:
                self._bury(Ending.ANSWERED, _PATIENCE_AFTER_ANSWER_SECONDS)
        return True

    def _take_frame(self, head: int, limit: int) -> bytes | None:
        if len(self._received) < head:
            return None
        (length,) = frames.HEADER.unpack(self._received[head - frames.HEADER.size : head])
        if length > limit:
            self._give_up(f"an answer of {length} bytes")
            return None
        if len(self._received) < head + length:
            return None
        frame = bytes(self._received[head : head + length])
        del self._received[: head + length]
        return frame

    def _receive(self) -> bytes | None:
        """What is there; None when nothing is, empty at the end."""
        try:
            data = self.arms.channel.recv(_READ_BYTES)
        except BlockingIOError:
            return None
        except OSError:
            return b""
        self._received += data
        return data

    def _give_up(self, why: str) -> None:
        self._garble = why
        self.slot.kill_execution()
        self._bury(Ending.GARBLED, _BURIAL_SECONDS)

    def _bury(self, ending: Ending, patience_seconds: float) -> None:
        self._ending = ending
        self._phase = _Phase.BURYING
        self._ended = time.monotonic()
        self._deadline = self._ended + patience_seconds

    def _hear_zygote(self) -> None:
        try:
            data = self.slot.control.recv(_MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        message = _parse(data) if data else None
        if message is not None and "changes" in message:
            self._changes += _pairs(message["changes"])
            return
        if message is None or "doubt" in message or not _is_status(message.get("status")):
            self._lose(message)
            return
        if self._phase is _Phase.HELLO:
            raise SandboxLost(self.slot.profile.tier, "the spare ended before its request")
        if self._phase in (_Phase.LISTENING, _Phase.ASKING):
            self._drain()
        self._finish(message)

    def _lose(self, message: Mapping[str, Any] | None) -> None:
        reason = (message or {}).get("doubt", "the zygote ended")
        raise SandboxLost(self.slot.profile.tier, str(reason)[:200])

    def _drain(self) -> None:
        """The process is dead; an answer may still lie in the socket."""
        while self._phase is not _Phase.BURYING:
            before = len(self._received)
            self._phase = _Phase.LISTENING
            self._listen()
            if self._phase is not _Phase.BURYING and len(self._received) == before:
                self._bury(Ending.SILENT, _BURIAL_SECONDS)

    def _finish(self, status: Mapping[str, Any]) -> None:
        assert self._ending is not None
        self._phase = _Phase.DONE
        stdout, full_out = _read_output(self.arms.output, self.arms.output_bytes)
        stderr, full_err = _read_output(self.arms.errors, self.arms.output_bytes)
        self.observation = Observation(
            ending=self._ending,
            wall_seconds=time.monotonic() - self._started,
            claim=self.claims[-1] if self.claims else None,
            garble=self._garble,
            wait_status=status["status"],
            cpu_seconds=_number(status.get("cpu"), self._spare_cpu),
            peak_rss_bytes=int(_number(status.get("peak_kib"), 0.0)) << 10,
            stray_processes=int(_number(status.get("strays"), 0.0)),
            memory_exceeded=status.get("memory_exceeded") is True,
            oom_killed=self.slot.take_oom_kills() > 0,
            stdout=stdout,
            stderr=stderr,
            output_full=full_out or full_err,
            changes=self._changes,
        )
        self.slot.disarm()


def drive(exchanges: Sequence[Exchange]) -> Exchange:
    """Advance all until one is done or lost; that one."""
    while True:
        for exchange in exchanges:
            if exchange.is_over:
                return exchange
        poll = select.poll()
        owners = {}
        for exchange in exchanges:
            for descriptor, events in exchange.interests():
                owners[descriptor] = exchange
                poll.register(descriptor, events)
        timeout = max(0.0, min(exchange.seconds_left() for exchange in exchanges))
        for descriptor, _ in poll.poll(timeout * 1000 + 1):
            owners[descriptor].attempt(owners[descriptor].advance, descriptor)
        for exchange in exchanges:
            if exchange.seconds_left() <= 0:
                exchange.attempt(exchange.expire)


def _parse(data: bytes) -> Mapping[str, Any] | None:
    """A JSON object with standard constants only, or None for anything else."""
    try:
        document = json.loads(data, parse_constant=_refuse_constant)
    except (ValueError, RecursionError, MemoryError):
        return None
    return document if isinstance(document, dict) else None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"not standard JSON: {name}")


def _read_output(descriptor: int, limit: int) -> tuple[bytes, bool]:
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    return os.pread(descriptor, min(position, limit), 0), position >= limit


def _is_status(value: Any) -> bool:
    return type(value) is int and 0 <= value <= 0xFFFF


def _number(value: Any, minus: float) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(0.0, float(value) - minus)
    return 0.0


def _pairs(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        (pair[0], pair[1])
        for pair in value
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair)
    )
