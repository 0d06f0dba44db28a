"""Connections that take too long: whoever sends or reads a byte now and then is cut off."""

import asyncio
from typing import Any

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

REQUEST_SECONDS = 15.0
"""From the first byte of a request to its last."""
READING_SECONDS = 30.0
"""How long an answer may wait for a client that does not read."""
CONNECTIONS = 200
"""At once; who comes after them is sent away."""
_KEPT_SECONDS = 15


class PatientProtocol(H11Protocol):
    """HTTP/1.1 with an end to patience, on both ways."""

    request_seconds = REQUEST_SECONDS
    reading_seconds = READING_SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._sending: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody called: now they have to say something."""
        super().connection_made(transport)
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
            self._sending = self.loop.call_later(self.request_seconds, self._give_up)

    def _stop_expecting(self) -> None:
        if self._sending is not None:
            self._sending.cancel()
        self._sending = None

    def _stop_waiting(self) -> None:
        if self._reading is not None:
            self._reading.cancel()
        self._reading = None

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
        limit_concurrency=CONNECTIONS,
        timeout_keep_alive=_KEPT_SECONDS,
        timeout_graceful_shutdown=ending_seconds,
    )
