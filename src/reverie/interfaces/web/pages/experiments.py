"""Where the time went, and what each source of changes earned with it."""

from dataclasses import dataclass

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.cycle.report.plots import Spent, spent_plot
from reverie.interfaces.web.desk import desk_of
from reverie.interfaces.web.pages.overview import counts_of, verdict_bar
from reverie.interfaces.web.rendering import words
from reverie.model.worth import gains_of
from reverie.store.browsing.series import Earned, load_portfolio

_PLOTTED = 20
_HOUR = 3600


@dataclass(frozen=True, slots=True)
class SourceLine:
    """One source of changes on the page."""

    earned: Earned
    source: str
    promoted: int
    waiting: int
    refused: int
    success: float
    """Posterior mean of success, from one of each before anything was tried."""
    per_hour: float | None
    """Promoted changes in an hour of its time; None when it had less than an hour."""
    gains: tuple[str, ...]
    bar: Markup

    @property
    def instead(self) -> str:
        """What stands where nothing was gained."""
        is_writer = any(self.earned.statuses.values())
        return "nothing accepted yet" if is_writer else "it looks for faults and writes no change"


def show(request: Request) -> Response:
    """The last cycles as a portfolio: time in, changes out."""
    desk = desk_of(request)
    portfolio = load_portfolio(desk.journal, desk.loaded.repository)
    longest = list(portfolio.time_by_module.items())[:_PLOTTED]
    by_module = [Spent(name, writing, proving) for name, (writing, proving) in longest]
    by_source = [
        Spent(_source(each.dreamer), each.writing_seconds, each.proving_seconds)
        for each in portfolio.earned
        if each.seconds
    ]
    lines = [_line(each) for each in portfolio.earned]
    return desk.answer(
        request,
        "experiments.html",
        cycles=portfolio.cycles,
        lines=lines,
        is_rated=any(each.per_hour is not None for each in lines),
        plots=[
            Markup(spent_plot("Time by kind", by_source)),
            Markup(spent_plot("Time by module", by_module)),
        ],
    )


def _source(dreamer: str) -> str:
    """What a dreamer makes, in the plural that people say."""
    return "refactorings" if dreamer == "refactor" else str(words(dreamer))


def _line(each: Earned) -> SourceLine:
    counts = counts_of(each.statuses)
    promoted, refused = counts["promoted"], counts["rejected"] + counts["rolled_back"]
    good = promoted + counts["held"]
    is_known = each.seconds >= _HOUR
    return SourceLine(
        each,
        _source(each.dreamer),
        promoted,
        counts["held"],
        refused,
        success=(good + 1) / (good + refused + 2),
        per_hour=_HOUR * promoted / each.seconds if is_known else None,
        gains=gains_of({k: v for k, v in each.gains.items() if not k.startswith("speed.")}),
        bar=verdict_bar(each.statuses),
    )


ROUTES = [Route("/experiments", show)]
