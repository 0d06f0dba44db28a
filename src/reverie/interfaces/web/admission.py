"""Before every request: who may come in, how large it may be, and what its answer must say.

Whoever has shown the token may come in, under a name of ours, from a page of ours. The token is
shown once, in a link or on the page that asks for it, and becomes a cookie; programs send it as
`Authorization: Bearer`. A cookie is sent by the browser whoever asked it to, so what changes
anything must also come from our own pages: by `Origin`, and by a word in the form.
"""

import hashlib
import hmac
import secrets
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reverie.interfaces.doors.connections import vouch

OPEN_PATHS = frozenset({"/login", "/health", "/ready"})
OPEN_PREFIX = "/static/"
SAFE_METHODS = frozenset({"GET", "HEAD"})
METHODS = SAFE_METHODS | {"POST"}


@dataclass(frozen=True, slots=True)
class Keys:
    """The secrets of one server: the token, and what is derived from it for this run."""

    token: str
    port: int
    salt: bytes = field(default_factory=lambda: secrets.token_bytes(32))

    @property
    def cookie_name(self) -> str:
        """Of its own by port: browsers share cookies between the ports of a host."""
        return f"reverie_{self.port}"

    @property
    def session(self) -> str:
        """What the cookie holds: it cannot be turned back into the token."""
        return self._derived("session")

    @property
    def form_word(self) -> str:
        """What our forms carry and no page holds: a stolen cookie decides nothing."""
        return self._derived("form")

    def inside(self, address: str) -> str:
        """Where somebody goes who has shown the token.

        Behind the `#`, which no server is sent, stands the word for forms; the script keeps it
        where only pages of this very port can read it, which is more than a cookie's bounds.
        """
        return f"{address}#word={self.form_word}"

    def is_token(self, given: str) -> bool:
        """Whether somebody knows the token."""
        return _same(given, self.token)

    def is_form_word(self, given: str) -> bool:
        """Whether a form is one of ours."""
        return _same(given, self.form_word)

    def is_session(self, cookies: str) -> bool:
        """Whether a browser has shown the token before."""
        try:
            morsel = SimpleCookie(cookies).get(self.cookie_name)
        except CookieError:
            return False
        return morsel is not None and _same(morsel.value, self.session)

    def welcome(self, response: Response) -> None:
        """Let a browser remember that it has shown the token."""
        response.set_cookie(
            self.cookie_name, self.session, max_age=30 * 86_400, httponly=True, samesite="lax"
        )

    def _derived(self, purpose: str) -> str:
        key = self.salt + self.token.encode()
        return hmac.new(key, purpose.encode(), hashlib.sha256).hexdigest()


class Admission:
    """Stands before everything else."""

    def __init__(self, app: ASGIApp, keys: Keys, hosts: Iterable[str]) -> None:
        self.app = app
        self.keys = keys
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request in, or say why not."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            return
        refused = self._refusal(scope)
        await (self.app if refused is None else refused)(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        if headers.getlist("host") not in [[host] for host in self.hosts]:
            return PlainTextResponse("this server is not called that", 421)
        if scope["method"] not in METHODS:
            return PlainTextResponse("no such method", 405, {"Allow": ", ".join(sorted(METHODS))})
        if scope["method"] not in SAFE_METHODS and not self._is_from_here(headers):
            return PlainTextResponse("that did not come from a page of this server", 403)
        scope["reverie.is_program"] = self._is_program(headers)
        if scope["reverie.is_program"]:
            vouch(scope)
        path = scope["path"]
        if path in OPEN_PATHS or path.startswith(OPEN_PREFIX) or scope["reverie.is_program"]:
            return None
        shown = self._shown_in_link(scope)
        if shown is not None:
            return shown
        if self.keys.is_session("; ".join(headers.getlist("cookie"))):
            vouch(scope)
            return None
        return self._ask(scope, headers)

    def _is_program(self, headers: Headers) -> bool:
        kind, _, given = headers.get("authorization", "").partition(" ")
        return kind.lower() == "bearer" and self.keys.is_token(given.strip())

    def _is_from_here(self, headers: Headers) -> bool:
        """Browsers say where a form was; programs do not, and have no cookie."""
        origin, site = headers.get("origin"), headers.get("sec-fetch-site")
        if site not in (None, "same-origin", "none"):
            return False
        if origin is None:
            return site is not None or self._is_program(headers)
        return origin in {f"http://{host}" for host in self.hosts}

    def _shown_in_link(self, scope: Scope) -> Response | None:
        """A link with the token: the same page without it, and the cookie."""
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        given = [value for name, value in asked if name == "token"]
        if scope["method"] not in SAFE_METHODS or not given or not self.keys.is_token(given[0]):
            return None
        rest = urlencode([(name, value) for name, value in asked if name != "token"])
        path = "/" + scope["path"].lstrip("/")
        response = RedirectResponse(self.keys.inside(f"{path}?{rest}" if rest else path), 303)
        self.keys.welcome(response)
        return response

    def _ask(self, scope: Scope, headers: Headers) -> Response:
        wants_page = scope["method"] == "GET" and "text/html" in headers.get("accept", "")
        if wants_page:
            path = "/" + scope["path"].lstrip("/")
            query = scope["query_string"].decode("latin-1")
            back = f"{path}?{query}" if query else path
            return RedirectResponse(f"/login?{urlencode({'back': back})}", 303)
        return PlainTextResponse("show the token", 401, {"WWW-Authenticate": "Bearer"})


def is_own_address(text: str) -> bool:
    """Whether it leads to a page of ours, and nowhere else."""
    plain = text.isascii() and text.isprintable() and "\\" not in text
    return plain and text.startswith("/") and not text.startswith("//")


def _same(one: Any, two: str) -> bool:
    return hmac.compare_digest(str(one).encode("utf-8", "replace"), two.encode())


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
