"""The past of callables in the journal."""

import json
from pathlib import Path
from typing import Any

from sqlalchemy import Table, insert, select

from reverie import __version__
from reverie.model.benchmark import Estimate
from reverie.model.track import CallableMeasure, Regression
from reverie.store.clock import from_microseconds, to_microseconds
from reverie.store.journal import Journal
from reverie.store.measure_tables import measures, regressions
from reverie.store.text import one_line, storable


def record_measure(journal: Journal, repository: Path, measure: CallableMeasure) -> None:
    """Keep one look at a callable."""
    row = {
        "repository": _place(repository),
        "callable": storable(measure.callable),
        "measured_at_us": to_microseconds(measure.measured_at),
        "commit_id": measure.commit,
        "source_hash": measure.source_hash,
        "size": measure.size,
        "cpu_seconds": measure.cpu_seconds,
        "peak_bytes": measure.peak_bytes,
        "complexity": measure.complexity,
        "cognitive": measure.cognitive,
        "lines": measure.lines,
        "isolation": measure.isolation,
        "reverie_version": __version__,
    }
    with journal.writing() as connection:
        connection.execute(insert(measures).values(row))


def record_regression(journal: Journal, repository: Path, found: Regression) -> None:
    """Keep since when a callable is slower."""
    row = {
        "repository": _place(repository),
        "callable": storable(found.callable),
        "found_at_us": to_microseconds(found.found_at),
        "base": found.base,
        "head": found.head,
        "slowdown": found.slowdown.value,
        "slowdown_low": found.slowdown.low,
        "slowdown_high": found.slowdown.high,
        "commit_id": found.commit,
        "subject": None if found.subject is None else storable(one_line(found.subject)),
        "between": json.dumps(found.between),
        "tried": found.tried,
    }
    with journal.writing() as connection:
        connection.execute(insert(regressions).values(row))


def load_measures(
    journal: Journal, repository: Path, named: str | None = None
) -> tuple[CallableMeasure, ...]:
    """Every look at one callable, or at all, oldest first."""
    return tuple(
        CallableMeasure(
            row["callable"],
            from_microseconds(row["measured_at_us"]),
            row["commit_id"],
            row["source_hash"],
            row["size"],
            row["cpu_seconds"],
            row["peak_bytes"],
            row["complexity"],
            row["cognitive"],
            row["lines"],
            row["isolation"],
        )
        for row in _rows(journal, measures, "measured_at_us", repository, named)
    )


def load_regressions(
    journal: Journal, repository: Path, named: str | None = None
) -> tuple[Regression, ...]:
    """Every time one callable, or any, was found slower, oldest first."""
    return tuple(
        Regression(
            row["callable"],
            from_microseconds(row["found_at_us"]),
            row["base"],
            row["head"],
            Estimate(row["slowdown"], row["slowdown_low"], row["slowdown_high"]),
            row["commit_id"],
            row["subject"],
            tuple(json.loads(row["between"])),
            row["tried"],
        )
        for row in _rows(journal, regressions, "found_at_us", repository, named)
    )


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
