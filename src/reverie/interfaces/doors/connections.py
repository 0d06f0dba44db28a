"""Connections that take too long or are too many; strangers never use up those of the user.

Whoever sends or reads a byte now and then is cut off. A connection is a stranger's until a request
on it was admitted (`vouch`). Strangers have few places, and a new one takes that of the oldest: so
whoever has a token can always come in and show it.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15.0
"""From the first byte of a request to its last."""
READING_SECONDS = 30.0
"""How long an answer may wait for a client that does not read."""
STRANGER_SECONDS = 5.0
"""From the first byte of a stranger's request to its last."""
CONNECTIONS = 200
"""Of those who were admitted, at once; who comes after them is treated like a stranger."""
STRANGERS = 64
"""Connections at once on which nobody was admitted yet."""
_KEPT_SECONDS = 15
_CONNECTION = "reverie.connection"


def vouch(scope: Mapping[str, Any]) -> None:
    """Say that the request of a scope was admitted: its connection is no stranger's any more."""
    connection = scope.get(_CONNECTION)
    if isinstance(connection, PatientProtocol):
        connection.admit()


class PatientProtocol(H11Protocol):
    """HTTP/1.1 with an end to patience, on both ways."""

    request_seconds = REQUEST_SECONDS
    stranger_seconds = STRANGER_SECONDS
    reading_seconds = READING_SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sending: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None
        self._served = self.app
        self.app = self._named
        self.is_admitted = False
        self.arrived_at = 0.0

    def admit(self) -> None:
        """Count it among those who have shown the token, while there is room for them."""
        others = sum(each.is_admitted for each in self._everybody())
        if self.is_admitted or others >= CONNECTIONS:
            return
        self.is_admitted = True
        if self._sending is not None:  # what is still to come has the time of one who is known
            self._stop_expecting()
            self._expect_request()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody called: now they have to say something."""
        super().connection_made(transport)
        self.arrived_at = self.loop.time()
        self._make_room()
        self._expect_request()

    def data_received(self, data: bytes) -> None:
        """Wait on while a request is not whole."""
        super().data_received(data)
        if self.conn.their_state in (h11.IDLE, h11.SEND_BODY):
            self._expect_request()
        else:
            self._stop_expecting()

    def pause_writing(self) -> None:
        """The client has stopped to read."""
        super().pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(self.reading_seconds, self._give_up)

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self._stop_waiting()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nobody is there any more."""
        self._stop_expecting()
        self._stop_waiting()
        super().connection_lost(exc)

    def _expect_request(self) -> None:
        if self._sending is None:
            seconds = self.request_seconds if self.is_admitted else self.stranger_seconds
            self._sending = self.loop.call_later(seconds, self._give_up)

    def _stop_expecting(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        self._sending = None

    def _stop_waiting(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = None

    async def _named(self, scope: Any, receive: Any, send: Any) -> None:
        """The application, told which connection a request came on."""
        scope[_CONNECTION] = self
        await self._served(scope, receive, send)

    def _everybody(self) -> list["PatientProtocol"]:
        return [each for each in self.connections if isinstance(each, PatientProtocol)]

    def _make_room(self) -> None:
        """Send the oldest stranger away when there are too many, of whoever has the most."""
        strangers = [each for each in self._everybody() if not each.is_admitted]
        if len(strangers) <= STRANGERS:
            return
        each_has = Counter(each.peer for each in strangers)
        crowd = [each for each in strangers if each_has[each.peer] == max(each_has.values())]
        min(crowd, key=lambda each: each.arrived_at)._give_up()

    @property
    def peer(self) -> str:
        """The address that somebody calls from."""
        return self.client[0] if self.client else ""

    def _give_up(self) -> None:
        if not self.transport.is_closing():
            self.transport.abort()


def guarded_config(app: Any, ending_seconds: int = 2) -> uvicorn.Config:
    """How a door serves: nobody dawdles, nobody comes without end, and it says little of itself."""
    return uvicorn.Config(
        app,
        http=PatientProtocol,
        ws="none",
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=_KEPT_SECONDS,
        timeout_graceful_shutdown=ending_seconds,
    )
