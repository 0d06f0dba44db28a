"""Failures as lines of JSON, each written at once: complete also when the run is killed.

A line is one `write` to a file opened for appending, so that workers share it without a lock, and
what is written is the kernel's to keep. `reverie_fsync` waits for the disk as well.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_TAIL_BYTES = 4 << 20


class EventLog:
    """One file that events are appended to. A test may replace `os`: these are the real ones."""

    _open = staticmethod(os.open)
    _write = staticmethod(os.write)
    _fsync = staticmethod(os.fsync)
    _makedirs = staticmethod(os.makedirs)
    _dumps = staticmethod(json.dumps)

    def __init__(self, path: Path, *, is_synced: bool) -> None:
        self._path = path
        self._is_synced = is_synced
        self._descriptor: int | None = None
        self.trouble: OSError | None = None

    def append(self, event: Mapping[str, Any]) -> None:
        """Write one event. That it cannot be written fails no test: it is told at the end."""
        line = self._dumps(event).encode("ascii") + b"\n"
        try:
            if self._descriptor is None:
                self._descriptor = self._start()
            while line:
                line = line[self._write(self._descriptor, line) :]
            if self._is_synced:
                self._fsync(self._descriptor)
        except OSError as error:
            self.trouble = error

    def _start(self) -> int:
        self._makedirs(self._path.parent, exist_ok=True)
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        descriptor = self._open(self._path, flags, 0o644)
        size = os.fstat(descriptor).st_size
        if size and os.pread(descriptor, 1, size - 1) != b"\n":
            self._write(descriptor, b"\n")  # a line that a crash has torn stays alone
        return descriptor


def tests_that_failed(path: Path) -> frozenset[str]:
    """The ids in an event file, as far back as is quickly read; of lines that can be read."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - _TAIL_BYTES))
            lines = file.read(_TAIL_BYTES).splitlines()
    except OSError:
        return frozenset()
    return frozenset(filter(None, map(_test_id, lines)))


def _test_id(line: bytes) -> str | None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return None
    test_id = event.get("test_id") if isinstance(event, dict) else None
    return test_id if isinstance(test_id, str) else None
