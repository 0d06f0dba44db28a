"""Dreams, and one of them: the change, what was measured, what was ruled, what people did."""

from datetime import datetime, timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.errors import ReverieError
from reverie.interfaces.web.colours import diff_lines, side_by_side
from reverie.interfaces.web.desk import Desk, asked_for, desk_of
from reverie.interfaces.web.pages.cycles import word_of
from reverie.model.cycle import CycleDream, CycleHeader
from reverie.model.dream import DreamKind, DreamStatus
from reverie.model.ruling import Verdict
from reverie.store.browsing.dreams import (
    DreamFilter,
    dreamt_elsewhere,
    list_dreams,
    load_dream,
    tried_at,
)
from reverie.store.browsing.people import load_deeds, load_rollbacks


def show_all(request: Request) -> Response:
    """Every dream, newest first."""
    desk = desk_of(request)
    wanted = DreamFilter(
        status=word_of(DreamStatus, asked_for(request, "status")),
        kind=word_of(DreamKind, asked_for(request, "kind")),
        module=asked_for(request, "module"),
        cycle=asked_for(request, "cycle"),
        text=asked_for(request, "q"),
    )
    leaf = list_dreams(desk.journal, desk.loaded.repository, wanted, asked_for(request, "after"))
    return desk.answer(
        request, "dreams.html", leaf=leaf, statuses=list(DreamStatus), kinds=list(DreamKind)
    )


def show_one(request: Request) -> Response:
    """One dream."""
    desk = desk_of(request)
    header, each = _found(request)
    lines = list(diff_lines(each.dream.change.diff()))
    is_split = asked_for(request, "view") == "split"
    return desk.answer(
        request,
        "dream.html",
        header=header,
        each=each,
        dream=each.dream,
        trial=each.trial,
        lines=lines,
        rows=list(side_by_side(lines)) if is_split else [],
        is_split=is_split,
        added=sum(edit.lines_added for edit in each.dream.change.edits),
        removed=sum(edit.lines_removed for edit in each.dream.change.edits),
        elsewhere=dreamt_elsewhere(desk.journal, each.dream.id),
        window=_window(desk, header, each),
        deeds=load_deeds(desk.journal, header.id, each.dream.id),
        rollbacks=load_rollbacks(desk.journal, header.id, each.dream.id),
        **_standing(desk, header, each),
    )


def show_evidence(request: Request) -> Response:
    """What the trial of a dream measured, and all it takes to measure it again."""
    desk = desk_of(request)
    header, each = _found(request)
    return desk.answer(
        request,
        "evidence.html",
        header=header,
        each=each,
        dream=each.dream,
        trial=each.trial,
        window=_window(desk, header, each),
    )


def _found(request: Request) -> tuple[CycleHeader, CycleDream]:
    desk, names = desk_of(request), request.path_params
    return load_dream(desk.journal, desk.loaded.repository, names["cycle"], names["dream"])


def _window(desk: Desk, header: CycleHeader, each: CycleDream) -> tuple[datetime, datetime] | None:
    """The time in which the trial ran: its executions are those of that time."""
    ended = tried_at(desk.journal, header.id, each.dream.id)
    if ended is None or each.trial is None:
        return None
    return ended - timedelta(seconds=each.trial.seconds), ended


def _standing(desk: Desk, header: CycleHeader, each: CycleDream) -> dict[str, Any]:
    """Whose approvals count; nothing of it for a dream that nobody can approve."""
    from reverie.bootstrap.deciding import standing_of
    from reverie.store.promotions import JournaledDream

    trial = each.trial
    if trial is None or trial.judgement.verdict is not Verdict.PROMOTE:
        return {"standing": None, "standing_error": None}
    try:
        found = JournaledDream(header, each)
        standing = standing_of(desk.loaded, desk.environ, desk.journal, found)
    except ReverieError as error:
        return {"standing": None, "standing_error": str(error)}
    return {"standing": standing, "standing_error": None}


ROUTES = [
    Route("/dreams", show_all),
    Route("/cycles/{cycle}/dreams/{dream}", show_one),
    Route("/cycles/{cycle}/dreams/{dream}/evidence", show_evidence),
]
