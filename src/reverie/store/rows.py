"""Values as rows of the journal, and back: by the annotations of their class.

A column has the name of its field; of a moment it is the name with `_us`. Numbers, truth values,
texts and words stand for themselves; everything else, also what may be one of several kinds, is
JSON in pure ASCII, so that every text comes back as it was.
"""

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from enum import Enum
from functools import cached_property
from types import NoneType, UnionType
from typing import (
    TYPE_CHECKING,
    Any,
    Generic,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from sqlalchemy import RowMapping, Table

from reverie import __version__
from reverie.errors import StoreError
from reverie.model.change import Change, FileEdit
from reverie.model.codec import Malformed, plain, read, reader_of
from reverie.model.cycle import CycleDream, CycleHeader, Promotion, Sighting, Step, Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.procedure import (
    DreamMetrics,
    DreamProcedure,
    FailureShare,
    GenerationRun,
    ProcedureTest,
    Tightening,
)
from reverie.model.ruling import Evidence, Judgement, Need, Ruling
from reverie.store.scalars import from_microseconds, one_line, storable, to_microseconds
from reverie.store.tables import cycle_tables, procedure_tables
from reverie.store.tables.columns import RowNumber

if TYPE_CHECKING:
    from reverie.store.journal import Journal

T = TypeVar("T")
Row = dict[str, Any]
_Way = Callable[[Any], Any]


# What reading a row can raise when its file was made by somebody else.
_NOBODY_WROTE = (
    ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError,
)  # fmt: skip


def believed(journal: "Journal", read_rows: Callable[[], T]) -> T:
    """What somebody makes of rows; a `StoreError` where they hold what we never write."""
    try:
        return read_rows()
    except _NOBODY_WROTE as error:
        reason = f"holds a row nobody wrote: {one_line(error)}"
        raise StoreError(f"the journal {journal.location} {reason}") from error


def as_json(value: Any) -> str:
    """A value as the journal keeps it."""
    return json.dumps(plain(value), sort_keys=True)


class _Cell(NamedTuple):
    column: str
    is_given: bool
    """Whether the database numbers it."""
    write: _Way
    read: _Way


class Rows(Generic[T]):
    """The rows of one table that values of one class make; fields without a column are left out."""

    def __init__(self, table: Table, kind: type[T], /, **columns: str) -> None:
        """`columns`: by field, where the names differ."""
        self.table = table
        self.kind = kind
        self._columns = columns

    @cached_property
    def cells(self) -> Mapping[str, _Cell]:
        """The columns by field."""
        found: dict[str, _Cell] = {}
        for field, hint in get_type_hints(self.kind).items():
            usual = f"{field}_us" if datetime in (hint, *get_args(hint)) else field
            column = self.table.c.get(self._columns.get(field, usual))
            if column is not None:
                is_given = bool(column.primary_key) and column.type is RowNumber
                found[field] = _Cell(column.name, is_given, *_ways(hint))
        return found

    def row(self, value: T, /, **more: Any) -> Row:
        """The row of a value; `more`: columns by name, in place of what the value says."""
        found = {
            cell.column: cell.write(getattr(value, name))
            for name, cell in self.cells.items()
            if cell.column not in more and not cell.is_given
        }
        return found | more

    def value(self, row: RowMapping | Mapping[str, Any], /, **given: Any) -> T:
        """The value of a row; `given`: fields by name, in place of what the row says."""
        found = {}
        for name, cell in self.cells.items():
            if name not in given:
                try:
                    found[name] = cell.read(row[cell.column])
                except Malformed as error:
                    raise error.below(f"{self.table.name}.{cell.column}") from None
        return self.kind(**found, **given)


def _ways(hint: Any) -> tuple[_Way, _Way]:
    """What writes and what reads a field of one annotation."""
    kinds = _kinds(hint)
    others = [each for each in kinds if each is not NoneType]
    write, read_back = _simple(others[0]) if len(others) == 1 else _as_text(hint)
    if len(others) > 1 or NoneType not in kinds:
        return write, read_back
    return (
        lambda value: None if value is None else write(value),
        lambda told: None if told is None else read_back(told),
    )


def _simple(kind: Any) -> tuple[_Way, _Way]:
    if kind is datetime:
        return to_microseconds, from_microseconds
    if kind is str:
        return storable, reader_of(kind)
    if isinstance(kind, type) and issubclass(kind, int | float | Enum):
        asked: Any = kind
        return plain, reader_of(asked)
    return _as_text(kind)


def _as_text(kind: Any) -> tuple[_Way, _Way]:
    return as_json, lambda text: reader_of(kind)(_parsed(text))


def _kinds(hint: Any) -> tuple[Any, ...]:
    return get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)


