"""One execution on one slot, as a state machine: feed it readiness, it ends in facts.

    hello ─▶ asking ─▶ listening ─┬▶ done          it answered; its burial goes on behind us
                                  └▶ burying ─▶ done

Nothing here blocks, so one thread can drive many slots (`drive`), and nothing that comes
over the channel is trusted: it is junk, partial, huge or deeply nested until proven a frame.
"""

import json
import os
import re
import select
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any

from reverie.errors import SandboxLost
from reverie.model.execution import Limits
from reverie.model.outcome import IsolationTier
from reverie.sandbox.backends.process import CHILDREN_WORTH_READING_SECONDS, Process
from reverie.sandbox.backends.slot import Slot
from reverie.sandbox.inside import frames
from reverie.sandbox.observation import Ending, Ledger, Observation, memory_of

_HELLO_SECONDS = 60.0
_BURIAL_SECONDS = 10.0
_READ_BYTES = 1 << 16  # above 128 KiB the C library maps and unmaps memory for every read
_MESSAGE_BYTES = 1 << 20
_WITH_CHILDREN = (IsolationTier.NAMESPACES, IsolationTier.NONE)
_SMALL_BYTES = 4096
"""One answer of this size is no burden, whatever it becomes."""
_PLACE_BYTES = 80
_PLACE = re.compile(rb'"index":(\d{1,9}),"position":\[(\d{1,15}),(\d{1,15})\]}$')
"""Where an answer of many says which input it is for."""
_UNSEEN_CPU_SECONDS = 0.02
"""What the group's clock has to be ahead of the process's, before it is believed instead: it
also counts our own work."""


_NOBODY = Process(0)


class _Phase(StrEnum):
    HELLO = "hello"
    ASKING = "asking"
    LISTENING = "listening"
    BURYING = "burying"
    DONE = "done"


