"""Several real processes on one journal, some of them killed in the middle of it."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from reverie.store import Journal, failure_patterns, history, journal_url, statistics
from reverie.store.database.sqlite import SqliteBackend

PROLOGUE = """
import sys
from reverie.model.outcome import TestOutcome
from reverie.store import ExecutionRecorder, Journal, RecorderSettings
from reverie.testing.fakes import finished
url, first = sys.argv[1], int(sys.argv[2])
print("started", flush=True)
journal = Journal.open(url)
print("opened", flush=True)
"""

READ_THEN_WRITE = """
from sqlalchemy import text
recorder = ExecutionRecorder(journal, RecorderSettings(batch_rows=10))
for number in range(first, first + 25):
    with journal.writing() as connection:
        value = connection.execute(text("SELECT value FROM meta WHERE key = 'n'")).scalar()
        if value is None:
            connection.execute(text("INSERT INTO meta VALUES ('n', '1')"))
        else:
            new = {"value": str(int(value) + 1)}
            connection.execute(text("UPDATE meta SET value = :value WHERE key = 'n'"), new)
    for part in range(8):
        code = f"shared {part}"
        recorder(*finished(number * 8 + part, code=code, outcome=TestOutcome.RUNTIME_ERROR))
recorder.close()
"""

RECORD_FOREVER = """
recorder = ExecutionRecorder(journal, RecorderSettings(batch_rows=5))
number = first
while True:
    ids = []
    for number in range(number, number + 7):
        request, execution = finished(number, code=f"# {number % 3}")
        recorder(request, execution)
        ids.append(execution.id)
    recorder.flush()
    print(*ids, flush=True)
    number += 1
"""


def start(program: str, url: str, first: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", PROLOGUE + program, url, str(first)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def kill(process: "subprocess.Popen[str]") -> list[str]:
    """End the process as nothing can be ended more suddenly; what it had said by then."""
    os.kill(process.pid, signal.SIGKILL)
    said, _ = process.communicate(timeout=60)
    return said.splitlines()


def assert_intact(journal: Journal) -> None:
    if isinstance(journal.backend, SqliteBackend):
        with closing(sqlite3.connect(journal.backend.path)) as connection:
            assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
            assert connection.execute("PRAGMA foreign_key_check").fetchall() == []


class ProcessContract:
    @pytest.fixture
    def url(self) -> str:
        raise NotImplementedError

    def test_four_processes_lose_no_update(self, url: str) -> None:
        """They also all start with a journal that does not exist yet."""
        processes = [start(READ_THEN_WRITE, url, first=25 * each) for each in range(4)]
        for process in processes:
            process.communicate(timeout=240)
            assert process.returncode == 0
        with Journal.open(url, create=False) as journal:
            with journal.reading() as connection:
                query = "SELECT value FROM meta WHERE key = 'n'"
                assert connection.exec_driver_sql(query).scalar() == "100"
            assert statistics(journal).executions == 800
            (pattern,) = failure_patterns(journal)
            assert pattern.frequency == 800
            assert_intact(journal)

    def test_a_killed_writer_loses_nothing_it_had_committed(self, url: str) -> None:
        chance = random.Random(20250101)
        with Journal.open(url) as journal:
            promised: set[str] = set()
            for attempt in range(6):
                process = start(RECORD_FOREVER, url, first=attempt * 1_000_000)
                assert process.stdout is not None
                lines = chance.randrange(2, 40)
                said = [process.stdout.readline() for _ in range(lines)] + kill(process)
                promised.update(
                    word for line in said[2:] if line.count(" ") == 6 for word in line.split()
                )
            recorded = {row.id for row in history(journal, limit=100_000)}
            assert promised
            assert promised <= recorded
            assert_intact(journal)

    def test_a_process_killed_while_it_makes_the_journal_leaves_no_trace(self, url: str) -> None:
        chance = random.Random(20250102)
        for _ in range(3):
            process = start("", url, first=0)
            assert process.stdout is not None
            assert process.stdout.readline() == "started\n"
            try:
                process.wait(timeout=chance.uniform(0.05, 0.6))
            except subprocess.TimeoutExpired:
                kill(process)
            process.stdout.close()
        with Journal.open(url) as journal:
            assert history(journal) == ()
            assert_intact(journal)


class TestSqliteProcesses(ProcessContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return journal_url(tmp_path)


class TestPostgresProcesses(ProcessContract):
    @pytest.fixture
    def url(self, postgres_url: str) -> str:
        return postgres_url
