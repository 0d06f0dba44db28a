"""Executions in the sandbox, and one of them."""

from datetime import UTC, datetime

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.errors import UsageError
from reverie.interfaces.web.desk import asked_for, desk_of
from reverie.interfaces.web.pages.cycles import word_of
from reverie.interfaces.web.rendering import coloured
from reverie.model.outcome import IsolationTier, TestOutcome
from reverie.store.browsing.executions import ExecutionFilter, list_executions
from reverie.store.queries import details
from reverie.store.scalars import to_microseconds


def show_all(request: Request) -> Response:
    """Every execution, newest first."""
    desk = desk_of(request)
    wanted = ExecutionFilter(
        outcome=word_of(TestOutcome, asked_for(request, "outcome")),
        isolation=word_of(IsolationTier, asked_for(request, "isolation")),
        code_hash=asked_for(request, "code"),
        failure_signature=asked_for(request, "signature"),
        since_us=_moment(asked_for(request, "since")),
        until_us=_moment(asked_for(request, "until")),
        text=asked_for(request, "q"),
    )
    leaf = list_executions(desk.journal, wanted, asked_for(request, "after"))
    return desk.answer(
        request,
        "executions.html",
        leaf=leaf,
        outcomes=list(TestOutcome),
        tiers=list(IsolationTier),
    )


def show_one(request: Request) -> Response:
    """One execution, with what was run and under which terms."""
    desk = desk_of(request)
    found = details(desk.journal, request.path_params["execution"])
    source = [] if found.source is None else list(coloured(found.source.strip("\n")))
    return desk.answer(request, "execution.html", found=found, record=found.record, source=source)


def _moment(text: str | None) -> int | None:
    if text is None:
        return None
    try:
        found = datetime.fromisoformat(text)
        return to_microseconds(found if found.tzinfo else found.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        raise UsageError(f"{text[:80]!r} is no moment like 2024-06-01T02:00") from None


ROUTES = [Route("/executions", show_all), Route("/executions/{execution}", show_one)]