class Exchange:
    """One request, sent to an armed slot and followed to its end."""

    def __init__(
        self,
        slot: Slot,
        request: bytes,
        limits: Limits,
        answers: int = 1,
        ledger: Ledger | None = None,
    ) -> None:
        self.slot = slot
        self.observation: Observation | None = None
        self.failure: SandboxLost | None = None
        self.nonce = b""
        self._phase = _Phase.HELLO
        self.attempt(self._take_arms, limits.output_bytes)
        self.limits = limits
        self.claims: list[Mapping[str, Any]] = []
        self._answers = answers
        self._ledger = ledger or Ledger(limits.result_bytes)
        self.room_taken = 0
        self._unsent = memoryview(frames.request_frame(self.nonce, request))
        self._received = bytearray()
        self._ending: Ending | None = None
        self._garble: str | None = None
        self._process = _NOBODY
        self._cpu_before_seconds: float | None = None
        self._is_mute = False
        self._started = time.monotonic()
        self._deadline = self._started + _HELLO_SECONDS
        self.attempt(self._hear_hello)  # an idle slot's spare has long been waiting
        slot.kept_waiting = not self.was_asked

    def _take_arms(self, output_bytes: int) -> None:
        self.arms = self.slot.armed_for(output_bytes)
        self.nonce = self.arms.nonce

    @property
    def is_over(self) -> bool:
        """Whether `observation` or `failure` is there."""
        return self.observation is not None or self.failure is not None

    @property
    def was_asked(self) -> bool:
        """Whether the request, or a part of it, has gone to the other side."""
        return self._phase is not _Phase.HELLO

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

    @property
    def _is_listening(self) -> bool:
        return self._phase is _Phase.LISTENING

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
        if self._phase is _Phase.BURYING:
            raise SandboxLost(self.slot.profile.tier, "the execution could not be buried")
        self._kill_and_bury(Ending.WALL)

    def _hear_hello(self) -> None:
        try:
            pid = self.arms.receive_hello()
        except BlockingIOError:
            return
        if pid is None:
            raise SandboxLost(self.slot.profile.tier, "the spare ended before its request")
        self._process = Process(pid)
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
        self._cpu_before_seconds = self.slot.cpu_seconds()
        self.slot.get_ready(self.arms.output_bytes)
        self._process.get_ready()

    def _listen(self) -> bool:
        """Take what is there; False when nothing is."""
        data = self._receive()
        if data is None:
            return False
        if not data:
            self._is_mute = True  # it may live on; the wall, or its end, decides
            return False
        while self._phase is _Phase.LISTENING or self._phase is _Phase.ASKING:
            if not self._take_answer():
                break
        return True

    def _take_answer(self) -> bool:
        """Move one complete answer from the buffer to the claims."""
        head = len(self.nonce) + frames.HEADER.size
        if bytes(self._received[: len(self.nonce)]) != self.nonce[: len(self._received)]:
            self._give_up("it wrote to the channel itself")
            return False
        frame = self._take_frame(head, self.limits.result_bytes + 4096)
        if frame is None:
            return False
        is_small = self._answers == 1 and len(frame) <= _SMALL_BYTES
        has_room = is_small or self._has_room_for(memory_of(frame))
        claim = _parse(frame) if has_room else _too_large(frame)
        if claim is None:
            self._give_up("its answer is not a JSON object")
            return False
        self.claims.append(claim)
        self._deadline = max(self._deadline, time.monotonic() + self.limits.wall_seconds)
        if len(self.claims) == self._answers:
            self._answered()
        return True

    def _answered(self) -> None:
        """It waits to be killed now, so what it used can be read from outside, unhurried."""
        if self._received:
            self._give_up("more than one answer")
        elif self._is_worth_burying_first:
            self._kill_and_bury(Ending.ANSWERED)
        else:
            self._ending = Ending.ANSWERED
            self._finish({})

    @property
    def _is_worth_burying_first(self) -> bool:
        """What it changed, and what children that nobody waited for have cost, is known when all
        are dead; in a moment no child can have cost much."""
        profile = self.slot.profile
        if profile.policy.private_copies:
            return True
        is_long = time.monotonic() - self._started > CHILDREN_WORTH_READING_SECONDS
        return is_long and profile.tier in _WITH_CHILDREN

    def _has_room_for(self, count: int) -> bool:
        if not self._ledger.take(count):
            return False
        self.room_taken += count
        return True

    def give_back_room(self) -> None:
        """For an exchange that will be repeated."""
        self._ledger.give_back(self.room_taken)
        self.room_taken = 0

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
        self._kill_and_bury(Ending.GARBLED)

    def _kill_and_bury(self, ending: Ending) -> None:
        self.slot.kill_execution()
        self._bury(ending)

    def _bury(self, ending: Ending) -> None:
        self._ending = ending
        self._phase = _Phase.BURYING
        self._deadline = time.monotonic() + _BURIAL_SECONDS

    def _hear_zygote(self) -> None:
        try:
            data = self.slot.control.recv(_MESSAGE_BYTES)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        message = _parse(data) if data else None
        if message is None or "doubt" in message or not _is_status(message.get("status")):
            self._lose(message)
            return
        if message.get("serial") != self.arms.serial:
            return  # the burial of an execution that had answered
        if self._phase is _Phase.HELLO:
            raise SandboxLost(self.slot.profile.tier, "the spare ended before its request")
        if self._phase in (_Phase.LISTENING, _Phase.ASKING):
            self._drain()
        if self._phase is not _Phase.DONE:
            self._finish(message)

    def _lose(self, message: Mapping[str, Any] | None) -> None:
        if message is None and self._phase is not _Phase.HELLO:
            oom_kills = self.slot.take_oom_kills()
            if oom_kills:
                # Memory that is slow to be freed after its owner was killed: the kernel went on
                # to the zygote, whose own need never grows.
                self._ending = self._ending or Ending.SILENT
                self._finish({"status": signal.SIGKILL.value}, oom_kills)
                return
        reason = (message or {}).get("doubt", "the zygote ended")
        raise SandboxLost(self.slot.profile.tier, str(reason)[:200])

    def _drain(self) -> None:
        """The process is dead; an answer may still lie in the socket."""
        self._phase = _Phase.LISTENING
        while self._is_listening and self._listen():
            pass
        if self._is_listening:
            self._bury(Ending.SILENT)

    def _finish(self, status: Mapping[str, Any], oom_kills: int = 0) -> None:
        assert self._ending is not None
        self._phase = _Phase.DONE
        has_copies = bool(self.slot.profile.policy.private_copies)
        stdout, full_out = _read_output(self.arms.output, self.arms.output_bytes)
        stderr, full_err = _read_output(self.arms.errors, self.arms.output_bytes)
        if self._answers > 1 and not self._has_room_for(len(stdout) + len(stderr)):
            stdout, stderr, full_out = b"", b"", True
        self.observation = Observation(
            ending=self._ending,
            wall_seconds=time.monotonic() - self._started,
            claim=self.claims[-1] if self.claims else None,
            garble=self._garble,
            wait_status=status.get("status"),
            cpu_seconds=self._cpu_seconds(status),
            peak_rss_bytes=self._peak_rss_bytes(status),
            memory_exceeded=status.get("memory_exceeded") is True,
            oom_killed=oom_kills + self.slot.take_oom_kills() > 0,
            stdout=stdout,
            stderr=stderr,
            output_full=full_out or full_err,
            changes=_pairs(status.get("changes")),
            changes_complete=not has_copies or status.get("changes_complete") is True,
        )
        self._process.close()
        self.slot.lay_down_arms()

    def _cpu_seconds(self, status: Mapping[str, Any]) -> float | None:
        """From its wait status once it is buried, from its clock while it waits for that."""
        own = (
            _difference(status["cpu"], self._process.cpu_before_seconds)
            if "cpu" in status
            else self._process.cpu_seconds()
        )
        if time.monotonic() - self._started <= CHILDREN_WORTH_READING_SECONDS:
            return own
        return _counted_by_both(own, self._cpu_before_seconds, self.slot.cpu_seconds())

    def _peak_rss_bytes(self, status: Mapping[str, Any]) -> int | None:
        if "peak_kib" in status:
            kibibytes = _difference(status["peak_kib"], 0.0)
            return None if kibibytes is None else int(kibibytes) << 10
        return self._process.peak_rss_bytes()


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
        text = data.decode()
        document, end = _decode(text)
    except (ValueError, RecursionError, MemoryError):
        return None
    return document if isinstance(document, dict) and end == len(text) else None


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"not standard JSON: {name}")


