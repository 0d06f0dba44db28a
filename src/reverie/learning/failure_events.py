"""Failures that the pytest plugin wrote, read and grouped: events that are one bug, together.

A file is read line by line and never believed: a line that is no event is counted and passed
over, a line without end is not loaded, and text is cut to what the plugin would have written. A
cluster says how often, since when, in which tests, and how reliably.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import IO, Any

from reverie.errors import UsageError
from reverie.model.history import FailureCluster, FailureEvent, TestRun

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


def cluster(events: Iterable[FailureEvent], runs: Sequence[TestRun]) -> tuple[FailureCluster, ...]:
    """One cluster per signature, most frequent first; among equals the latest first."""
    gathered: dict[str, _Gathered] = {}
    for event in events:
        gathered.setdefault(event.signature, _Gathered(event, event)).add(event)
    found = [each.cluster(runs) for each in gathered.values()]
    found.sort(key=lambda each: each.signature)
    found.sort(key=lambda each: (each.count, each.last_seen), reverse=True)
    return tuple(found)


def flake_score(outcomes: Sequence[bool]) -> float | None:
    """The share of consecutive runs in which the outcome changed; None for fewer than two runs.

    Always failing is 0, and a bug that was mended once is near 0: neither is flaky.
    """
    if len(outcomes) < 2:
        return None
    changes = sum(one != other for one, other in pairwise(outcomes))
    return changes / (len(outcomes) - 1)


@dataclass(slots=True)
class _Gathered:
    """A cluster in the making."""

    first: FailureEvent
    last: FailureEvent
    count: int = 0
    phases: set[str] = field(default_factory=set)
    tests: set[str] = field(default_factory=set)
    runs: dict[str, datetime] = field(default_factory=dict)
    has_all_runs: bool = True

    def add(self, event: FailureEvent) -> None:
        self.count += 1
        self.tests.add(event.test_id)
        if event.phase is not None:
            self.phases.add(event.phase)
        if event.seen_at < self.first.seen_at:
            self.first = event
        if event.seen_at >= self.last.seen_at:
            self.last = event
        if event.run is None:
            self.has_all_runs = False
        else:
            seen = self.runs.get(event.run, event.seen_at)
            self.runs[event.run] = min(seen, event.seen_at)

    def cluster(self, runs: Sequence[TestRun]) -> FailureCluster:
        passes = {
            each.run: each.ended_at
            for each in runs
            if each.run not in self.runs and each.passed_again & self.tests
        }
        moments = [(moment, False) for moment in self.runs.values()]
        moments += [(moment, True) for moment in passes.values()]
        outcomes = [has_passed for _, has_passed in sorted(moments)]
        return FailureCluster(
            signature=self.last.signature,
            count=self.count,
            error_class=self.last.error_class,
            message=self.last.message,
            phases=tuple(sorted(self.phases)),
            tests=tuple(sorted(self.tests)),
            first_seen=self.first.seen_at,
            last_seen=self.last.seen_at,
            runs_failed=len(self.runs),
            runs_passed=len(passes),
            flake_score=flake_score(outcomes) if self.has_all_runs else None,
            repro_cmd=self.last.repro_cmd,
        )
