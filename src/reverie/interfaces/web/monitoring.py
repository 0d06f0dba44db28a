"""`/metrics`, `/health` and `/ready`, as the room `metrics` answers them."""

import json

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.metrics import serving as wellness
from reverie.interfaces.metrics.catalogue import CONTENT_TYPE
from reverie.interfaces.metrics.exporter import Exporter
from reverie.interfaces.web.desk import desk_of


def metrics(request: Request) -> Response:
    """What the journal knows, as Prometheus reads it; the token is needed as everywhere."""
    exporter: Exporter = request.app.state.exporter
    return Response(exporter.render(), media_type=CONTENT_TYPE)


def health(request: Request) -> Response:
    """Whether this process is well: nothing that a stranger may not know."""
    return _told(wellness.health()["status"], 200)


def ready(request: Request) -> Response:
    """Whether the journal can be read; why it cannot is not for strangers."""
    status = wellness.readiness(desk_of(request).loaded)["status"]
    return _told(status, 200 if status == "ready" else 503)


def _told(status: str, code: int) -> Response:
    return Response(json.dumps({"status": status}), code, media_type="application/json")


ROUTES = [Route("/metrics", metrics), Route("/health", health), Route("/ready", ready)]
