"""What looks like a fault: a list, one of them, and the verdict of a person."""

from datetime import UTC, datetime

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from reverie.cycle.report.page import FACTS_IN_WORDS, finding_facts
from reverie.errors import UsageError
from reverie.interfaces.web.desk import asked_for, desk_of, signed_form
from reverie.interfaces.web.rendering import url
from reverie.model.repository.environment import SETTLED, Opinion, Verdict
from reverie.store.browsing.cycles import FindingLine, browse_findings, load_finding
from reverie.store.cycles.findings import load_verdicts, record_verdict

VERDICTS = (
    (Opinion.BUG, "Bug", "it is wrong and stays on the list"),
    (Opinion.FEATURE, "Feature", "it is meant so; it is never reported again"),
    (Opinion.OUT_OF_SCOPE, "Ignore", "nothing to be done; it is never reported again"),
)
_WHY_CHARACTERS = 400


def show_all(request: Request) -> Response:
    """Every finding, newest cycle first; those that are settled only if asked for."""
    desk = desk_of(request)
    module, after = asked_for(request, "module"), asked_for(request, "after")
    shows_settled = asked_for(request, "settled") is not None
    leaf = browse_findings(desk.journal, desk.loaded.repository, module, after)
    rows: dict[str, FindingLine] = {}
    for each in leaf.rows:
        if shows_settled or each.opinion not in SETTLED:
            rows.setdefault(each.id, each)
    hidden = len({each.id for each in leaf.rows}) - len(rows)
    return desk.answer(request, "findings.html", leaf=leaf, rows=rows.values(), hidden=hidden)


def show_one(request: Request) -> Response:
    """One finding, with what people said of it."""
    desk = desk_of(request)
    found = _found(request)
    return desk.answer(
        request,
        "finding.html",
        each=found,
        facts=list(finding_facts(found.details, found.module)),
        in_words=FACTS_IN_WORDS,
        said=_said(request, found),
        verdicts=VERDICTS,
    )


def _said(request: Request, found: FindingLine) -> list[tuple[Verdict, str | None]]:
    """What people said of it, and of its whole function, newest first."""
    desk = desk_of(request)
    here = (desk.journal, desk.loaded.repository)
    wide = () if found.subject is None else load_verdicts(*here, found.subject)
    told: list[tuple[Verdict, str | None]] = [
        (each, None) for each in load_verdicts(*here, found.id)
    ]
    told += [(each, found.subject) for each in wide]
    return sorted(told, key=lambda one: one[0].created_at, reverse=True)


async def judge(request: Request) -> Response:
    """Keep what a person says of a finding."""
    desk = desk_of(request)
    form = await signed_form(request)
    given = form.get("verdict", "")
    known = {opinion.value: opinion for opinion, _, _ in VERDICTS}
    if given not in known:
        raise UsageError(f"a finding is bug, feature or ignore, not {given[:60]!r}")
    found = await run_in_threadpool(_found, request)
    why = form.get("why", "")[:_WHY_CHARACTERS]
    about = found.subject if form.get("function") and found.subject else found.id
    verdict = Verdict(about, known[given], datetime.now(UTC), why)
    await run_in_threadpool(record_verdict, desk.journal, desk.loaded.repository, verdict)
    return RedirectResponse(url("cycles", found.cycle_id, "findings", found.id), 303)


def _found(request: Request) -> FindingLine:
    desk, names = desk_of(request), request.path_params
    return load_finding(desk.journal, desk.loaded.repository, names["cycle"], names["finding"])


ROUTES = [
    Route("/findings", show_all),
    Route("/cycles/{cycle}/findings/{finding}", show_one),
    Route("/cycles/{cycle}/findings/{finding}/verdict", judge, methods=["POST"]),
]
