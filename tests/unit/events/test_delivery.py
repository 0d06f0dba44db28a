"""Against a real server on loopback; every wait is bounded."""

import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from reverie.events.bus import open_bus, standing_of
from reverie.events.outbox import Outbox
from reverie.events.sinks import SIGNATURE, WebhookSender
from reverie.model.events import EventName

NONE: frozenset[str] = frozenset()


class Receiver:
    """Answers with the codes it is given, then with 204; keeps what it answered so."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.got: list[dict[str, object]] = []
        self.headers: list[dict[str, str]] = []
        self.bodies: list[bytes] = []
        self.hold = threading.Event()
        self.hold.set()
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.hold.wait(10)
                code = outer.answers.pop(0) if outer.answers else 204
                if code == 204:
                    outer.got.append(json.loads(body))
                    outer.headers.append(dict(self.headers))
                    outer.bodies.append(body)
                self.send_response(code)
                if code == 302:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()

            do_GET = do_POST

            def log_message(self, *_: object) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/secret-path"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    def close(self) -> None:
        self.hold.set()
        self.server.shutdown()
        self.thread.join(10)
        self.server.server_close()

    @property
    def turns(self) -> list[object]:
        return [each["data"]["turn"] for each in self.got]  # type: ignore[index]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.close()


def publish(
    folder: Path, url: str, turns: range, only: frozenset[str] = NONE, close: float = 8.0
) -> None:
    outbox = Outbox(folder)
    senders = (WebhookSender(url, "key", 5.0),)
    with open_bus(outbox, folder, senders, only, close) as bus:
        for turn in turns:
            bus.publish(EventName.DREAM_REJECTED, {"turn": turn})


def test_events_arrive_in_order_and_signed(tmp_path: Path, receiver: Receiver) -> None:
    publish(tmp_path, receiver.url, range(20))
    assert receiver.turns == list(range(20))
    digest = hmac.new(b"key", receiver.bodies[0], hashlib.sha256).hexdigest()
    assert receiver.headers[0][SIGNATURE] == f"sha256={digest}"
    assert receiver.headers[0]["X-Reverie-Event"] == "dream:rejected"


@pytest.mark.parametrize("code", [500, 503, 429, 404, 302])
def test_what_fails_is_tried_again_and_nothing_overtakes_it(
    tmp_path: Path, receiver: Receiver, code: int
) -> None:
    receiver.answers = [code, code]
    publish(tmp_path, receiver.url, range(4))
    assert receiver.turns == [0, 1, 2, 3]


def test_what_is_refused_for_good_is_counted_and_passed_over(
    tmp_path: Path, receiver: Receiver
) -> None:
    receiver.answers = [422]
    publish(tmp_path, receiver.url, range(3))
    assert receiver.turns == [1, 2]
    assert standing_of(Outbox(tmp_path), "webhook", NONE).refused == 1


def test_what_did_not_arrive_is_kept_told_and_sent_next_time(
    tmp_path: Path, receiver: Receiver, caplog: pytest.LogCaptureFixture
) -> None:
    publish(tmp_path, "http://127.0.0.1:9/secret-path", range(3), close=0.3)
    assert "3 events wait for the webhook" in caplog.text
    assert "secret-path" not in caplog.text
    assert standing_of(Outbox(tmp_path), "webhook", NONE).waiting == 3
    publish(tmp_path, receiver.url, range(3, 5))
    assert receiver.turns == [0, 1, 2, 3, 4]
    assert standing_of(Outbox(tmp_path), "webhook", NONE).waiting == 0


def test_a_receiver_that_hangs_holds_nobody_up(tmp_path: Path, receiver: Receiver) -> None:
    receiver.hold.clear()
    began = time.monotonic()
    publish(tmp_path, receiver.url, range(200), close=0.2)
    assert time.monotonic() - began < 5.0  # a delivery alone would wait that long
    assert standing_of(Outbox(tmp_path), "webhook", NONE).waiting == 200


def test_only_what_is_asked_for_is_sent(tmp_path: Path, receiver: Receiver) -> None:
    publish(tmp_path, receiver.url, range(3), frozenset({"cycle:finished"}))
    assert receiver.got == []
    assert len(Outbox(tmp_path).path.read_text().splitlines()) == 3


def test_what_happened_before_the_sink_was_named_is_not_sent(
    tmp_path: Path, receiver: Receiver
) -> None:
    with open_bus(Outbox(tmp_path), tmp_path) as bus:
        bus.publish(EventName.DREAM_REJECTED, {"turn": -1})
    publish(tmp_path, receiver.url, range(2))
    assert receiver.turns == [0, 1]


def test_two_at_once_deliver_each_event_once(tmp_path: Path, receiver: Receiver) -> None:
    first = WebhookSender(receiver.url)
    with open_bus(Outbox(tmp_path), tmp_path, (first,), NONE, 8.0) as bus:
        bus.publish(EventName.DREAM_REJECTED, {"turn": 0})
        publish(tmp_path, receiver.url, range(1, 4))
    assert receiver.turns == [0, 1, 2, 3]
