"""Modules: all of them, their map, and one of them over time."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.interfaces.web.charts import MINUTES, SHARES, Point
from reverie.interfaces.web.desk import Desk, asked_for, desk_of
from reverie.interfaces.web.pages.figures import figure_of
from reverie.interfaces.web.rendering import url
from reverie.interfaces.web.treemap import MOST, draw_map, tiles_of
from reverie.store.browsing.dreams import DreamFilter, list_dreams
from reverie.store.browsing.modules import (
    IndexedModule,
    fates_of,
    fates_of_modules,
    findings_of,
    indexed_module,
    indexed_modules,
    worth_by_cycle,
)
from reverie.store.browsing.series import CyclePoint, load_coverage

_LISTED = 300
_RECENT = 5
_ORDERS = ("name", "lines", "branches", "promoted", "rejected")


@dataclass(frozen=True, slots=True)
class ModuleLine:
    """A module on the list. What is not known is None."""

    name: str
    lines: int | None
    functions: int | None
    line_share: float | None
    branch_share: float | None
    fates: Mapping[str, int]

    def rank(self, order: str) -> tuple[float, str]:
        """Its place in an order: most first, but least covered first."""
        figures = {
            "name": 0.0,
            "lines": -(self.lines or 0),
            "branches": 2.0 if self.branch_share is None else self.branch_share,
            "promoted": -self.fates.get("promoted", 0),
            "rejected": -self.fates.get("rejected", 0),
        }
        return figures[order], self.name


def show_all(request: Request) -> Response:
    """Every module that is known."""
    desk = desk_of(request)
    order, text = asked_for(request, "order"), asked_for(request, "q")
    order = order if order in _ORDERS else "name"
    every = _lines(desk)
    found = [line for line in every if text is None or text.lower() in line.name.lower()]
    found.sort(key=lambda line: line.rank(order))
    return desk.answer(
        request,
        "modules.html",
        lines=found[:_LISTED],
        count=len(found),
        listed=_LISTED,
        orders=_ORDERS,
        order=order,
    )


def show_map(request: Request) -> Response:
    """Every module as large as it is, in the colour of its coverage."""
    desk = desk_of(request)
    modules = indexed_modules(desk.journal, desk.loaded.repository)
    covered = _covered(desk)
    modules = modules or tuple(IndexedModule(name, "", 1, 0, None) for name in sorted(covered))
    tiles = tiles_of(modules, covered, fates_of_modules(desk.journal, desk.loaded.repository))
    picture = draw_map(tiles) if tiles else None
    is_sized = any(module.path for module in modules)
    return desk.answer(
        request, "map.html", picture=picture, count=len(tiles), most=MOST, is_sized=is_sized
    )


def show_one(request: Request) -> Response:
    """One module: how it is covered, what its dreams were worth, what was found in it."""
    desk = desk_of(request)
    name = request.path_params["module"]
    journal, repository = desk.journal, desk.loaded.repository
    dreams = list_dreams(journal, repository, DreamFilter(module=name), asked_for(request, "after"))
    series = load_coverage(journal, repository)
    worths = worth_by_cycle(journal, repository, name)
    figures = [
        figure_of("lines", "Lines that tests run", SHARES, _shares(series, name, "lines")),
        figure_of("branches", "Branches they take", SHARES, _shares(series, name, "branches")),
        figure_of("roi", "Worth of its promotions, per cycle", MINUTES, _worths(worths)),
    ]
    line = _line(desk, name, series)
    found = findings_of(journal, name)
    return desk.answer(
        request, "module.html", module=name, line=line, leaf=dreams, figures=figures, found=found
    )


def _line(desk: Desk, name: str, series: tuple[CyclePoint, ...]) -> ModuleLine | None:
    """One module as the list shows it; None: nothing is known of it."""
    known = indexed_module(desk.journal, desk.loaded.repository, name)
    covered = _last_covered(series)
    fates = fates_of(desk.journal, desk.loaded.repository, name)
    if known is None and name not in covered and not fates:
        return None
    return _told(name, known, covered.get(name) or {}, fates)


def _lines(desk: Desk) -> list[ModuleLine]:
    indexed = {each.name: each for each in indexed_modules(desk.journal, desk.loaded.repository)}
    covered, fates = _covered(desk), fates_of_modules(desk.journal, desk.loaded.repository)
    return [
        _told(name, indexed.get(name), covered.get(name) or {}, fates.get(name, {}))
        for name in {*indexed, *covered, *fates}
    ]


def _told(
    name: str,
    known: IndexedModule | None,
    shares: Mapping[str, float | None],
    fates: Mapping[str, int],
) -> ModuleLine:
    return ModuleLine(
        name,
        None if known is None else known.lines,
        None if known is None else known.functions,
        shares.get("lines"),
        shares.get("branches"),
        fates,
    )


def _covered(desk: Desk) -> Mapping[str, Mapping[str, float | None]]:
    return _last_covered(load_coverage(desk.journal, desk.loaded.repository, _RECENT))


def _last_covered(series: tuple[CyclePoint, ...]) -> Mapping[str, Mapping[str, float | None]]:
    """Shares by module as the newest cycle that measured them left them."""
    return next((each.covered for each in reversed(series[-_RECENT:]) if each.covered), {})


def _shares(series: tuple[CyclePoint, ...], module: str, what: str) -> list[Point]:
    return [
        Point(f"{each.started_at:%m-%d %H:%M}", float(share), url("cycles", each.cycle_id))
        for each in series
        if (share := (each.covered.get(module) or {}).get(what)) is not None
    ]


def _worths(worths: list[float]) -> list[Point]:
    return [Point(f"{number}", worth) for number, worth in enumerate(worths, 1)]


ROUTES = [
    Route("/modules", show_all),
    Route("/map", show_map),
    Route("/modules/{module:path}", show_one),
]
