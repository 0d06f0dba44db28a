"""Changes, and one of them: what and why, the evidence, the difference, what people did."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.bootstrap.repository import is_made, mainline_of
from reverie.cycle.report.document import change_document
from reverie.cycle.report.figures import Figures, brings, measures_of, objections, proof
from reverie.cycle.report.measure_words import grouped, measure_words
from reverie.cycle.report.page import helping, kept, sentence, ways
from reverie.cycle.report.plots import checks_summary, checks_table, evidence_plots
from reverie.errors import ReverieError
from reverie.interfaces.web.desk import Desk, asked_for, desk_of, signer_of
from reverie.interfaces.web.pages.cycles import word_of
from reverie.interfaces.web.pages.overview import merged_ids
from reverie.interfaces.web.rendering import diff_lines, side_by_side
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
    """Every change, newest first."""
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
        request,
        "changes.html",
        leaf=leaf,
        statuses=list(DreamStatus),
        kinds=list(DreamKind),
        merged=merged_ids(desk.journal, desk.loaded.repository),
    )


def show_one(request: Request) -> Response:
    """One change."""
    desk = desk_of(request)
    header, each = _found(request)
    document = change_document(each)
    lines = list(diff_lines(document["diff"]))
    is_split = asked_for(request, "view") == "split"
    return desk.answer(
        request,
        "change.html",
        header=header,
        each=each,
        dream=each.dream,
        trial=each.trial,
        lines=lines,
        rows=list(side_by_side(lines)) if is_split else [],
        is_split=is_split,
        is_made=is_made(desk.loaded.repository, each.dream.change),
        elsewhere=dreamt_elsewhere(desk.journal, each.dream.id),
        deeds=load_deeds(desk.journal, header.id, each.dream.id),
        rollbacks=load_rollbacks(desk.journal, header.id, each.dream.id),
        signer=signer_of(desk),
        **_told(desk, header, document),
        **_standing(desk, header, each),
    )


def _told(desk: Desk, header: CycleHeader, document: Mapping[str, Any]) -> dict[str, Any]:
    """The change in words and small plots, as the report tells it."""
    baseline, result = header.baseline or {}, header.result
    figures = Figures({"baseline": baseline, "result": result})
    promotion, rulings = document["promotion"], (document["trial"] or {}).get("rulings") or []
    commit = None if promotion is None else promotion["commit"]
    branch = None if promotion is None else promotion["branch"]
    is_merged = commit is not None and mainline_of(desk.loaded.repository).holds(commit)
    return {
        "document": document,
        "better": _brings(document, figures),
        "proof": sentence(proof(document)),
        "kept": kept(document),
        "refusal": sentence(objections(document)),
        "helping": Markup(helping(document)),
        "evidence": Markup(
            evidence_plots(measures_of(document), figures.covered(document["module"], "branches"))
        ),
        "checks": Markup(checks_table(rulings)) if rulings else None,
        "checked": checks_summary(rulings),
        "is_stopped": bool(rulings) and "suite.tests" not in measures_of(document),
        "ways": dict(ways(document, branch)) if promotion is not None else {},
        "is_merged": is_merged,
    }


def _brings(document: Mapping[str, Any], figures: Figures) -> str:
    """What is better with it; nothing where only the title could be said again."""
    said = brings(document, figures)
    is_title = said == f"{document['module']}: {document['title']}"
    return "" if is_title else sentence(said, document["module"])


def show_evidence(request: Request) -> Response:
    """What the trial of a change measured, and all it takes to measure it again."""
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
        measured={} if each.trial is None else grouped(each.trial.evidence.measures),
        measure_again=_again(each),
        named=[] if each.trial is None else _named(each.trial.evidence.details),
    )


def _again(each: CycleDream) -> str:
    """The command that measures a change again: its proof, or its patch before the same judge."""
    name, stage = each.dream.id, each.dream.kind.stage.word
    if each.promotion is not None and each.promotion.bundle is not None:
        return f"reverie verify {name}"
    patch = f"{name}.patch"
    return f"reverie show {name} --patch > {patch}; reverie guard --stage {stage} --patch {patch}"


def _named(details: Mapping[str, Sequence[str]]) -> list[tuple[str, Sequence[str]]]:
    """Names behind the figures, in words; parts of a sum are no names."""
    sums = (name for name, names in details.items() if any("=" in each for each in names))
    left = details.keys() - set(sums)
    return [(measure_words(name), details[name]) for name in details if name in left]


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
    """Whose approvals count; nothing of it for a change that nobody can approve."""
    from reverie.bootstrap.deciding import standing_of
    from reverie.store.cycles.promotions import JournaledDream

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
