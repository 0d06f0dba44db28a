"""Cycles, and one of them: its plan, its dreams, its figures, what it cost."""

from enum import StrEnum
from typing import Any, TypeVar

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.cycle.report.page import ground_of
from reverie.cycle.report.plots import BeforeAfter, Spent, before_after_plot, spent_plot
from reverie.errors import UsageError
from reverie.interfaces.web.desk import asked_for, desk_of
from reverie.interfaces.web.pages.overview import (
    counts_of,
    cycle_headline,
    merged_ids,
    progress,
)
from reverie.model.cycle import CycleHeader, CycleState, Step
from reverie.model.dream import DreamKind, DreamStatus
from reverie.store.browsing.cycles import browse_cycles, findings_of_cycle, load_line, load_steps
from reverie.store.browsing.dreams import DreamFilter, list_dreams

_PLOTTED = 24
_LEAST = 0.5
"""Seconds of a step that a plot shows."""
_AROUND = {
    "python_version": "Python",
    "python": "interpreter",
    "how": "chosen because it is",
    "isolation": "sandbox",
    "reverie": "Reverie",
    "notes": "notes",
}
"""What a person asks about the environment of a cycle."""
E = TypeVar("E", bound=StrEnum)


def show_all(request: Request) -> Response:
    """Every cycle, newest first."""
    desk = desk_of(request)
    state = word_of(CycleState, asked_for(request, "state"))
    leaf = browse_cycles(desk.journal, desk.loaded.repository, asked_for(request, "after"), state)
    lines = [(line, counts_of(line.statuses)) for line in leaf.rows]
    return desk.answer(request, "cycles.html", leaf=leaf, lines=lines, states=list(CycleState))


def show_one(request: Request) -> Response:
    """One cycle."""
    desk = desk_of(request)
    journal, cycle_id = desk.journal, request.path_params["cycle"]
    line = load_line(journal, desk.loaded.repository, cycle_id)
    wanted = DreamFilter(
        status=asked_for(request, "status"), kind=asked_for(request, "kind"), cycle=cycle_id
    )
    dreams = list_dreams(journal, desk.loaded.repository, wanted, asked_for(request, "after"))
    steps = load_steps(journal, cycle_id)
    return desk.answer(
        request,
        "cycle.html",
        line=line,
        header=line.header,
        headline=cycle_headline(line),
        counts=counts_of(line.statuses),
        progress=progress(journal, line),
        merged=merged_ids(journal, desk.loaded.repository),
        leaf=dreams,
        steps=steps,
        found=findings_of_cycle(journal, desk.loaded.repository, cycle_id),
        plots=[*_covered(line.header), _spent(steps)],
        ground=" · ".join(ground_of(_document(line.header))),
        around=[
            (word, value)
            for name, word in _AROUND.items()
            if (value := line.header.environment.get(name))
        ],
        statuses=list(DreamStatus),
        kinds=list(DreamKind),
    )


def word_of(words: type[E], given: str | None) -> E | None:
    """The word of an enum that an address asks for."""
    if given is None:
        return None
    try:
        return words(given)
    except ValueError:
        raise UsageError(f"there is no {given[:80]!r} to filter for") from None


def _document(header: CycleHeader) -> dict[str, Any]:
    """What the report's line about suite and environment is written from."""
    return {
        "baseline": header.baseline or {},
        "environment": header.environment,
        "seconds": header.seconds,
        "executions": header.executions,
    }


def _covered(header: CycleHeader) -> list[Markup]:
    """How far the tests reach, before and after, where a cycle has changed it."""
    before, after = (
        (figures or {}).get("covered") or {} for figures in (header.baseline, header.result)
    )
    plots = []
    for what, title in (("lines", "Lines that tests run"), ("branches", "Branches they run")):
        rows = [
            BeforeAfter(name, (before.get(name) or {}).get(what), shares.get(what))
            for name, shares in sorted(after.items())
        ]
        moved = [row for row in rows if row.before != row.after]
        plots.append(Markup(before_after_plot(title, moved[:_PLOTTED])))
    return plots


def _spent(steps: tuple[Step, ...]) -> Markup:
    longest = sorted(steps, key=lambda step: -step.seconds)[:_PLOTTED]
    spent = [Spent(step.module, step.seconds, 0.0) for step in longest if step.seconds >= _LEAST]
    return Markup(spent_plot("Time to write changes, by module", spent))


ROUTES = [Route("/cycles", show_all), Route("/cycles/{cycle}", show_one)]
