import json
import threading
from pathlib import Path

import pytest

from reverie.events.bus import Bus
from reverie.events.context import about
from reverie.events.outbox import Outbox, Place
from reverie.model.events import Event, EventName

START = Place("", 0)


def event(number: int) -> Event:
    return Event(f"e{number:04d}", EventName.DREAM_HELD, "2026-01-01", "/r", None, None, {})


def ids(outbox: Outbox, place: Place = START) -> list[str]:
    return [entry.event.id for entry in outbox.since(place) if entry.event is not None]


def test_what_is_appended_is_read_in_order_from_any_place(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    for number in range(5):
        outbox.append(event(number))
    entries = list(outbox.since(START))
    assert [entry.event for entry in entries] == [event(number) for number in range(5)]
    assert ids(outbox, entries[2].after) == ["e0003", "e0004"]
    assert ids(outbox, outbox.end()) == []


def test_a_full_file_is_kept_once_and_read_through(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path, max_bytes=1000)
    outbox.append(event(0))
    place = outbox.end()
    for number in range(1, 10):
        outbox.append(event(number))
    assert outbox.older.exists()
    assert ids(outbox, place) == [f"e{number:04d}" for number in range(1, 10)]
    for number in range(10, 40):
        outbox.append(event(number))
    assert not outbox.has_kept(place)
    assert ids(outbox, place)[-1] == "e0039"
    assert sum(path.stat().st_size for path in tmp_path.iterdir()) <= 2000


def test_a_torn_line_costs_no_other(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.append(event(0))
    with outbox.path.open("ab") as file:
        file.write(b'{"torn')
    outbox.append(event(1))
    assert ids(outbox) == ["e0000", "e0001"]


@pytest.mark.parametrize("junk", [b"[1]", b"null", b"{}", b'{"event": "x"}', b"[" * 5000, b"\xff"])
def test_a_line_that_is_no_event_is_passed_over(tmp_path: Path, junk: bytes) -> None:
    outbox = Outbox(tmp_path)
    outbox.path.write_bytes(junk + b"\n")
    outbox.append(event(1))
    assert ids(outbox) == ["e0001"]


def test_an_event_without_end_is_cut(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    Bus(outbox, tmp_path).publish(EventName.STEP_FAILED, {"error": "x" * 3_000_000})
    (entry,) = outbox.since(START)
    assert entry.event is not None
    assert entry.event.data["cut"] > 3_000_000


def test_threads_lose_nothing_and_an_event_bears_its_ids(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    bus = Bus(outbox, tmp_path)

    def work(number: int) -> None:
        with about(cycle_id="c1"), about(dream_id=f"d{number}"):
            for turn in range(20):
                bus.publish(EventName.DREAM_REJECTED, {"turn": turn})

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    documents = [json.loads(line) for line in outbox.path.read_text().splitlines()]
    for number in range(4):
        mine = [each for each in documents if each["dream_id"] == f"d{number}"]
        assert [each["data"]["turn"] for each in mine] == list(range(20))
    assert {each["cycle_id"] for each in documents} == {"c1"}


def test_a_disk_that_takes_nothing_costs_the_event_only(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "taken").write_text("")
    Bus(Outbox(tmp_path / "taken"), tmp_path).publish(EventName.CYCLE_STARTED, {})
    assert "cycle:started is lost" in caplog.text
