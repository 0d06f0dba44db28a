"""What looks like a fault, newest cycle first, and what people said of it."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.desk import asked_for, desk_of
from reverie.store.browsing.findings import browse_findings


def show(request: Request) -> Response:
    """Every finding."""
    desk = desk_of(request)
    module, after = asked_for(request, "module"), asked_for(request, "after")
    leaf = browse_findings(desk.journal, desk.loaded.repository, module, after)
    return desk.answer(request, "findings.html", leaf=leaf)


ROUTES = [Route("/findings", show)]
