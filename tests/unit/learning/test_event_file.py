import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reverie.errors import UsageError
from reverie.learning.failure_events import LINE_BYTES, Passed, read_events, read_runs

GOOD: dict[str, Any] = {
    "ts": "2025-11-10T00:24:46.894611Z",
    "test_id": "tests/test_a.py::test_b",
    "error_class": "AssertionError",
    "message": "assert 1 == 2",
    "repro_cmd": "pytest -q tests/test_a.py::test_b",
    "signature": "d70111091e106763",
}
LINE = json.dumps(GOOD).encode()


def read(path: Path, content: bytes) -> tuple[int, Passed]:
    path.write_bytes(content)
    passed = Passed()
    return len(list(read_events(path, passed))), passed


def test_an_event_of_the_document_is_read(tmp_path: Path) -> None:
    path = tmp_path / "events.ndjson"
    path.write_bytes(LINE)
    (event,) = read_events(path, Passed())
    assert event.seen_at == datetime(2025, 11, 10, 0, 24, 46, 894611, UTC)
    assert (event.test_id, event.signature) == (GOOD["test_id"], GOOD["signature"])
    assert (event.error_class, event.message) == ("AssertionError", "assert 1 == 2")
    assert (event.repro_cmd, event.phase, event.run) == (GOOD["repro_cmd"], None, None)


@pytest.mark.parametrize(
    "junk",
    [
        b"",
        b"junk",
        b"[1]",
        b"null",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"9" * 10_000,
        json.dumps({**GOOD, "signature": 7}).encode(),
        json.dumps({**GOOD, "test_id": ""}).encode(),
        json.dumps({**GOOD, "ts": "yesterday"}).encode(),
        json.dumps({**GOOD, "ts": "0001-01-01T00:00:00+14:00"}).encode(),
        json.dumps({**GOOD, "ts": 1}).encode(),
    ],
    ids=lambda junk: repr(junk[:12]),
)
def test_a_line_that_is_no_event_is_counted_and_passed_over(tmp_path: Path, junk: bytes) -> None:
    found, passed = read(tmp_path / "e", LINE + b"\n" + junk + b"\n" + LINE + b"\n")
    assert (found, passed) == (2, Passed(lines=3, junk=1))


def test_a_line_without_end_is_not_loaded(tmp_path: Path) -> None:
    found, passed = read(tmp_path / "e", b"x" * (3 * LINE_BYTES + 5) + b"\n" + LINE + b"\n")
    assert (found, passed) == (1, Passed(lines=2, too_long=1))


def test_a_line_of_just_the_limit_is_an_event(tmp_path: Path) -> None:
    padded = LINE + b" " * (LINE_BYTES - len(LINE) - 1) + b"\n"
    assert read(tmp_path / "e", padded * 2) == (2, Passed(lines=2))


def test_a_torn_last_line_is_told_apart(tmp_path: Path) -> None:
    found, passed = read(tmp_path / "e", LINE + b"\n" + LINE[:40])
    assert (found, passed) == (1, Passed(lines=2, torn=1))
    assert read(tmp_path / "e", LINE + b"\n" + LINE) == (2, Passed(lines=2))


def test_texts_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "e"
    path.write_text(json.dumps({**GOOD, "message": "x" * 100_000}))
    (event,) = read_events(path, Passed())
    assert len(event.message) == 4000


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(st.one_of(st.binary(max_size=80), st.just(LINE)), max_size=8))
def test_whatever_is_in_a_file_every_line_is_accounted_for(
    tmp_path: Path, lines: list[bytes]
) -> None:
    found, passed = read(tmp_path / "e", b"\n".join(lines))
    assert found + passed.junk + passed.too_long + passed.torn == passed.lines
    assert found >= lines.count(LINE)


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read '.*nowhere': No such file"):
        list(read_events(tmp_path / "nowhere", Passed()))


def test_runs_stand_beside_the_events(tmp_path: Path) -> None:
    events = tmp_path / "events.ndjson"
    assert read_runs(events) == ()
    good = {"run": "r", "ts": GOOD["ts"], "passed_again": ["a", 7]}
    lines = [good, {**good, "passed_again": "a"}, {**good, "run": None}, {**good, "ts": "never"}]
    text = "".join(json.dumps(each) + "\n" for each in lines)
    (tmp_path / "runs.ndjson").write_text(f"junk\n{text}")
    (run,) = read_runs(events)
    assert (run.run, run.passed_again) == ("r", frozenset({"a"}))
