"""Modules: all of them, their hot spots and map, and one of them over time."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.bootstrap.repository import Mainline, changes_of_modules, mainline_of
from reverie.gates.paths import is_test_path
from reverie.interfaces.web.charts import (
    MOST_TILES,
    SHARES,
    Point,
    Spot,
    draw_map,
    scatter,
    tiles_of,
)
from reverie.interfaces.web.desk import Desk, asked_for, desk_of
from reverie.interfaces.web.pages.figures import figure_of
from reverie.interfaces.web.pages.overview import commit_point, merged_ids, on_mainline
from reverie.interfaces.web.rendering import url
from reverie.model.outcome import counted
from reverie.model.repository.candidate import ModuleHistory
from reverie.store.browsing.cycles import browse_findings
from reverie.store.browsing.dreams import DreamFilter, list_dreams
from reverie.store.browsing.modules import (
    IndexedModule,
    fates_of_modules,
    indexed_modules,
)
from reverie.store.browsing.series import CommitPoint, load_revisions

_LISTED, _SPOTS, _HOT, _TOUCHES = 300, 400, 5, 12
_ORDERS = ("hot spots", "name", "lines", "branches run", "accepted", "refused")


@dataclass(frozen=True, slots=True)
class ModuleLine:
    """A module on the list. What is not known is None."""

    name: str
    lines: int | None
    functions: int | None
    line_share: float | None
    branch_share: float | None
    fates: Mapping[str, int]
    history: ModuleHistory | None

    @property
    def share(self) -> float | None:
        """How much of it tests run: of its branches, or of its lines where it has none."""
        return self.line_share if self.branch_share is None else self.branch_share

    @property
    def heat(self) -> float:
        """How much change meets untested code: recent changes times the share no test runs."""
        churn = 0.0 if self.history is None else self.history.churn
        return churn * (1.0 - (self.share if self.share is not None else 1.0))

    def rank(self, order: str) -> tuple[float, str]:
        """Its place in an order: most first, but least covered first."""
        figures = {
            "hot spots": -self.heat,
            "name": 0.0,
            "lines": -(self.lines or 0),
            "branches run": 2.0 if self.branch_share is None else self.branch_share,
            "accepted": -self.fates.get("promoted", 0),
            "refused": -self.fates.get("rejected", 0),
        }
        return figures[order], self.name


@dataclass(frozen=True, slots=True)
class _Standing:
    """What is known of all modules at once."""

    mainline: Mainline
    commits: Sequence[CommitPoint]
    lines: Mapping[str, ModuleLine]


def show_all(request: Request) -> Response:
    """Every module that is known, hot spots first."""
    desk = desk_of(request)
    order, text = asked_for(request, "order"), asked_for(request, "q")
    order = order if order in _ORDERS else _ORDERS[0]
    every = _standing(desk).lines.values()
    found = [line for line in every if text is None or text.lower() in line.name.lower()]
    known = [line for line in found if line.share is not None or line.fates]
    is_whole = text is not None or not known or asked_for(request, "all") is not None
    hidden = 0 if is_whole else len(found) - len(known)
    found = found if is_whole else known
    found.sort(key=lambda line: line.rank(order))
    return desk.answer(
        request,
        "modules.html",
        lines=found[:_LISTED],
        count=len(found),
        listed=_LISTED,
        orders=_ORDERS,
        order=order,
        hot=_hot_spots(found),
        hidden=hidden,
    )


def show_map(request: Request) -> Response:
    """Every module as large as it is, in the colour of its coverage."""
    desk = desk_of(request)
    known = indexed_modules(desk.journal, desk.loaded.repository)
    guard = desk.loaded.settings.guard
    modules = tuple(each for each in known if not is_test_path(each.path, guard)) or known
    covered = _covered(_commits(desk, mainline_of(desk.loaded.repository)))
    modules = modules or tuple(IndexedModule(name, "", 1, 0, None) for name in sorted(covered))
    tiles = tiles_of(modules, covered, fates_of_modules(desk.journal, desk.loaded.repository))
    is_sized = any(module.path for module in modules)
    return desk.answer(
        request,
        "map.html",
        picture=draw_map(tiles) if tiles else None,
        upright=draw_map(tiles, is_upright=True),
        count=len(tiles),
        most=MOST_TILES,
        is_sized=is_sized,
    )


def show_one(request: Request) -> Response:
    """One module: how it stands, how it changed, what was tried and found in it."""
    desk = desk_of(request)
    name = request.path_params["module"]
    journal, repository = desk.journal, desk.loaded.repository
    standing = _standing(desk)
    line = standing.lines.get(name)
    dreams = list_dreams(journal, repository, DreamFilter(module=name), asked_for(request, "after"))
    figures = [
        figure_of(what, title, SHARES, _shares(standing.commits, name, what), foresees=False)
        for what, title in (
            ("lines", "Lines that tests run"),
            ("branches", "Branches that tests run"),
        )
    ]
    warmer = sum(each.heat > line.heat for each in standing.lines.values()) if line else 0
    return desk.answer(
        request,
        "module.html",
        module=name,
        line=line,
        leaf=dreams,
        merged=merged_ids(journal, repository),
        figures=[each for each in figures if each.points],
        found=browse_findings(journal, repository, name).rows,
        touches=line.history.touches[:_TOUCHES] if line and line.history else (),
        hotness=warmer + 1 if line and line.heat > 0 else None,
    )


def _standing(desk: Desk) -> _Standing:
    journal, repository = desk.journal, desk.loaded.repository
    mainline = mainline_of(repository)
    commits = _commits(desk, mainline)
    covered = _covered(commits)
    indexed = {each.name: each for each in indexed_modules(journal, repository)}
    fates = fates_of_modules(journal, repository)
    paths = tuple(sorted(each.path for each in indexed.values()))
    changed = changes_of_modules(repository, mainline.head, paths, desk.loaded.settings.candidates)
    lines = {
        name: _line(name, indexed.get(name), covered.get(name) or {}, fates.get(name, {}), changed)
        for name in {*indexed, *covered, *fates}
    }
    return _Standing(mainline, commits, lines)


def _line(
    name: str,
    known: IndexedModule | None,
    shares: Mapping[str, float | None],
    fates: Mapping[str, int],
    changed: Mapping[str, ModuleHistory],
) -> ModuleLine:
    return ModuleLine(
        name,
        None if known is None else known.lines,
        None if known is None else known.functions,
        shares.get("lines"),
        shares.get("branches"),
        fates,
        None if known is None else changed.get(known.path),
    )


def _commits(desk: Desk, mainline: Mainline) -> list[CommitPoint]:
    return on_mainline(load_revisions(desk.journal, desk.loaded.repository), mainline)


def _covered(commits: Sequence[CommitPoint]) -> Mapping[str, Mapping[str, float | None]]:
    """Shares by module, each at the newest commit that it was measured at."""
    found: dict[str, Mapping[str, float | None]] = {}
    for each in commits:
        found.update(each.covered)
    return found


def _hot_spots(lines: Sequence[ModuleLine]) -> Markup | None:
    """Changes against coverage, as a plot; None where one of them is not known of any module."""
    known = [line for line in lines if line.share is not None and line.history is not None]
    known = sorted(known, key=lambda line: -line.heat)[:_SPOTS]
    if not any(line.history and line.history.churn for line in known):
        return None
    spots = []
    for place, line in enumerate(known):
        changes = 0.0 if line.history is None else line.history.churn
        number = 0 if line.history is None else len(line.history.touches)
        share = line.share or 0.0
        told = f"{line.name}: {counted(number, 'change')}, {100 * share:.0f} % run by tests"
        kind = "hot" if place < _HOT and line.heat > 0 else ""
        spots.append(
            Spot(
                told,
                changes,
                share,
                line.lines or 1,
                url("modules", line.name),
                kind,
                line.name if kind else "",
            )
        )
    return scatter("Modules by how often they change and how much tests run of them", spots)


def _shares(commits: Sequence[CommitPoint], module: str, what: str) -> list[Point]:
    return [
        commit_point(each, float(share))
        for each in commits
        if (share := (each.covered.get(module) or {}).get(what)) is not None
    ]


ROUTES = [
    Route("/modules", show_all),
    Route("/map", show_map),
    Route("/modules/{module:path}", show_one),
]
