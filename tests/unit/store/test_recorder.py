import gc
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import pytest

from reverie.errors import ConfigError, StoreError, UsageError
from reverie.store import ExecutionRecorder, Journal, RecorderSettings, details, history, statistics
from reverie.store import recorder as mailbox_module
from reverie.store.database.postgres import PostgresBackend
from reverie.store.database.sqlite import SqliteBackend
from reverie.store.writer import BatchWriter
from reverie.testing.fakes import finished

WHENEVER = RecorderSettings(flush_seconds=3600)  # only by count, or when asked


@pytest.fixture
def journal(any_url: str) -> Iterator[Journal]:
    with Journal.open(any_url) as journal:
        yield journal


@pytest.fixture
def impatient(journal: Journal) -> Journal:
    """The same journal, for a writer that gives up at once when somebody else writes."""
    backend = journal.backend
    if isinstance(backend, SqliteBackend):
        return Journal(SqliteBackend(backend.path, busy_seconds=0))
    assert isinstance(backend, PostgresBackend)
    return Journal(PostgresBackend(f"{backend.uri}&options=-c%20lock_timeout%3D1"))


@contextmanager
def locked(journal: Journal) -> Iterator[None]:
    """While somebody else is writing, without end."""
    connection = journal.backend.connect()
    with closing(connection):
        cursor = connection.cursor()
        if isinstance(journal.backend, SqliteBackend):
            cursor.execute("BEGIN IMMEDIATE")
        else:
            cursor.execute("LOCK TABLE executions, terms, code, failure_patterns")
        yield


def test_nothing_is_written_before_it_is_due(journal: Journal) -> None:
    with ExecutionRecorder(journal, WHENEVER) as recorder:
        recorder(*finished())
        assert history(journal) == ()
        recorder.flush()
        assert len(history(journal)) == 1


