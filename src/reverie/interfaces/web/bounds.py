"""Around every request: how large it may be, what its answer must say, and how long it took."""

import time
from typing import Any

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

BODY_BYTES = 1 << 17
ADDRESS_BYTES = 8_000
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not `no-referrer`: a browser then says `Origin: null` of our own forms.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}


class TooLarge(Exception):
    """A body that goes on and on."""


class Bounds:
    """Refuses what is too large, and puts the headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer within bounds."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        started = time.perf_counter()

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
                spent = 1000 * (time.perf_counter() - started)
                headers["Server-Timing"] = f"app;dur={spent:.1f}"
            await send(message)

        refused = _refusal(scope)
        if refused is not None:
            await refused(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, _Metered(receive), send_with_headers)
        except TooLarge:
            await _too_large()(scope, receive, send_with_headers)


class _Metered:
    """Receives until it is too much."""

    def __init__(self, receive: Receive) -> None:
        self.receive = receive
        self.seen = 0

    async def __call__(self) -> Any:
        message = await self.receive()
        self.seen += len(message.get("body", b""))
        if self.seen > BODY_BYTES:
            raise TooLarge
        return message


def _refusal(scope: Scope) -> PlainTextResponse | None:
    if len(scope["raw_path"]) + len(scope["query_string"]) > ADDRESS_BYTES:
        return PlainTextResponse("that address is too long", 414)
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdigit() or int(length) > BODY_BYTES:
        return _too_large()
    return None


def _too_large() -> PlainTextResponse:
    return PlainTextResponse("that is too large", 413, {"Connection": "close"})
