"""What keeps failing, and one such failure with its executions."""

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.desk import asked_for, desk_of
from reverie.interfaces.web.pages.cycles import word_of
from reverie.interfaces.web.rendering import coloured
from reverie.model.outcome import ErrorCategory
from reverie.store.browsing.executions import (
    ExecutionFilter,
    browse_patterns,
    list_executions,
    load_pattern,
)


def show_all(request: Request) -> Response:
    """Failures, most frequent first."""
    desk = desk_of(request)
    category = word_of(ErrorCategory, asked_for(request, "category"))
    leaf = browse_patterns(desk.journal, category, asked_for(request, "after"))
    return desk.answer(request, "patterns.html", leaf=leaf, categories=list(ErrorCategory))


def show_one(request: Request) -> Response:
    """One failure."""
    desk = desk_of(request)
    pattern = load_pattern(desk.journal, request.path_params["signature"])
    wanted = ExecutionFilter(failure_signature=pattern.signature)
    leaf = list_executions(desk.journal, wanted, asked_for(request, "after"))
    snippet = list(coloured(pattern.code_snippet.rstrip("\n")))
    return desk.answer(request, "pattern.html", pattern=pattern, snippet=snippet, leaf=leaf)


ROUTES = [Route("/patterns", show_all), Route("/patterns/{signature}", show_one)]
