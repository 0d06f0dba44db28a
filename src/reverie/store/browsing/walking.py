"""A page of a long table: the cost of one is the same in a journal of any size.

A walk goes along an index in the order of its answer. What no index holds is looked at row by row,
`WINDOW` rows at most: a page may come back short, and says from where to go on.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import Connection, RowMapping, Select, Table, select, tuple_
from sqlalchemy.sql import ColumnElement

from reverie.errors import UsageError
from reverie.store.scalars import one_line

WINDOW = 4_000
ROWS = 50
SEPARATOR = "~"

T = TypeVar("T")
Condition = Callable[[Any], ColumnElement[bool]]
"""From columns (of the table, or of the window over it) to what must hold."""


@dataclass(frozen=True, slots=True)
class Leaf(Generic[T]):
    """One page of a list."""

    rows: tuple[T, ...]
    after: str | None = None
    """Where the next page begins; None: there is none."""
    looked_at: int | None = None
    """Rows that were looked at, when they did not fill the page."""


@dataclass(frozen=True, slots=True)
class Walk:
    """Which rows, in which order."""

    table: Table
    names: tuple[str, ...]
    """Columns that are read."""
    order: tuple[str, ...]
    """Columns that order the rows, highest first; together they are unique."""
    index: str
    along: tuple[Condition, ...] = ()
    """What the index holds."""
    besides: tuple[Condition, ...] = ()
    """What every row has to be asked."""


def walk(
    connection: Connection, plan: Walk, after: tuple[Any, ...] | None, rows: int = ROWS
) -> Leaf[RowMapping]:
    """One page of a walk, from behind the place `after`."""
    base = _ordered(plan, after)
    if not plan.besides:
        found = connection.execute(base.limit(rows + 1)).mappings().all()
        return _leaf(plan, found, rows, None)
    window = base.limit(WINDOW).subquery()
    asked = select(window).where(*(condition(window.c) for condition in plan.besides))
    found = connection.execute(asked.limit(rows + 1)).mappings().all()
    if len(found) > rows:
        return _leaf(plan, found, rows, None)
    places = _ordered(plan, after, plan.order).offset(WINDOW - 1).limit(1)
    return _leaf(plan, found, rows, connection.execute(places).mappings().first())


def _ordered(
    plan: Walk, after: tuple[Any, ...] | None, names: tuple[str, ...] | None = None
) -> Select[Any]:
    columns = plan.table.c
    place = [columns[name] for name in plan.order]
    chosen = names or tuple(dict.fromkeys((*plan.names, *plan.order)))
    query = select(*(columns[name] for name in chosen))
    query = query.where(*(condition(columns) for condition in plan.along))
    if after is not None:
        query = query.where(tuple_(*place) < tuple_(*after))
    query = query.order_by(*(column.desc() for column in place))
    return query.with_hint(plan.table, f"INDEXED BY {plan.index}", "sqlite")


def _leaf(plan: Walk, found: Any, rows: int, end: RowMapping | None) -> Leaf[RowMapping]:
    shown = sorted(found, key=lambda row: _place(plan, row), reverse=True)[:rows]
    if len(found) > rows:
        return Leaf(tuple(shown), _told(plan, shown[-1]))
    if end is not None:
        return Leaf(tuple(shown), _told(plan, end), WINDOW)
    return Leaf(tuple(shown))


def _place(plan: Walk, row: RowMapping) -> tuple[Any, ...]:
    return tuple(row[name] for name in plan.order)


def _told(plan: Walk, row: RowMapping) -> str:
    return SEPARATOR.join(str(each) for each in _place(plan, row))


def about(
    cycle_id: ColumnElement[str], dream_id: ColumnElement[str], keys: Sequence[tuple[str, str]]
) -> tuple[ColumnElement[bool], ...]:
    """What rows about some dreams have, and a few others may: compare the keys of what comes.

    SQLite finds no index for pairs in a list of pairs, and would read the whole table.
    """
    cycles, dreams = (sorted(set(part)) for part in zip(*keys, strict=True))
    return cycle_id.in_(cycles), dream_id.in_(dreams)


def place_of(text: str | None, *kinds: type[int] | type[str]) -> tuple[Any, ...] | None:
    """A place as a page gave it out; `UsageError` when none did."""
    if text is None:
        return None
    parts = text.split(SEPARATOR, len(kinds) - 1)
    try:
        return tuple(kind(part) for kind, part in zip(kinds, parts, strict=True))
    except ValueError as error:
        raise UsageError(f"no page begins at {one_line(text)[:80]!r}") from error
