"""The one way to tell that something happened: kept in a file, logged, and carried to sinks.

A courier carries events from the file to one sink, in a thread of its own. Nobody waits for it
but `close`, and that for a bounded time. One process at a time carries to a sink; how far it has
come is kept beside the file, so what did not arrive is sent by the next. An event may arrive
twice, after a crash; none overtakes another.
"""

import fcntl
import json
import logging
import os
import secrets
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Protocol

from reverie.events.context import current
from reverie.events.outbox import Outbox, Place
from reverie.home.own_folder import make_own_folder
from reverie.model.codec import Malformed, parse, plain, read
from reverie.model.events import Event, EventName


class Undelivered(Exception):
    """It did not arrive, and may later: try again."""


class Unacceptable(Exception):
    """The other side will never take this one: go on with the next."""


class Sender(Protocol):
    """Sends events; returning is the promise that the event has arrived."""

    @property
    def name(self) -> str:
        """Which sink it is, in files and logs."""
        ...

    def send(self, event: Event, line: bytes) -> None:
        """Deliver one; raise `Undelivered` or `Unacceptable`."""
        ...

    def close(self) -> None:
        """Let go of what it holds."""
        ...


_FIRST_PAUSE, _LONGEST_PAUSE = 0.2, 60.0
_LOOK_SECONDS = 1.0
"""How often a courier looks for events of other processes."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a sink is behind the file."""

    sink: str
    waiting: int
    refused: int


@dataclass(frozen=True, slots=True)
class _Kept:
    """How far a sink has come, as its file says."""

    first: str
    offset: int
    refused: int


