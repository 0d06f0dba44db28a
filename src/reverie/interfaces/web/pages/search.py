"""One field for everything: ids, modules, and words in titles."""

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from reverie.interfaces.web.desk import asked_for, desk_of
from reverie.interfaces.web.pages.overview import merged_ids
from reverie.interfaces.web.rendering import url
from reverie.store.browsing.cycles import find_cycles, find_findings
from reverie.store.browsing.dreams import DreamFilter, find_dreams, list_dreams
from reverie.store.browsing.executions import find_executions
from reverie.store.browsing.modules import fates_of_modules, indexed_modules

_SHORTEST = 4
_MODULES = 20


def show(request: Request) -> Response:
    """Whatever a text may mean."""
    desk = desk_of(request)
    text = asked_for(request, "q")
    if text is None:
        return RedirectResponse("/", 303)
    journal, repository = desk.journal, desk.loaded.repository
    is_id = len(text) >= _SHORTEST and all(each.isalnum() or each == "-" for each in text)
    known = {each.name for each in indexed_modules(journal, repository)}
    known |= fates_of_modules(journal, repository).keys()
    modules = sorted(name for name in known if text.lower() in name.lower())
    cycles = find_cycles(journal, repository, text) if is_id else ()
    dreams = find_dreams(journal, repository, text) if is_id else []
    executions = find_executions(journal, text) if is_id else ()
    findings = find_findings(journal, repository, text) if is_id else ()
    mentioned = list_dreams(journal, repository, DreamFilter(text=text))
    if (
        len(dreams) == 1
        and not cycles
        and not executions
        and not findings
        and not modules
        and not mentioned.rows
    ):
        return RedirectResponse(url("cycles", dreams[0].cycle_id, "dreams", dreams[0].id), 303)
    return desk.answer(
        request,
        "search.html",
        text=text,
        cycles=cycles,
        dreams=dreams,
        executions=executions,
        findings=findings,
        modules=modules[:_MODULES],
        mentioned=mentioned,
        merged=merged_ids(journal, repository),
    )


ROUTES = [Route("/search", show)]
