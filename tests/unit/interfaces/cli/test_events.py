import json
from collections.abc import Callable
from pathlib import Path

import pytest

EVENT = {
    "ts": "2025-11-10T00:24:46.894611Z",
    "test_id": "tests/test_a.py::test_b",
    "error_class": "ValueError",
    "message": "\x1b[31mred\x1b[0m",
    "repro_cmd": "pytest -q tests/test_a.py::test_b",
    "signature": "d70111091e106763",
    "run": "r1",
}


@pytest.fixture
def events(repository: Path) -> Path:
    """Three events of two signatures, and what somebody else left in the file."""
    file = repository / "reports" / "events.ndjson"
    file.parent.mkdir()
    later = {**EVENT, "ts": "2025-11-12T00:00:00Z", "run": "r2"}
    other = {**EVENT, "signature": "0000000000000000", "test_id": "tests/test_a.py::test_c"}
    lines = [*map(json.dumps, (EVENT, later, other)), "junk", '{"torn']
    file.write_text("\n".join(lines))
    runs = {"run": "r3", "ts": "2025-11-13T00:00:00Z", "passed_again": [EVENT["test_id"]]}
    (file.parent / "runs.ndjson").write_text(json.dumps(runs) + "\n")
    return file


def test_the_file_of_the_repository_is_found(cli: Callable, events: Path, repository: Path) -> None:
    ran = cli("events", "--repo", str(repository), "--json")
    assert (ran.code, ran.document["file"]) == (0, str(events))
    assert ran.document["lines"] == {"lines": 5, "junk": 1, "too_long": 0, "torn": 1}
    assert (ran.document["events"], ran.document["signatures"]) == (3, 2)
    first = ran.document["clusters"][0]
    assert (first["signature"], first["count"]) == (EVENT["signature"], 2)
    assert (first["runs_failed"], first["runs_passed"], first["flake_score"]) == (2, 1, 0.5)
    assert first["first_seen"].startswith("2025-11-10T00:24:46")


def test_people_get_a_table_that_no_terminal_obeys(cli: Callable, events: Path) -> None:
    out = cli("events", str(events)).out
    assert "\x1b" not in out
    assert "ValueError: \\x1b[31mred" in out
    assert "pytest -q tests/test_a.py::test_b" in out
    assert "3 events, 2 signatures\nlines passed over: 1 no events, 1 torn\n" in out


def test_since_and_limit(cli: Callable, events: Path) -> None:
    recent = cli("events", str(events), "--since", "2025-11-11", "--json").document
    assert (recent["events"], recent["signatures"]) == (1, 1)
    one = cli("events", str(events), "--limit", "1", "--json").document
    assert (len(one["clusters"]), one["signatures"]) == (1, 2)


def test_a_repository_without_events_says_how_to_get_them(cli: Callable, repository: Path) -> None:
    ran = cli("events", "--repo", str(repository))
    assert (ran.code, ran.out) == (
        0,
        "no events: there is no reports/events.ndjson; `pytest --reverie` writes it\n",
    )
    document = cli("events", "--repo", str(repository), "--json").document
    assert (document["file"], document["clusters"]) == (None, [])


def test_a_file_that_is_not_there_is_a_mistake(cli: Callable, tmp_path: Path) -> None:
    ran = cli("events", str(tmp_path / "nowhere"))
    assert ran.code == 2
    assert "cannot read" in ran.err
    assert cli("events", str(tmp_path)).code == 2


def test_published_events_are_shown_with_what_waits(cli: Callable, repository: Path) -> None:
    from reverie.events.bus import open_bus
    from reverie.events.outbox import Outbox
    from reverie.events.sinks import WebhookSender
    from reverie.model.events import EventName

    folder = repository / ".reverie"
    lost = WebhookSender("http://127.0.0.1:9/")
    with open_bus(Outbox(folder), repository, (lost,), close_seconds=0.1) as bus:
        bus.publish(EventName.DREAM_HELD, {"title": "\x1b[31mred"})
    document = cli("events", "--published", "--json", "--repo", str(repository)).document
    assert document["file"] == str(folder / "events.jsonl")
    assert [each["event"] for each in document["events"]] == ["dream:held"]
    assert document["sinks"] == [{"sink": "webhook", "waiting": 1, "refused": 0}]
    shown = cli("events", "--published", "--repo", str(repository)).out
    assert "dream:held" in shown
    assert "webhook: 1 waiting, 0 refused" in shown
    assert "\x1b" not in shown
    environ = {
        "REVERIE_EVENTS_WEBHOOK": "http://127.0.0.1:9/",
        "REVERIE_EVENTS_CLOSE_SECONDS": "0.1",
    }
    deliver = ("events", "--published", "--deliver", "--repo", str(repository))
    assert cli(*deliver, environ=environ).code == 1
    assert cli("events", "--deliver", "--repo", str(repository)).code == 2


def test_a_repository_cannot_have_its_events_sent_anywhere(cli: Callable, repository: Path) -> None:
    text = "[tool.reverie.events]\nwebhook = 'http://127.0.0.1:9/'\n"
    (repository / "pyproject.toml").write_text(text)
    ran = cli("events", "--published", "--deliver", "--repo", str(repository))
    assert ran.out == "no events\n"
    assert "a file of the repository cannot set this" in ran.err
