"""Read what the pytest plugin wrote, whoever has written into it since.

A file is read line by line and never believed: a line that is no event is counted and passed
over, a line without end is not loaded, and text is cut to what the plugin would have written.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from reverie.errors import UsageError
from reverie.model.event import FailureEvent, TestRun

LINE_BYTES = 1 << 20
_TEXT_CHARACTERS = 4000
_RUNS_FILE = "runs.ndjson"


@dataclass(slots=True)
class Passed:
    """How many lines were read, and how many of them were passed over, by reason."""

    lines: int = 0
    junk: int = 0
    too_long: int = 0
    torn: int = 0  # the last line, cut off by a crash or still being written


def read_events(path: Path, passed: Passed) -> Iterator[FailureEvent]:
    """The events of a file, in its order; `passed` counts along."""
    try:
        with path.open("rb") as file:
            for document in _documents(file, passed):
                event = _event(document)
                if event is None:
                    passed.junk += 1
                else:
                    yield event
    except OSError as error:
        raise UsageError(f"cannot read {str(path)!r}: {error.strerror}") from error


def read_runs(events: Path) -> tuple[TestRun, ...]:
    """The runs told beside an event file; none where there is no such file."""
    try:
        with events.with_name(_RUNS_FILE).open("rb") as file:
            return tuple(filter(None, map(_run, _documents(file, Passed()))))
    except OSError:
        return ()


def _documents(file: IO[bytes], passed: Passed) -> Iterator[dict[str, Any]]:
    while line := file.readline(LINE_BYTES):
        passed.lines += 1
        is_whole = line.endswith(b"\n")
        if not is_whole and len(line) == LINE_BYTES:
            passed.too_long += 1
            _pass_over(file)
            continue
        document = _parsed(line)
        if document is not None:
            yield document
        elif is_whole:
            passed.junk += 1
        else:
            passed.torn += 1


def _pass_over(file: IO[bytes]) -> None:
    while (part := file.readline(LINE_BYTES)) and not part.endswith(b"\n"):
        pass


def _parsed(line: bytes) -> dict[str, Any] | None:
    try:
        document = json.loads(line)
    except (ValueError, RecursionError):
        return None
    return document if isinstance(document, dict) else None


def _event(document: dict[str, Any]) -> FailureEvent | None:
    moment = _moment(document.get("ts"))
    test_id, signature = _text(document.get("test_id")), _text(document.get("signature"))
    if moment is None or not test_id or not signature:
        return None
    return FailureEvent(
        seen_at=moment,
        test_id=test_id,
        error_class=_text(document.get("error_class")) or "",
        message=_text(document.get("message")) or "",
        signature=signature,
        repro_cmd=_text(document.get("repro_cmd")),
        phase=_text(document.get("phase")),
        run=_text(document.get("run")),
    )


def _run(document: dict[str, Any]) -> TestRun | None:
    run, moment = _text(document.get("run")), _moment(document.get("ts"))
    passed = document.get("passed_again")
    if not run or moment is None or not isinstance(passed, list):
        return None
    return TestRun(run, moment, frozenset(each for each in passed if isinstance(each, str)))


def _text(value: object) -> str | None:
    return value[:_TEXT_CHARACTERS] if isinstance(value, str) else None


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
