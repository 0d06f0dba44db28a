"""Workflows and scenarios, and how changes act together: as far as they were recorded."""

from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.charts import MINUTES, Point
from reverie.interfaces.web.desk import desk_of
from reverie.interfaces.web.pages.figures import Figure, figure_of
from reverie.store.browsing.modules import foresight_of, latest_decisions
from reverie.store.browsing.others import table_rows

_SHOWN = 12
WORKFLOWS, RUNS, SCENARIOS, SYNERGY = (
    "workflows", "workflow_runs", "scenario_results", "synergies",
)  # fmt: skip


def show(request: Request) -> Response:
    """Recorded workflows, their cycles, their scenarios, and what governance said."""
    desk = desk_of(request)
    journal = desk.journal
    subjects = foresight_of(journal)
    return desk.answer(
        request,
        "workflows.html",
        figures=[_worth(name, cycles) for name, cycles in list(subjects.items())[:_SHOWN]],
        subjects=subjects,
        stored=table_rows(journal, WORKFLOWS),
        runs=table_rows(journal, RUNS),
        scenarios=table_rows(journal, SCENARIOS),
        decisions=latest_decisions(journal),
    )


def show_synergy(request: Request) -> Response:
    """What two changes do together beyond what each does alone."""
    desk = desk_of(request)
    found = table_rows(desk.journal, SYNERGY)
    return desk.answer(request, "synergy.html", found=found, cells=_cells(found))


def _worth(name: str, cycles: Sequence[Mapping[str, Any]]) -> Figure:
    values = [
        (number, value)
        for number, each in enumerate(cycles)
        if isinstance(value := each.get("roi_delta"), int | float)
    ]
    points = [Point(f"cycle {number}", float(value)) for number, value in values]
    return figure_of(name, name, MINUTES, points)


def _cells(found: Sequence[Mapping[str, Any]] | None) -> Mapping[tuple[str, str], Markup]:
    """The matrix, by the two that were tried together."""
    cells: dict[tuple[str, str], Markup] = {}
    for row in found or ():
        if "first" in row and "second" in row:
            cells[str(row["first"]), str(row["second"])] = Markup("")
    return cells


ROUTES = [Route("/workflows", show), Route("/synergy", show_synergy)]
