"""How a request reaches an endpoint: one connection, one answer, bounded in time and length.

Nothing is followed elsewhere: a redirection is an answer like any other, so a key never goes to
a place that nobody named. A key goes over plain HTTP to this machine only.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import SplitResult, urlsplit

from reverie.dreamers.models.exchange import Answered, Posted
from reverie.errors import ConfigError, ModelFailed

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_CHUNK = 1 << 16
_MOST_RETRY_SECONDS = 3600.0


class Transport(Protocol):
    """What carries a request and brings an answer; `ModelFailed` when there is none."""

    def post(self, posted: Posted, seconds: float) -> Answered:
        """One exchange, within so many seconds."""
        ...


@dataclass(frozen=True, slots=True)
class HttpTransport:
    """The standard library's client, held to limits that it does not have."""

    endpoint: str
    headers: Mapping[str, str] = field(repr=False)
    reply_bytes: int

    def post(self, posted: Posted, seconds: float) -> Answered:
        """One exchange; however slowly an endpoint dribbles, it ends in time."""
        place = urlsplit(self.endpoint)
        _require_private(place, self.headers)
        connection = _connection(place, seconds)
        late = threading.Event()
        try:
            connection.connect()
            # The answer takes the socket over from the connection, so the guard has its own hold.
            guard = threading.Timer(seconds, _cut, (connection.sock, late))
            guard.start()
            try:
                path = place.path.rstrip("/") + posted.path
                answered = self._exchange(connection, path, posted.body)
            finally:
                guard.cancel()
        except (OSError, http.client.HTTPException, ValueError) as error:
            why = f"no whole answer after {seconds:g} s" if late.is_set() else _told(error)
            raise ModelFailed(f"{place.hostname}: {why}") from error
        finally:
            connection.close()
        if late.is_set():  # cut in the middle, which looks like an end
            raise ModelFailed(f"{place.hostname}: no whole answer after {seconds:g} s")
        return answered

    def _exchange(self, connection: http.client.HTTPConnection, path: str, body: bytes) -> Answered:
        fixed = {"Content-Type": "application/json", "Accept": "application/json"}
        connection.request("POST", path, body, {**fixed, **self.headers})
        with connection.getresponse() as response:
            return self._read(response)

    def _read(self, response: http.client.HTTPResponse) -> Answered:
        whole = bytearray()
        while chunk := response.read(_CHUNK):
            whole += chunk
            if len(whole) > self.reply_bytes:
                raise ModelFailed(f"the answer is longer than {self.reply_bytes} bytes")
        return Answered(response.status, bytes(whole), _retry_after(response))


def _require_private(place: SplitResult, headers: Mapping[str, str]) -> None:
    has_key = any(name.lower() in ("authorization", "x-api-key") for name in headers)
    if has_key and place.scheme == "http" and place.hostname not in _LOOPBACK:
        raise ConfigError(f"models.endpoint: a key is not sent to {place.hostname} over plain http")


def _connection(place: SplitResult, seconds: float) -> http.client.HTTPConnection:
    host = place.hostname or ""
    try:
        port = place.port
    except ValueError as error:
        raise ConfigError(f"models.endpoint: {error}") from error
    if place.scheme == "http":
        return http.client.HTTPConnection(host, port, timeout=seconds)
    context = ssl.create_default_context()
    return http.client.HTTPSConnection(host, port, timeout=seconds, context=context)


def _cut(held: socket.socket, late: threading.Event) -> None:
    late.set()
    try:
        held.shutdown(socket.SHUT_RDWR)
    except OSError:
        return  # it has ended by itself


def _told(error: Exception) -> str:
    return str(error)[:200] or type(error).__name__


def _retry_after(response: http.client.HTTPResponse) -> float | None:
    given = response.getheader("Retry-After") or ""
    return min(float(given), _MOST_RETRY_SECONDS) if given.isascii() and given.isdigit() else None
