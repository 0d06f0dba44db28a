"""One night, wired: the lock, the diary, a cycle that was left, a new one; and stopping a cycle.

A cycle that another process runs on a repository is stopped by a signal.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from reverie.cycle.scheduler_entries import Diary, NightRecord, last_due, parse_time
from reverie.errors import ReverieError
from reverie.model.outcome import counted

if TYPE_CHECKING:
    from reverie.model.cycle import CycleRecord
    from reverie.settings import Loaded

Clock = Callable[[], datetime]
FAILED, MACHINERY = 1, 3


def _now() -> datetime:
    return datetime.now().astimezone()


@dataclass(frozen=True, slots=True)
class Nights:
    """The nights of one repository."""

    loaded: Loaded
    clock: Clock = _now

    @property
    def diary(self) -> Diary:
        """Where they are told of."""
        section = self.loaded.settings.nightly
        return Diary(self.loaded.data_dir, section.keep_logs, section.log_bytes)

    def is_missed(self, time: str) -> bool:
        """Whether the night that is due has not begun, as after the machine slept."""
        since = self.diary.looked_after_since()
        return since is None or since < last_due(parse_time(time), self.clock())

    def run(self) -> NightRecord:
        """One whole night; `Refused` while another one is under way."""
        with self._alone():
            diary = self.diary
            record = NightRecord(self.clock().isoformat())
            diary.note(record)
            diary.write("the night begins", self.clock())
            try:
                cycle = self._cycle()
                told, code = _told(cycle)
                record = replace(record, cycle_id=cycle.header.id)
            except ReverieError as error:
                told, code = f"failed: {error}", MACHINERY
            record = replace(record, ended_at=self.clock().isoformat(), exit_code=code)
            diary.write(told, self.clock())
            diary.note(record)
            return record

    @contextmanager
    def _alone(self) -> Iterator[None]:
        from reverie.promotion.scratch import held_alone

        with held_alone(f"night {self.loaded.repository.resolve()}", "a night", 0.0):
            yield

    def _cycle(self) -> CycleRecord:
        """What was left of the last cycle is finished first; then a new one has the budget."""
        from reverie.bootstrap.cycles import Cycle
        from reverie.cycle.report.document import report_document
        from reverie.cycle.report.page import report_page
        from reverie.store import Journal
        from reverie.store.cycles.cycles import unfinished_cycle

        seconds = self.loaded.settings.nightly.budget_seconds
        cycle = Cycle(loaded=self.loaded, seconds=seconds)
        with Journal.open(self.loaded.repository_journal_url) as journal:
            left = unfinished_cycle(journal, self.loaded.repository)
        if left is not None:
            self._recover(left)
        record = cycle.run()
        page = self.loaded.data_dir / "reports" / f"{record.header.id}.html"
        page.parent.mkdir(parents=True, exist_ok=True)
        text = report_page(report_document(record))
        page.write_text(text, encoding="utf-8", errors="backslashreplace")
        self.diary.write(f"report: {page}", self.clock())
        return record

    def _recover(self, left: str) -> None:
        from reverie.bootstrap.cycles import Cycle

        try:
            Cycle(loaded=self.loaded).recover()
            self.diary.write(f"the cycle {left} was finished", self.clock())
        except ReverieError as error:
            self.diary.write(f"the cycle {left} is left as it is: {error}", self.clock())


def _told(record: CycleRecord) -> tuple[str, int]:
    from reverie.cycle.report.document import failed_everywhere, report_document

    document = report_document(record)
    failed = document["steps"].get("failed", 0)
    state = document["state"]
    told = (
        f"cycle {record.header.id} {state}: {len(document['promotions'])} promoted, "
        f"{document['trials']} tried, {counted(failed, 'step')} failed, {document['seconds']:.0f} s"
    )
    return told, FAILED if state != "finished" or failed_everywhere(document) else 0


def cycle_lock(repository: Path) -> str:
    """What is held while a cycle runs on a repository."""
    return f"cycle {repository.resolve()}"


def stop_cycle(repository: Path) -> int | None:
    """Ask the process that runs a cycle here to end it, as Ctrl-C does; None: none runs.

    What is proven by then is kept, and `reverie run --recover` goes on with the rest.
    """
    from reverie.promotion.scratch import holder_of

    number = holder_of(cycle_lock(repository))
    if number is not None:
        os.kill(number, signal.SIGTERM)
    return number


@contextmanager
def ended_by_request() -> Iterator[None]:
    """Let SIGTERM end what is inside as Ctrl-C does: it comes from `stop`, systemd or cron.

    Not SIGINT, which shells have background processes ignore.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread hears signals, and it is somebody else's
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before or signal.SIG_DFL)