def json_map(text: Any) -> dict[str, Any]:
    """The object of a JSON text; `Malformed` for anything else."""
    return read(dict[str, Any], _parsed(text))


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise Malformed(f"not JSON: {error}") from None


# --- cycles

HEADERS = Rows(cycle_tables.cycles, CycleHeader)
EVIDENCE = Rows(cycle_tables.evidence, Evidence)
RULINGS = Rows(cycle_tables.rulings, Ruling)
SIGHTINGS = Rows(cycle_tables.findings, Sighting)
_STEPS = Rows(cycle_tables.checkpoints, Step)
_DREAMS = Rows(cycle_tables.dreams, Dream)
_CYCLE_DREAMS = Rows(cycle_tables.dreams, CycleDream)
TRIALS = Rows(cycle_tables.trials, Trial)
PROMOTIONS = Rows(cycle_tables.promotions, Promotion, commit="commit_id")


def header_row(header: CycleHeader) -> Row:
    """A cycle without its steps."""
    return HEADERS.row(header, reverie_version=__version__)


def step_row(cycle_id: str, step: Step, now_us: int) -> Row:
    """One step of a plan."""
    known = step.content_hash or None
    return _STEPS.row(step, cycle_id=cycle_id, content_hash=known, updated_at_us=now_us)


def step_of(row: RowMapping) -> Step:
    """The step of a row."""
    return _STEPS.value(row, content_hash=row["content_hash"] or "")


def dream_row(cycle_id: str, each: CycleDream, now_us: int) -> Row:
    """A dream, without its trial."""
    dream = _DREAMS.row(each.dream, id=each.dream.id, change=as_json(each.dream.change.edits))
    return {**dream, **_CYCLE_DREAMS.row(each, cycle_id=cycle_id, created_at_us=now_us)}


def dream_of(
    row: RowMapping | Mapping[str, Any], trial: Trial | None, promotion: Promotion | None
) -> CycleDream:
    """The dream of a row, with what became of it."""
    change = Change(read(tuple[FileEdit, ...], _parsed(row["change"]), "dreams.change"))
    dream = _DREAMS.value(row, change=change)
    return _CYCLE_DREAMS.value(row, dream=dream, trial=trial, promotion=promotion)


def trial_of(row: RowMapping, evidence: Evidence, rulings: tuple[Ruling, ...]) -> Trial:
    """The trial of a row, with what it measured and what was ruled."""
    needs = read(tuple[Need, ...], _parsed(row["needs"]), "trials.needs")
    return TRIALS.value(row, evidence=evidence, judgement=Judgement(rulings, needs))


def promotion_of(row: RowMapping, dream: RowMapping) -> Promotion:
    """The promotion of a row, told with its dream's."""
    return PROMOTIONS.value(row, kind=DreamKind(dream["kind"]), title=dream["title"])


# --- dreams of procedures

RUNS = Rows(procedure_tables.generation_runs, GenerationRun)
FAILURES = Rows(procedure_tables.procedure_failures, FailureShare)
TESTS = Rows(procedure_tables.procedure_tests, ProcedureTest)
TIGHTENINGS = Rows(procedure_tables.tightenings, Tightening, constraint="constraint_name")
PROCEDURES = Rows(procedure_tables.dream_procedures, DreamProcedure)
_METRICS = Rows(procedure_tables.dream_metrics, DreamMetrics)

CHANGEABLE = (
    "novelty_score", "cross_project_matches", "status", "viability_score", "tier", "reasoning",
    "evaluator", "evaluated_at_us", "test_outcome", "test_error", "test_timestamp_us",
    "effectiveness",
)  # fmt: skip
"""What is learnt about a dream after it was stored; what it is does not change."""


def procedure_row(dream: DreamProcedure, now_us: int) -> Row:
    """A dream, without its number."""
    row = PROCEDURES.row(dream, digest=dream.digest)
    return row if dream.created_at is not None else {**row, "created_at_us": now_us}


def metrics_row(metrics: DreamMetrics) -> Row:
    """Figures of one moment."""
    figures = plain(metrics)
    del figures["measured_at"]
    return _METRICS.row(metrics, figures=as_json(figures))


def metrics_of(row: RowMapping) -> DreamMetrics:
    """The figures of a row."""
    moment = from_microseconds(row["measured_at_us"]).isoformat()
    told = {**_parsed(row["figures"]), "measured_at": moment}
    return read(DreamMetrics, told, "dream_metrics.figures")
