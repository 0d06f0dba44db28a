"""The dashboard, put together: its addresses, what stands before them, and its live updates.

While a cycle runs every open page is told of changes. One look at the journal a second serves all
of them; nobody listening, nobody looks.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from reverie.errors import MachineryError, Refused, ReverieError, StoreError, UsageError
from reverie.interfaces.metrics.exporter import FIRST_SCRAPE_SECONDS, Exporter
from reverie.interfaces.web import monitoring
from reverie.interfaces.web.admission import Admission, Bounds, is_own_address
from reverie.interfaces.web.desk import Desk, NoJournal, desk_of
from reverie.interfaces.web.pages import (
    approvals,
    changes,
    cycles,
    executions,
    experiments,
    figures,
    findings,
    modules,
    overview,
    patterns,
    search,
    synergy,
    workflows,
)
from reverie.store import Journal
from reverie.store.browsing.cycles import Pulse, feel_pulse

LISTENERS = 32
HEARTBEAT_SECONDS = 15.0
Feel = Callable[[], Pulse | None]


@dataclass(slots=True)
class Broadcast:
    """Asks the journal how far the newest cycle is, and tells whoever listens."""

    feel: Feel
    every_seconds: float = 1.0
    _listeners: set[asyncio.Queue[str]] = field(default_factory=set)
    _task: asyncio.Task[None] | None = None

    @property
    def is_full(self) -> bool:
        """Whether no more can listen."""
        return len(self._listeners) >= LISTENERS

    async def listen(self) -> AsyncIterator[str]:
        """Server-sent events, until the page is closed."""
        heard: asyncio.Queue[str] = asyncio.Queue(maxsize=4)
        self._listeners.add(heard)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._look())
        try:
            yield ": listening\n\n"
            while True:
                try:
                    told = await asyncio.wait_for(heard.get(), HEARTBEAT_SECONDS)
                    yield f"event: pulse\ndata: {told}\n\n"
                except TimeoutError:
                    yield ": still here\n\n"
        finally:
            self._listeners.discard(heard)

    async def _look(self) -> None:
        before: Pulse | None = None
        while self._listeners:
            try:
                now = await run_in_threadpool(self.feel)
            except StoreError:
                now = before  # busy or gone: the page says so when it is asked for
            # The time of a running cycle goes on also where nothing else changes.
            if now != before or (now is not None and now.state == "running"):
                self._tell("" if now is None else json.dumps(asdict(now)))
            before = now
            await asyncio.sleep(self.every_seconds)

    def _tell(self, told: str) -> None:
        for heard in self._listeners:
            if heard.full():
                heard.get_nowait()  # whoever lags behind needs only the newest
            heard.put_nowait(told)


_ASSETS = {
    "report.css": ("reverie.cycle.report", "page.css", "text/css"),
    "dashboard.css": ("reverie.interfaces.web", "static/dashboard.css", "text/css"),
    "dashboard.js": ("reverie.interfaces.web", "static/dashboard.js", "text/javascript"),
    "plots.js": ("reverie.interfaces.web", "static/plots.js", "text/javascript"),
    "uplot.js": ("reverie.interfaces.web", "static/uplot.js", "text/javascript"),
    "uplot.css": ("reverie.interfaces.web", "static/uplot.css", "text/css"),
    "uplot.LICENSE": ("reverie.interfaces.web", "static/uplot.LICENSE", "text/plain"),
    "icon.svg": ("reverie.interfaces.web", "static/icon.svg", "image/svg+xml"),
}
"""Every file there is to be had, by name: there is no folder to climb out of."""


def build_application(desk: Desk, hosts: Iterable[str]) -> Starlette:
    """The dashboard of one repository, for whoever calls it by one of these names."""
    routes = [
        Route("/", overview.show),
        *_routes(cycles, changes, approvals, figures, modules, workflows, experiments),
        *_routes(synergy, findings, patterns, executions, search, monitoring),
        Route("/live", _live),
        Route("/login", _login, methods=["GET", "POST"]),
        Route("/static/{name}", _static()),
    ]
    app = Starlette(
        routes=routes,
        middleware=[Middleware(Bounds), Middleware(Admission, keys=desk.keys, hosts=hosts)],
        exception_handlers={HTTPException: _not_there, ReverieError: _failed, Exception: _broken},
        lifespan=_lifespan,
    )
    app.router.redirect_slashes = False  # an address that is nearly right is wrong
    app.state.desk = desk
    app.state.exporter = Exporter(
        desk.loaded, lend=lambda: _lent(desk), patience_seconds=FIRST_SCRAPE_SECONDS
    )
    app.state.broadcast = Broadcast(lambda: _pulse(desk))
    return app


def _routes(*rooms: Any) -> list[Route]:
    return [route for room in rooms for route in room.ROUTES]


@asynccontextmanager
async def _lifespan(app: Starlette):  # type: ignore[no-untyped-def]
    yield
    app.state.desk.close()


def _lent(desk: Desk) -> Journal | None:
    try:
        return desk.journal
    except NoJournal:
        return None


def _pulse(desk: Desk) -> Pulse | None:
    journal = _lent(desk)
    return None if journal is None else feel_pulse(journal, desk.loaded.repository)


async def _live(request: Request) -> Response:
    broadcast: Broadcast = request.app.state.broadcast
    if broadcast.is_full:
        return PlainTextResponse("too many pages are open", 503)
    return StreamingResponse(broadcast.listen(), media_type="text/event-stream")


async def _login(request: Request) -> Response:
    desk = desk_of(request)
    back = request.query_params.get("back", "/")
    back = back if is_own_address(back) else "/"
    if request.method != "POST":
        return desk.answer(request, "login.html", 200, back=back, is_wrong=False)
    async with request.form(max_files=0, max_fields=4) as form:
        given = form.get("token", "")
    if not desk.keys.is_token(str(given).strip()):
        return desk.answer(request, "login.html", 403, back=back, is_wrong=True)
    response = RedirectResponse(desk.keys.inside(back.partition("#")[0]), 303)
    desk.keys.welcome(response)
    return response


def _static() -> Callable[[Request], Response]:
    kept = {
        name: (files(package).joinpath(path).read_bytes(), kind)
        for name, (package, path, kind) in _ASSETS.items()
    }

    def serve(request: Request) -> Response:
        found = kept.get(request.path_params["name"])
        if found is None:
            raise HTTPException(404)
        headers = {"Cache-Control": "max-age=300"}
        return Response(found[0], media_type=found[1], headers=headers)

    return serve


async def _not_there(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 404
    told = "There is no such page." if status == 404 else "That cannot be done here."
    return desk_of(request).answer(request, "error.html", status, told=told, error=None)


async def _failed(request: Request, error: Exception) -> Response:
    """What went wrong, on one line, as a command would say it."""
    desk = desk_of(request)
    if isinstance(error, NoJournal):
        return desk.answer(request, "empty.html", 200, told=str(error))
    status = 409 if isinstance(error, Refused) else 404 if isinstance(error, UsageError) else 500
    if isinstance(error, MachineryError):
        status = 503
    told = {404: "That is not there.", 409: "Refused."}.get(status, "That did not work.")
    return desk.answer(request, "error.html", status, told=told, error=str(error))


async def _broken(request: Request, error: Exception) -> Response:
    told = "Something of ours is broken; the server has said what on its own terminal."
    return PlainTextResponse(told, 500)
