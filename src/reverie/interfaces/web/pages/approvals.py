"""What waits for people, and what they can do: approve, reject, roll back.

Whether they may is decided where the command line asks as well, in `bootstrap.deciding`.
"""

from collections.abc import Callable

from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from reverie.bootstrap.deciding import Person, approve_dream, reject_dream, take_back
from reverie.errors import Refused, UsageError
from reverie.interfaces.web.desk import Desk, asked_for, desk_of
from reverie.interfaces.web.rendering import url
from reverie.model.promotion import PromotionStatus
from reverie.promotion.bundle.keys import parse_signing_key
from reverie.store.browsing.dreams import load_dream
from reverie.store.browsing.people import (
    approvals_counted,
    borderline_lines,
    offered_lines,
    waiting_lines,
)
from reverie.store.promotions import JournaledDream

KEY_BYTES = 1 << 14
Act = Callable[[Desk, JournaledDream, Person], None]


def show(request: Request) -> Response:
    """What evidence speaks for, what stands on the border, and what is offered."""
    desk = desk_of(request)
    journal, repository = desk.journal, desk.loaded.repository
    leaf = waiting_lines(journal, repository, asked_for(request, "after"))
    keys = [(line.cycle_id, line.id) for line in leaf.rows]
    return desk.answer(
        request,
        "approvals.html",
        leaf=leaf,
        signed=approvals_counted(journal, keys),
        borderline=borderline_lines(journal, repository),
        offered=offered_lines(journal, repository),
    )


async def decide(request: Request, act: Act) -> Response:
    """Let a person do something, if they may."""
    desk = desk_of(request)
    if desk.is_read_only:
        raise Refused("this dashboard is read-only")
    if not desk.can_sign:
        raise Refused("a private key is not sent over a network: use the command line")
    async with request.form(max_files=1, max_fields=8, max_part_size=KEY_BYTES) as form:
        is_ours = desk.keys.is_form_word(str(form.get("word", "")))
        if not is_ours and not request.scope["reverie.is_program"]:
            raise Refused("that form is not from this server, or from before it was restarted")
        person = await _person(form)
    await run_in_threadpool(_act, request, desk, act, person)
    names = request.path_params
    return RedirectResponse(url("cycles", names["cycle"], "dreams", names["dream"]), 303)


async def _person(form: FormData) -> Person:
    name, why, key = (form.get(field, "") for field in ("name", "why", "key"))
    if not isinstance(key, UploadFile):
        raise UsageError("your private key is missing: choose its file")
    content = await key.read(KEY_BYTES)
    if not content:
        raise UsageError("your private key is missing: choose its file")
    return Person(str(name), parse_signing_key(content, "the chosen file"), str(why))


def _act(request: Request, desk: Desk, act: Act, person: Person) -> None:
    names = request.path_params
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
