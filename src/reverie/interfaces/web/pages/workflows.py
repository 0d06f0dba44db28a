"""Workflows and scenarios, as far as they were recorded."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.charts import POINTS, Point
from reverie.interfaces.web.desk import desk_of
from reverie.interfaces.web.pages.figures import Figure, figure_of
from reverie.interfaces.web.rendering import chip, moment, number, size, span
from reverie.store import Journal
from reverie.store.browsing.dreams import find_dreams
from reverie.store.browsing.modules import foresight_of, latest_decisions, table_rows

_SHOWN = 12
Row = Mapping[str, Any]


def _recorded(row: Row) -> Row:
    steps = [str(step.get("call")) for step in json.loads(row["document"]).get("steps", ())]
    return {
        "workflow": row["name"],
        "version": row["version"],
        "steps": ", ".join(steps),
        "from": row["source"],
        "recorded (UTC)": moment(row["created_at"]),
    }


def _run(row: Row) -> Row:
    return {
        "workflow": row["name"],
        "outcome": chip(row["outcome"]),
        "failed step": row["failed_step"] or "",
        "time": span(row["duration_ms"] / 1000),
        "memory": size(row["peak_rss_bytes"]),
        "when (UTC)": moment(row["created_at"]),
    }


def _evolution(row: Row) -> Row:
    return {
        "workflow": row["name"],
        "status": chip(row["status"]),
        "gained, in points": number(row["roi_delta"]),
        "when (UTC)": moment(row["created_at"]),
    }


_TABLES = {
    "Recorded": ("workflows", _recorded),
    "Runs": ("workflow_runs", _run),
    "Attempts to make them faster": ("workflow_evolutions", _evolution),
}
"""What other rooms keep, where they do, and what of it a person asks for."""


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
        once=[
            (e.title, POINTS.told(round(e.points[0].value, 1)))
            for e in worths
            if len(e.points) == 1
        ],
        subjects=foreseen.subjects,
        tables={
            title: [told(row) for row in table_rows(journal, place, name) or ()]
            for title, (name, told) in _TABLES.items()
        },
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