_decode = json.JSONDecoder(parse_constant=_refuse_constant).raw_decode


def _read_output(descriptor: int, limit: int) -> tuple[bytes, bool]:
    position = os.lseek(descriptor, 0, os.SEEK_CUR)
    if position == 0:
        return b"", False
    return os.pread(descriptor, min(position, limit), 0), position >= limit


def _counted_by_both(own: float | None, before: float | None, after: float | None) -> float | None:
    """What the group has used, where that is more: children that the kernel reaped, for one."""
    if before is None or after is None:
        return own
    whole = after - before
    return whole if own is None or whole > own + _UNSEEN_CPU_SECONDS else own


def _too_large(frame: bytes) -> Mapping[str, Any] | None:
    """In place of an answer that is not worth its memory; of many, for the same input."""
    claim: dict[str, Any] = {"claim": "too_large"}
    place = _PLACE.search(frame[-_PLACE_BYTES:])
    if place is not None:
        index, *position = (int(number) for number in place.groups())
        claim |= {"index": index, "position": position}
    return claim


def _is_status(value: Any) -> bool:
    return type(value) is int and 0 <= value <= 0xFFFF


def _difference(value: Any, minus: float) -> float | None:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return max(0.0, float(value) - minus)
    return None


def _pairs(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, list):
        return ()
    return tuple(
        (pair[0], pair[1])
        for pair in value
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair)
    )
