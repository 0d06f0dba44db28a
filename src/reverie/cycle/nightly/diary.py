"""What is known of the nights: when the last began and how it ended, and a log that rotates."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reverie.errors import MachineryError
from reverie.model.codec import parse, plain, read

_STATE = "state.json"
_LOG = "night.log"
_INSTALLED = "installed"


@dataclass(frozen=True, slots=True)
class NightRecord:
    """One night: its times in ISO 8601; no end and no code while it runs, or when it was killed."""

    began_at: str
    ended_at: str | None = None
    exit_code: int | None = None
    cycle_id: str | None = None


class Diary:
    """The folder of the nights of one repository."""

    def __init__(self, folder: Path, keep_logs: int, log_bytes: int) -> None:
        self.folder = folder
        self.log = folder / _LOG
        self._keep = keep_logs
        self._bytes = log_bytes

    def last(self) -> NightRecord | None:
        """The last night; None when there was none, or when nobody can read about it."""
        try:
            text = (self.folder / _STATE).read_text("utf-8")
            record = read(NightRecord, parse(text), whole=True)
        except (OSError, ValueError):
            return None
        return record if _is_moment(record.began_at) else None

    def note(self, record: NightRecord) -> None:
        """Keep what is known of a night, whole or not at all."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            temporary = self.folder / f".{_STATE}.{os.getpid()}"
            temporary.write_text(json.dumps(plain(record)), "utf-8")
            temporary.replace(self.folder / _STATE)

    def note_installed(self, now: datetime) -> None:
        """Nights that were due before this are not missed."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            (self.folder / _INSTALLED).write_text(now.isoformat(), "utf-8")

    def looked_after_since(self) -> datetime | None:
        """The newest of: when the last night began, and when nights were asked for."""
        last = self.last()
        known = [] if last is None else [datetime.fromisoformat(last.began_at)]
        try:
            moment = datetime.fromisoformat((self.folder / _INSTALLED).read_text("utf-8"))
            known += [moment] if moment.tzinfo is not None else []
        except (OSError, ValueError):
            pass  # nobody asked, or nobody can read when
        return max(known, default=None)

    def write(self, line: str, now: datetime) -> None:
        """One line of the log; a full log becomes the first of the old ones."""
        with self._writing():
            self.folder.mkdir(parents=True, exist_ok=True)
            if self.log.exists() and self.log.stat().st_size > self._bytes:
                self._rotate()
            with self.log.open("a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(f"{now.isoformat(timespec='seconds')} {' '.join(line.split())}\n")

    def _rotate(self) -> None:
        for number in range(self._keep, 0, -1):
            source = self.log if number == 1 else self._old(number - 1)
            if source.exists():
                source.replace(self._old(number))
        self.log.unlink(missing_ok=True)

    def _old(self, number: int) -> Path:
        return self.log.with_name(f"{_LOG}.{number}")

    @contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise MachineryError(f"cannot write to {str(self.folder)!r}: {error}") from error


def _is_moment(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
