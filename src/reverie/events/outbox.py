"""The file of events: a line each, appended by any number of processes, bounded in size.

When it is full it becomes the older file, and the one before that is gone. Readers keep a
`Place`, which names a file by its first event: numbers of files are used again.
"""

import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from reverie.home.own_folder import make_own_folder
from reverie.model.codec import plain, read
from reverie.model.events import Event

EVENTS_FILE = "events.jsonl"
OLDER_FILE = "events.1.jsonl"
LINE_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Place:
    """How far somebody has read; the first event of the file is "" where there was none."""

    first: str
    offset: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One line, where the next one starts, and the event in it; None for a line that is none."""

    event: Event | None
    line: bytes
    after: Place


@dataclass(frozen=True, slots=True)
class Outbox:
    """The events of one repository."""

    folder: Path
    max_bytes: int = 16 << 20

    @property
    def path(self) -> Path:
        """The file that is written."""
        return self.folder / EVENTS_FILE

    @property
    def older(self) -> Path:
        """The file that was full."""
        return self.folder / OLDER_FILE

    def append(self, event: Event) -> None:
        """Add one, after whatever others have added."""
        line = _line(event)
        if not self.folder.is_dir():
            make_own_folder(self.folder)
        descriptor = self._locked()
        try:
            size = os.fstat(descriptor).st_size
            if size and size + len(line) > self.max_bytes:
                os.replace(self.path, self.older)
                fresh = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
                os.close(descriptor)
                descriptor, size = fresh, 0
            is_torn = bool(size) and os.pread(descriptor, 1, size - 1) != b"\n"
            os.write(descriptor, b"\n" + line if is_torn else line)
        finally:
            os.close(descriptor)

    def _locked(self) -> int:
        """The file that is written, held alone; it may be replaced while one waits for it."""
        while True:
            flags = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            descriptor = os.open(self.path, flags, 0o644)
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            try:
                if os.path.samestat(os.fstat(descriptor), os.stat(self.path)):
                    return descriptor
            except FileNotFoundError:
                pass
            os.close(descriptor)

    def end(self) -> Place:
        """Behind all that is there now."""
        place = Place("", 0)
        for entry in self.since(place):
            place = entry.after
        return place

    def has_kept(self, place: Place) -> bool:
        """Whether what comes after a place is still there."""
        return not place.first or place.first in (_first(self.older), _first(self.path))

    def since(self, place: Place) -> Iterator[Entry]:
        """All whole lines after a place; from the oldest on where the place is gone."""
        files = [(path, _first(path)) for path in (self.older, self.path)]
        firsts = [first for _, first in files]
        if place.first and place.first in firsts:
            files = files[firsts.index(place.first) :]
        else:
            place = Place("", 0)
        for path, first in files:
            if first:
                yield from _lines(path, first, place.offset if first == place.first else 0)


def _lines(path: Path, first: str, offset: int) -> Iterator[Entry]:
    try:
        file = path.open("rb")
    except OSError:
        return
    with file:
        file.seek(offset)
        while (line := file.readline(LINE_BYTES * 2)) and line.endswith(b"\n"):
            yield Entry(_event(line), line, Place(first, file.tell()))


def _first(path: Path) -> str:
    """What names a file: its first line; "" while there is none."""
    try:
        with path.open("rb") as file:
            line = file.readline(LINE_BYTES * 2)
    except OSError:
        return ""
    event = _event(line)
    return event.id if event is not None else line[:80].hex() if line.endswith(b"\n") else ""


def _event(line: bytes) -> Event | None:
    try:
        return read(Event, json.loads(line), loose=True)
    except (ValueError, RecursionError):
        return None


def _line(event: Event) -> bytes:
    document = plain(event)
    line = json.dumps(document, sort_keys=True).encode() + b"\n"
    if len(line) > LINE_BYTES:
        cut = {**document, "data": {"cut": len(line)}}
        line = json.dumps(cut, sort_keys=True).encode() + b"\n"
    return line
