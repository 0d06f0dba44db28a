"""What recording one execution costs, in CPU time of the whole process.

    python benchmarks/journal.py [ROWS] [URL]

Prints microseconds of CPU per recorded row: the caller's share and everything together
(caller, buffer, writing thread, database library). One row in ten is a failure.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reverie.model.execution import Call, ErrorReport, Execution, Request, Usage
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie.store import ExecutionRecorder, Journal, journal_url

STARTED_AT = datetime(2025, 1, 1, tzinfo=UTC)
CODES = [f"def f(x):\n    return x + {n}\n" for n in range(100)]


def executions(count: int) -> Iterator[tuple[Request, Execution]]:
    for number in range(count):
        request = Request(Call(CODES[number % len(CODES)], "f", {"x": number}))
        failed = number % 10 == 0
        error = ErrorReport(f"bad value {number % 50}", "ValueError", "dream:f", "Traceback …")
        yield (
            request,
            Execution(
                id=f"{number * 0x9E3779B97F4A7C15 % (1 << 64):016x}{number:016x}",
                outcome=TestOutcome.RUNTIME_ERROR if failed else TestOutcome.SUCCESS,
                error_category=ErrorCategory.RUNTIME if failed else None,
                output=number,
                error=error if failed else None,
                stdout="",
                stderr="",
                usage=Usage(0.001 + number % 977 / 1e6, 0.0009, 12_000_000),
                isolation=IsolationTier.NAMESPACES,
                code_hash=request.code_hash,
                started_at=STARTED_AT + timedelta(milliseconds=number),
                exit_code=0,
            ),
        )


def measure(url: str, rows: int) -> None:
    finished = list(executions(rows))
    with Journal.open(url) as journal, ExecutionRecorder(journal) as recorder:
        before, caller = time.process_time(), time.thread_time()
        for request, execution in finished:
            recorder(request, execution)
        caller = time.thread_time() - caller
        recorder.flush()
        spent = time.process_time() - before
    print(f"{rows} rows: caller {caller / rows * 1e6:.1f} µs, all {spent / rows * 1e6:.1f} µs")


if __name__ == "__main__":
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    with tempfile.TemporaryDirectory() as folder:
        measure(sys.argv[2] if len(sys.argv) > 2 else journal_url(Path(folder)), rows)
