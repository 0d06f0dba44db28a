"""What two changes do together beyond what each does alone, as a matrix."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reverie.errors import UsageError
from reverie.interfaces.web.desk import asked_for, desk_of
from reverie.model.workflow_evolution import Interaction
from reverie.store.browsing.modules import Named, cycles_with_pairs, pairs_of

_WIDEST = 16
_MATRICES = 40


@dataclass(frozen=True, slots=True)
class Matrix:
    """The pairs of one module, in one metric."""

    module: str
    metric: str
    dreams: tuple[Named, ...]
    cells: tuple[tuple[Interaction | None, ...], ...]
    """Row by row; None: the two were not tried together."""
    left_out: int
    """Dreams for which there was no room."""


def show(request: Request) -> Response:
    """The matrices of one cycle: the newest that measured any, unless another is asked for."""
    desk = desk_of(request)
    journal, repository = desk.journal, desk.loaded.repository
    asked, measured = asked_for(request, "cycle"), cycles_with_pairs(journal, repository)
    chosen = asked or next(iter(measured), None)
    found, named = ((), {}) if chosen is None else pairs_of(journal, repository, chosen)
    if asked is not None and not found:
        raise UsageError(f"no changes were tried together in a cycle {asked[:80]!r}")
    every = matrices(found, named)
    return desk.answer(
        request,
        "synergy.html",
        cycle=chosen,
        cycles=dict.fromkeys((*measured, *([asked] if asked else []))),
        matrices=every[:_MATRICES],
        count=len(every),
        pairs=len(found),
    )


def matrices(found: Iterable[Interaction], named: Mapping[str, Named]) -> list[Matrix]:
    """One for every module and metric, in the order of their names."""
    groups: dict[tuple[str, str], dict[frozenset[str], Interaction]] = {}
    for each in found:
        place = groups.setdefault((named[each.first].module, each.metric), {})
        place[frozenset((each.first, each.second))] = each
    return [_matrix(*key, groups[key], named) for key in sorted(groups)]


def _matrix(
    module: str,
    metric: str,
    pairs: Mapping[frozenset[str], Interaction],
    named: Mapping[str, Named],
) -> Matrix:
    every = sorted(
        (named[name] for name in frozenset().union(*pairs)), key=lambda one: (one.title, one.id)
    )
    shown = tuple(every[:_WIDEST])
    cells = tuple(
        tuple(pairs.get(frozenset((row.id, column.id))) for column in shown) for row in shown
    )
    return Matrix(module, metric, shown, cells, len(every) - len(shown))


ROUTES = [Route("/synergy", show)]
