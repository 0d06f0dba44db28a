"""Figures over time, each with what is expected of the cycles to come."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.charts import POINTS, SHARES, Point, Unit, line_chart
from reverie.interfaces.web.desk import asked_for, desk_of
from reverie.interfaces.web.rendering import url
from reverie.model.foresight import Forecast
from reverie.scoring.forecasting import forecast
from reverie.store.browsing.series import CYCLES, CyclePoint, load_series, measured_alike

AHEAD = 5
ENOUGH = 5
"""Cycles below which nothing is expected: a guess is no forecast."""
FIGURES = (
    ("line_coverage", "Lines that tests run", SHARES),
    ("branch_coverage", "Branches that tests run", SHARES),
    ("mutation", "Planted faults that tests notice", SHARES),
    ("roi", "Estimated worth (ROI), in points", POINTS),
    ("raroi", "Estimated worth less its risk (RAROI), in points", POINTS),
)


@dataclass(frozen=True, slots=True)
class Figure:
    """One plot with its numbers."""

    name: str
    title: str
    unit: Unit
    points: tuple[Point, ...]
    plot: Markup
    expected: Forecast | None
    foresees: bool = True
    """Whether a forecast is wanted at all."""


def show(request: Request) -> Response:
    """Coverage, mutation, ROI and RAROI, cycle by cycle."""
    desk = desk_of(request)
    only = asked_for(request, "figure")
    series = load_series(desk.journal, desk.loaded.repository, CYCLES)
    figures = [
        figure_of(name, title, unit, _points(series, name))
        for name, title, unit in FIGURES
        if only in (None, name)
    ]
    names = [(name, title) for name, title, _ in FIGURES]
    return desk.answer(
        request, "figures.html", figures=figures, names=names, most=CYCLES, enough=ENOUGH
    )


def figure_of(
    name: str, title: str, unit: Unit, points: Sequence[Point], *, foresees: bool = True
) -> Figure:
    """A plot; with its forecast, where cycle follows cycle."""
    expected = expect(tuple(each.value for each in points)) if foresees else None
    ahead = () if expected is None else expected.projections
    plot = line_chart(title, points, unit, ahead) if points else Markup("")
    return Figure(name, title, unit, tuple(points), plot, expected, foresees)


@lru_cache(maxsize=256)
def expect(values: tuple[float, ...]) -> Forecast | None:
    """The cycles to come; None when there are too few to say."""
    return forecast(values, AHEAD) if len(values) >= ENOUGH else None


def _points(series: Sequence[CyclePoint], name: str) -> list[Point]:
    return [
        Point(f"{each.started_at:%d %b %H:%M}", value, url("cycles", each.cycle_id))
        for each, value in measured_alike(series, name)
    ]


ROUTES = [Route("/figures", show)]
