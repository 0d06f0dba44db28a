"""The past of callables in the journal."""

from pathlib import Path
from typing import Any

from sqlalchemy import Table, insert, select

from reverie import __version__
from reverie.model.benchmark import Estimate
from reverie.model.track import CallableMeasure, Regression
from reverie.store.journal import Journal
from reverie.store.measure_tables import measures, regressions
from reverie.store.rows import Rows, believed
from reverie.store.text import one_line, storable

_MEASURES = Rows(measures, CallableMeasure, commit="commit_id")
_REGRESSIONS = Rows(regressions, Regression, commit="commit_id")


def record_measure(journal: Journal, repository: Path, measure: CallableMeasure) -> None:
    """Keep one look at a callable."""
    row = _MEASURES.row(measure, repository=_place(repository), reverie_version=__version__)
    with journal.writing() as connection:
        connection.execute(insert(measures).values(row))


def record_regression(journal: Journal, repository: Path, found: Regression) -> None:
    """Keep since when a callable is slower."""
    row = _REGRESSIONS.row(
        found,
        repository=_place(repository),
        slowdown=found.slowdown.value,
        slowdown_low=found.slowdown.low,
        slowdown_high=found.slowdown.high,
        subject=None if found.subject is None else storable(one_line(found.subject)),
    )
    with journal.writing() as connection:
        connection.execute(insert(regressions).values(row))


def load_measures(
    journal: Journal, repository: Path, named: str | None = None
) -> tuple[CallableMeasure, ...]:
    """Every look at one callable, or at all, oldest first."""
    rows = _rows(journal, measures, "measured_at_us", repository, named)
    return believed(journal, lambda: tuple(map(_MEASURES.value, rows)))


def load_regressions(
    journal: Journal, repository: Path, named: str | None = None
) -> tuple[Regression, ...]:
    """Every time one callable, or any, was found slower, oldest first."""
    rows = _rows(journal, regressions, "found_at_us", repository, named)
    return believed(journal, lambda: tuple(map(_regression, rows)))


def _regression(row: Any) -> Regression:
    slowdown = Estimate(row["slowdown"], row["slowdown_low"], row["slowdown_high"])
    return _REGRESSIONS.value(row, slowdown=slowdown)


def _rows(
    journal: Journal, table: Table, moment: str, repository: Path, named: str | None
) -> list[Any]:
    query = select(table).where(table.c.repository == _place(repository))
    if named is not None:
        query = query.where(table.c.callable == named)
    with journal.reading() as connection:
        found = connection.execute(query.order_by(table.c[moment], table.c.callable))
        return list(found.mappings().all())


def _place(repository: Path) -> str:
    return str(repository.resolve())