def test_a_full_batch_is_written_by_itself(journal: Journal, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    written: list[int] = []
    is_written = threading.Event()
    write = BatchWriter.write

    def spy(self: BatchWriter, entries) -> None:  # type: ignore[no-untyped-def]
        write(self, entries)
        written.append(len(entries))
        is_written.set()

    monkeypatch.setattr(BatchWriter, "write", spy)
    settings = RecorderSettings(batch_rows=3, flush_seconds=3600)
    with ExecutionRecorder(journal, settings) as recorder:
        for number in range(3):
            recorder(*finished(number))
        assert is_written.wait(60)
        assert written == [3]


def test_an_old_batch_is_written_by_itself(journal: Journal) -> None:
    with ExecutionRecorder(journal, RecorderSettings(flush_seconds=0)) as recorder:
        recorder(*finished())
        recorder._mailbox._changed.acquire()
        try:
            while recorder._mailbox._entries:
                assert recorder._mailbox._changed.wait(60)
        finally:
            recorder._mailbox._changed.release()
        assert len(history(journal)) == 1


def test_a_full_buffer_makes_the_caller_wait_and_loses_nothing(journal: Journal) -> None:
    settings = RecorderSettings(batch_rows=2, buffer_rows=2)
    with ExecutionRecorder(journal, settings) as recorder, ThreadPoolExecutor(1) as pool:
        with locked(journal):
            recorder(*finished(0))
            recorder(*finished(1))
            third = pool.submit(recorder, *finished(2))
            with pytest.raises(TimeoutError):
                third.result(timeout=0.05)
        third.result(timeout=60)
        recorder.flush()
        assert len(history(journal)) == 3


def test_large_sources_fill_the_buffer_too(journal: Journal, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setattr(mailbox_module, "WAITING_CHARACTERS", 1000)
    with ExecutionRecorder(journal, WHENEVER) as recorder:
        for number in range(20):
            recorder(*finished(number, code="#" * 900 + str(number)))
        recorder.flush()
        assert recorder._mailbox._characters == 0
        assert len(history(journal)) == 20


def test_an_error_is_raised_and_what_was_not_written_is_tried_again(
    journal: Journal, impatient: Journal
) -> None:
    with ExecutionRecorder(impatient, WHENEVER) as recorder:
        with locked(journal):
            recorder(*finished(0))
            with pytest.raises(StoreError, match=r"lock.* \(1 executions are not recorded yet\)"):
                recorder.flush()
        recorder.flush()
        assert len(history(journal)) == 1


def test_an_error_in_the_background_reaches_the_next_call(
    journal: Journal, impatient: Journal
) -> None:
    settings = RecorderSettings(batch_rows=1, flush_seconds=3600)
    with ExecutionRecorder(impatient, settings) as recorder:
        with locked(journal):
            recorder(*finished(0))
            with recorder._mailbox._changed:
                while recorder._mailbox._error is None:
                    assert recorder._mailbox._changed.wait(60)
            with pytest.raises(StoreError, match="lock"):
                recorder(*finished(1))
        recorder.flush()
        assert len(history(journal)) == 2  # the call that raised was recorded as well


def test_closing_says_what_could_not_be_written(journal: Journal, impatient: Journal) -> None:
    recorder = ExecutionRecorder(impatient, WHENEVER)
    with locked(journal):
        recorder(*finished(0))
        with pytest.raises(StoreError, match="1 executions"):
            recorder.close()
    recorder.close()
    assert not any(thread.name == "reverie-recorder" for thread in threading.enumerate())


def test_a_closed_recorder_refuses(journal: Journal) -> None:
    recorder = ExecutionRecorder(journal)
    recorder(*finished())
    recorder.close()
    recorder.close()
    with pytest.raises(UsageError, match="closed"):
        recorder(*finished(1))
    assert len(history(journal)) == 1


def test_a_dropped_recorder_writes_what_it_has(journal: Journal) -> None:
    recorder = ExecutionRecorder(journal, WHENEVER)
    recorder(*finished())
    del recorder
    gc.collect()
    assert len(history(journal)) == 1


def test_a_fault_of_the_thread_is_never_silent(journal: Journal, monkeypatch) -> None:  # type: ignore[no-untyped-def]
    faults: list[object] = []
    monkeypatch.setattr(threading, "excepthook", faults.append)
    monkeypatch.setattr(BatchWriter, "write", lambda self, entries: 1 // 0)
    recorder = ExecutionRecorder(journal, WHENEVER)
    recorder(*finished())
    for use in (recorder.flush, lambda: recorder(*finished(1)), recorder.close):
        with pytest.raises(StoreError, match="died"):
            use()
    assert len(faults) == 1


def test_many_threads_may_record(journal: Journal) -> None:
    settings = RecorderSettings(batch_rows=7, buffer_rows=20)
    with ExecutionRecorder(journal, settings) as recorder, ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda number: recorder(*finished(number)), range(400)))
        recorder.flush()
        assert statistics(journal).executions == 400


def test_sources_are_kept_only_when_wanted(journal: Journal) -> None:
    with ExecutionRecorder(journal, RecorderSettings(keep_source=False)) as recorder:
        recorder(*finished())
    assert details(journal, history(journal)[0].id).source is None


@pytest.mark.parametrize(
    "settings",
    [{"batch_rows": 0}, {"batch_rows": 11, "buffer_rows": 10}, {"flush_seconds": -1.0}],
)
def test_settings_out_of_bounds_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(ConfigError, match=str(next(iter(settings.values())))):
        RecorderSettings(**settings)


PROLOGUE = """
import os, sys
from reverie.store import ExecutionRecorder, Journal, RecorderSettings
from reverie.testing.fakes import finished
journal = Journal.open(sys.argv[1])
recorder = ExecutionRecorder(journal, RecorderSettings(flush_seconds=3600))
recorder(*finished(0))
"""


def run(program: str, url: str) -> None:
    command = [sys.executable, "-c", PROLOGUE + program, url]
    subprocess.run(command, check=True, timeout=120)


def test_what_waits_at_exit_is_written(journal: Journal, any_url: str) -> None:
    run("", any_url)
    assert len(history(journal)) == 1


def test_what_waits_when_the_program_fails_is_written(journal: Journal, any_url: str) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        run("raise SystemExit(1)", any_url)
    assert len(history(journal)) == 1


def test_parent_and_child_of_a_fork_each_write_their_own(journal: Journal, any_url: str) -> None:
    program = """
recorder.flush()          # the connection is open when we fork
recorder(*finished(1))    # waits in the parent; the child must not write it too
child = os.fork()
if not child:             # SQLite forbids to carry a connection over a fork
    links = [f"/proc/self/fd/{fd}" for fd in os.listdir("/proc/self/fd")]
    files = [os.readlink(link) for link in links if os.path.islink(link)]
    assert not [file for file in files if "journal.db" in file], files
recorder(*finished(2 if child else 3))
recorder.close()
if child:
    assert os.waitpid(child, 0)[1] == 0
"""
    run(program, any_url)
    assert {row.id for row in history(journal)} == {finished(number)[1].id for number in range(4)}
