"""What waits for people, and what they can do: approve, reject, roll back.

Whether they may is decided where the command line asks as well, in `bootstrap.deciding`.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from reverie.bootstrap.deciding import Person, approve_dream, reject_dream, take_back
from reverie.bootstrap.repository import mainline_of, still_waiting
from reverie.errors import Refused
from reverie.interfaces.web.desk import Desk, asked_for, desk_of, person_of, signed_form
from reverie.interfaces.web.pages.overview import ready_lines
from reverie.interfaces.web.rendering import url
from reverie.model.cycle import PromotionStatus
from reverie.store.browsing.dreams import load_dream
from reverie.store.browsing.people import (
    approvals_counted,
    borderline_lines,
    waiting_lines,
)
from reverie.store.cycles.promotions import JournaledDream

Act = Callable[[Desk, JournaledDream, Person], None]


def show(request: Request) -> Response:
    """What is proven and waits, what is not proven for sure, and what is ready to merge."""
    desk = desk_of(request)
    journal, repository = desk.journal, desk.loaded.repository
    leaf = waiting_lines(journal, repository, asked_for(request, "after"))
    leaf = replace(leaf, rows=still_waiting(journal, repository, leaf.rows))
    keys = [(line.cycle_id, line.id) for line in leaf.rows]
    return desk.answer(
        request,
        "approvals.html",
        leaf=leaf,
        signed=approvals_counted(journal, keys),
        borderline=borderline_lines(journal, repository),
        ready=ready_lines(journal, repository, mainline_of(repository)),
    )


async def decide(request: Request, act: Act) -> Response:
    """Let a person do something, if they may."""
    desk = desk_of(request)
    form = await signed_form(request)
    await run_in_threadpool(_act, request, desk, act, form)
    names = request.path_params
    return RedirectResponse(url("cycles", names["cycle"], "dreams", names["dream"]), 303)


def _act(request: Request, desk: Desk, act: Act, form: Mapping[str, str]) -> None:
    names = request.path_params
    person = person_of(desk, form)
    repository = desk.loaded.repository
    header, each = load_dream(desk.journal, repository, names["cycle"], names["dream"])
    act(desk, JournaledDream(header, each), person)


def _approve(desk: Desk, found: JournaledDream, person: Person) -> None:
    approve_dream(desk.loaded, desk.environ, desk.journal, found, person)


def _reject(desk: Desk, found: JournaledDream, person: Person) -> None:
    reject_dream(desk.loaded, desk.journal, found, person)


def _roll_back(desk: Desk, found: JournaledDream, person: Person) -> None:
    promotion = found.each.promotion
    if promotion is None or promotion.status is PromotionStatus.ROLLED_BACK:
        raise Refused(f"{found.each.dream.id} is not offered: there is nothing to take back")
    take_back(desk.loaded, desk.journal, found, person.why, person)


def _deed(path: str, act: Act) -> Route:
    place = "/cycles/{cycle}/dreams/{dream}/" + path

    async def endpoint(request: Request) -> Response:
        return await decide(request, act)

    return Route(place, endpoint, methods=["POST"], name=path)


ROUTES = [
    Route("/approvals", show),
    _deed("approve", _approve),
    _deed("reject", _reject),
    _deed("rollback", _roll_back),
]
