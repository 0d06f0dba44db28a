"""Workflows and scenarios, as far as they were recorded."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.charts import POINTS, Point
from reverie.interfaces.web.desk import desk_of
from reverie.interfaces.web.pages.figures import Figure, figure_of
from reverie.store import Journal
from reverie.store.browsing.dreams import find_dreams
from reverie.store.browsing.modules import foresight_of, latest_decisions, table_rows

_SHOWN = 12
_TABLES = {
    "Recorded": "workflows",
    "Runs": "workflow_runs",
    "Evolution": "workflow_evolutions",
    "Scenarios": "scenario_runs",
}
"""What other rooms keep, where they do."""


def show(request: Request) -> Response:
    """Recorded workflows, their cycles, their scenarios, and what governance said."""
    desk = desk_of(request)
    journal, place = desk.journal, desk.loaded.repository
    decisions = latest_decisions(journal)
    foreseen = foresight_of(journal, place, _SHOWN)
    worths = [_worth(name, cycles) for name, cycles in foreseen.cycles.items()]
    return desk.answer(
        request,
        "workflows.html",
        figures=[each for each in worths if len(each.points) > 1],
        once=[(e.title, POINTS.told(e.points[0].value)) for e in worths if len(e.points) == 1],
        subjects=foreseen.subjects,
        tables={title: table_rows(journal, place, name) for title, name in _TABLES.items()},
        decisions=decisions,
        titles=_titles(journal, place, [each["subject"] for each in decisions]),
    )


def _titles(journal: Journal, repository: Path, ids: Sequence[str]) -> dict[str, str]:
    """The titles of the changes among some subjects, by their id."""
    found = (line for each in ids for line in find_dreams(journal, repository, each))
    return {line.id: line.title for line in found}


def _worth(name: str, cycles: Sequence[Mapping[str, Any]]) -> Figure:
    values = [
        (number, value)
        for number, each in enumerate(cycles)
        if isinstance(value := each.get("roi_delta"), int | float)
    ]
    points = [Point(f"cycle {number + 1}", float(value)) for number, value in values]
    return figure_of(name, name, POINTS, points)


ROUTES = [Route("/workflows", show)]
