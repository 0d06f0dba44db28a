"""Requests that are read whole before anybody works on them: none larger than is allowed."""

from collections.abc import Awaitable, Callable
from typing import Any

Receive = Callable[[], Awaitable[Any]]


async def read_whole(headers: Any, receive: Receive, most: int) -> bytes | None:
    """The body of a request; None as soon as it is known to be larger than `most` bytes."""
    told = [value for name, value in headers if name == b"content-length"]
    if any(not value.isdigit() or int(value) > most for value in told):
        return None
    parts: list[bytes] = []
    seen = 0
    while True:
        message = await receive()
        part = message.get("body", b"")
        parts.append(part)
        seen += len(part)
        if seen > most:
            return None
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Receives what was read already, and then whatever comes."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Any:
        return waiting.pop() if waiting else await receive()

    return again