class Courier:
    """One sink's thread. What was there before the sink was first opened is not sent."""

    def __init__(self, outbox: Outbox, sender: Sender, only: frozenset[str] = frozenset()) -> None:
        self._outbox = outbox
        self._sender = sender
        self._only = only
        self._file = place_file(outbox.folder, sender.name)
        self._lock: int | None = None
        self._woken = threading.Event()
        self._deadline: float | None = None
        self._told: str | None = None
        make_own_folder(outbox.folder)
        if not self._file.exists():
            _save(self._file, outbox.end(), 0)
        self._thread = threading.Thread(
            target=self._go_round, name=f"reverie-{sender.name}", daemon=True
        )

    def start(self) -> None:
        """Begin with what was left undelivered."""
        self._thread.start()

    def wake(self) -> None:
        """There is something new."""
        self._woken.set()

    def close(self, seconds: float) -> Standing:
        """Try until all has arrived, or for so long; what is left stays in the file."""
        self._deadline = time.monotonic() + seconds
        self._woken.set()
        self._thread.join(seconds + 0.1)
        standing = standing_of(self._outbox, self._sender.name, self._only)
        if standing.waiting:
            told = f": {self._told}" if self._told else ""
            _log.warning(
                "%d events wait for the %s%s; they are kept in %s and sent next time",
                standing.waiting, standing.sink, told, self._outbox.path,
            )  # fmt: skip
        return standing

    def _go_round(self) -> None:
        pause = _FIRST_PAUSE
        while True:
            self._woken.clear()
            try:
                self._deliver()
            except Undelivered as error:
                self._tell(str(error))
                if self._is_late(pause):
                    break
                self._wait(pause)
                pause = min(pause * 2, _LONGEST_PAUSE)
                continue
            pause, self._told = _FIRST_PAUSE, None
            if self._deadline is not None:
                break
            self._woken.wait(_LOOK_SECONDS)
        self._sender.close()
        if self._lock is not None:
            os.close(self._lock)

    def _wait(self, seconds: float) -> None:
        """A pause that only the end cuts short: an event more is no reason to try sooner."""
        until = time.monotonic() + seconds
        while self._deadline is None and (left := until - time.monotonic()) > 0:
            self._woken.wait(min(left, _LOOK_SECONDS))
            self._woken.clear()
        if self._deadline is not None:
            time.sleep(max(0.0, min(seconds, self._deadline - time.monotonic(), _FIRST_PAUSE)))

    def _is_late(self, pause: float) -> bool:
        return self._deadline is not None and time.monotonic() + min(pause, 0.05) > self._deadline

    def _tell(self, why: str) -> None:
        if why != self._told:
            _log.warning("events do not reach the %s, and are kept: %s", self._sender.name, why)
        self._told = why

    def _deliver(self) -> None:
        """Everything after the place, one by one; each step forward is kept."""
        place, refused = _load(self._file)
        if not self._is_ours():
            if any(True for _ in self._outbox.since(place)):
                raise Undelivered("another process delivers")
            return
        if not self._outbox.has_kept(place):
            _log.warning("events for the %s were dropped: the file was full", self._sender.name)
        for entry in self._outbox.since(place):
            if entry.event is not None and _is_wanted(entry.event.name, self._only):
                try:
                    self._sender.send(entry.event, entry.line)
                except Unacceptable as error:
                    refused += 1
                    _log.warning("event %s is refused for good: %s", entry.event.id, error)
            _save(self._file, entry.after, refused)
            if self._deadline is not None and time.monotonic() > self._deadline:
                raise Undelivered("there was no time left")

    def _is_ours(self) -> bool:
        """Whether this process carries; taken once, given back at the end."""
        if self._lock is not None:
            return True
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        descriptor = os.open(self._file.with_suffix(".lock"), flags, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            return False
        self._lock = descriptor
        return True


def place_file(folder: Path, sink: str) -> Path:
    """Where is kept how far a sink has come."""
    return folder / f"events_{sink}.place"


def standing_of(outbox: Outbox, sink: str, only: frozenset[str]) -> Standing:
    """How far a sink is behind, as the files tell."""
    place, refused = _load(place_file(outbox.folder, sink))
    events = (entry.event for entry in outbox.since(place))
    waiting = sum(each is not None and _is_wanted(each.name, only) for each in events)
    return Standing(sink, waiting, refused)


def _is_wanted(name: str, only: frozenset[str]) -> bool:
    return not only or name in only


def _load(path: Path) -> tuple[Place, int]:
    """A file that cannot be read is one that says nothing: all that is kept is sent."""
    try:
        found = read(_Kept, parse(path.read_bytes()))
    except (OSError, Malformed):
        return Place("", 0), 0
    return Place(found.first, found.offset), found.refused


def _save(path: Path, place: Place, refused: int) -> None:
    fresh = path.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
    fresh.write_text(json.dumps(plain(_Kept(place.first, place.offset, refused))), encoding="utf-8")
    os.replace(fresh, path)


_log = logging.getLogger(__name__)


class Bus:
    """Publishes what happens in one repository; any thread may."""

    def __init__(self, outbox: Outbox, repository: Path, couriers: Sequence[Courier] = ()) -> None:
        self._outbox = outbox
        self._repository = str(repository)
        self._couriers = couriers

    def publish(self, name: EventName, data: Mapping[str, Any]) -> None:
        """Keep an event, marked with the cycle and the dream that this thread is about.

        A disk that cannot take it costs the event, not the cycle; that is logged.
        """
        here, now = current(), datetime.now(UTC)
        given = dict(data)
        event = Event(
            id=f"{now:%Y%m%dT%H%M%S.%fZ}-{secrets.token_hex(4)}",
            name=name,
            at=now.isoformat(),
            repository=self._repository,
            cycle_id=given.pop("cycle_id", here.cycle_id),
            dream_id=given.pop("dream_id", here.dream_id),
            data=given,
        )
        _log.info("%s %s", name, json.dumps(given, sort_keys=True))
        try:
            self._outbox.append(event)
        except OSError as error:
            _log.error("the event %s is lost: %s", name, error)
            return
        for courier in self._couriers:
            courier.wake()

    def close(self, seconds: float) -> tuple[Standing, ...]:
        """Let the couriers end their rounds; for all of them no longer than that in sum."""
        share = seconds / max(len(self._couriers), 1)
        return tuple(courier.close(share) for courier in self._couriers)


@contextmanager
def open_bus(
    outbox: Outbox,
    repository: Path,
    senders: Sequence[Sender] = (),
    only: frozenset[str] = frozenset(),
    close_seconds: float = 3.0,
) -> Iterator[Bus]:
    """A bus with a courier for each sink, until the block ends."""
    couriers = tuple(Courier(outbox, sender, only) for sender in senders)
    for courier in couriers:
        courier.start()
    bus = Bus(outbox, repository, couriers)
    try:
        yield bus
    finally:
        bus.close(close_seconds)
