"""`/metrics`, `/health` and `/ready`, as the room `metrics` answers them, where it is there."""

import json
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.desk import desk_of

_ROOM = "reverie.interfaces.metrics"


def metrics(request: Request) -> Response:
    """What the journal knows, as Prometheus reads it; the token is needed as everywhere."""
    text: str = _room("").render(desk_of(request).loaded)
    return Response(text, media_type="text/plain; version=0.0.4")


def health(request: Request) -> Response:
    """Whether this process is well: nothing that a stranger may not know."""
    return _told({"status": _room(".health").health()["status"]}, 200)


def ready(request: Request) -> Response:
    """Whether the journal can be read."""
    status = _room(".health").readiness(desk_of(request).loaded)["status"]
    return _told({"status": status}, 200 if status == "ready" else 503)


def _room(module: str) -> Any:
    if find_spec(_ROOM) is None:
        raise HTTPException(404)
    return import_module(_ROOM + module)


def _told(document: dict[str, str], status: int) -> Response:
    return Response(json.dumps(document), status, media_type="application/json")


ROUTES = [Route("/metrics", metrics), Route("/health", health), Route("/ready", ready)]
