"""Figures in the journal: of callables, of workflows and modules by cycle, and last values."""

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Table, delete, insert, select

from reverie import __version__
from reverie.errors import UsageError
from reverie.model.events import Observation
from reverie.model.measurements.benchmark import CallableMeasure, Estimate, Regression
from reverie.store.journal import Journal
from reverie.store.rows import Rows, believed
from reverie.store.scalars import (
    from_microseconds,
    now_microseconds,
    one_line,
    storable,
    to_microseconds,
)
from reverie.store.tables.measure_tables import (
    decisions,
    foresight_cycles,
    measures,
    observations,
    regressions,
)

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


BETWEEN = "\n"
"""Stands between the place of a repository and a name; no name has it."""


class ForesightMemory:
    """The recorded cycles of one journal, by the id of a workflow or a module.

    With a repository its modules are its own, whoever else has one of the same name.
    """

    def __init__(
        self, journal: Journal, repository: Path | None = None, cycle_id: str | None = None
    ) -> None:
        self._journal = journal
        place = "" if repository is None else f"{repository.resolve()}{BETWEEN}"
        self._place = storable(place)
        self._cycle_id = cycle_id

    def load(self) -> Mapping[str, list[Mapping[str, Any]]]:
        """Every recorded cycle, oldest first: the repository's own, and those of no repository."""
        table = foresight_cycles
        query = select(table).order_by(table.c.subject, table.c.position)
        found: dict[str, list[Mapping[str, Any]]] = {}
        with self._journal.reading() as connection:
            for row in connection.execute(query).mappings():
                place, between, name = row["subject"].rpartition(BETWEEN)
                if place + between in ("", self._place):
                    found.setdefault(name, []).append(json.loads(row["metrics"]))
        return found

    def has_recorded(self, cycle_id: str) -> bool:
        """Whether a cycle is recorded already: it is taken up again after anything."""
        query = select(foresight_cycles.c.subject).where(foresight_cycles.c.cycle_id == cycle_id)
        with self._journal.reading() as connection:
            return connection.execute(query.limit(1)).first() is not None

    def append(self, subject: str, position: int, metrics: Mapping[str, Any]) -> None:
        """Record one cycle."""
        row = {
            "subject": self._key(subject),
            "position": position,
            "metrics": json.dumps(dict(metrics), allow_nan=False),
            "created_at_us": now_microseconds(),
            "cycle_id": self._cycle_id,
        }
        with self._journal.writing() as connection:
            connection.execute(insert(foresight_cycles).values(row))

    def forget(self, subject: str) -> None:
        """Forget the cycles of one workflow or module."""
        table = foresight_cycles
        with self._journal.writing() as connection:
            connection.execute(delete(table).where(table.c.subject == self._key(subject)))

    def _key(self, subject: str) -> str:
        return self._place + storable(subject).replace(BETWEEN, " ")


def record_decision(journal: Journal, subject: str, decision: Mapping[str, Any]) -> None:
    """Add a line to the decision log: it is only ever added to."""
    row = {
        "created_at_us": now_microseconds(),
        "subject": storable(subject),
        "verdict": str(decision["verdict"]),
        "decision": json.dumps(dict(decision), default=str),
    }
    with journal.writing() as connection:
        connection.execute(insert(decisions).values(row))


def load_decisions(journal: Journal, limit: int = 50) -> Sequence[Mapping[str, Any]]:
    """The latest decisions, newest first."""
    query = select(decisions).order_by(decisions.c.id.desc()).limit(limit)
    with journal.reading() as connection:
        rows = connection.execute(query).mappings().all()
    return [
        {
            "at": from_microseconds(row["created_at_us"]).isoformat(timespec="seconds"),
            "subject": row["subject"],
            **json.loads(row["decision"]),
        }
        for row in rows
    ]


def observe(
    journal: Journal, name: str, seen: Iterable[Observation], of: Mapping[str, str] | None = None
) -> None:
    """All figures of a name from now on, or all that share the labels `of`; others are gone."""
    rows = [
        {
            "name": name,
            "labels": _text(each.labels),
            "value": _finite(name, each.value),
            "observed_at_us": to_microseconds(datetime.now(UTC)),
        }
        for each in seen
    ]
    table = observations
    with journal.writing() as connection:
        known = connection.scalars(select(table.c.labels).where(table.c.name == name)).all()
        gone = [text for text in known if (of or {}).items() <= json.loads(text).items()]
        if gone:
            named = (table.c.name == name, table.c.labels.in_(gone))
            connection.execute(delete(table).where(*named))
        if rows:
            connection.execute(insert(table), rows)


def observed(connection: Connection) -> Mapping[str, tuple[Observation, ...]]:
    """Every figure, by name."""
    found: dict[str, list[Observation]] = defaultdict(list)
    query = select(observations).order_by(observations.c.name, observations.c.labels)
    for row in connection.execute(query).mappings():
        found[row["name"]].append(Observation(row["value"], json.loads(row["labels"])))
    return {name: tuple(each) for name, each in found.items()}


def _text(labels: Mapping[str, str]) -> str:
    return json.dumps({key: storable(value) for key, value in labels.items()}, sort_keys=True)


def _finite(name: str, value: float) -> float:
    if not math.isfinite(value):
        raise UsageError(f"an observation of {name} is a finite number, not {value}")
    return value
