"""Dreams of procedures and what happened to them; each method is one transaction."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, Select, case, func, insert, select, update

from reverie.errors import UsageError
from reverie.model.dream import EVALUABLE, DreamStatus, check_move
from reverie.model.outcome import TestOutcome
from reverie.model.procedure import (
    HIGH_NOVELTY,
    DreamMetrics,
    DreamProcedure,
    DreamTier,
    Evaluation,
    FailureShare,
    GenerationRun,
    ProcedureTest,
    Tightening,
)
from reverie.store import rows
from reverie.store.journal import Journal
from reverie.store.rows import believed
from reverie.store.scalars import to_microseconds
from reverie.store.tables import procedure_tables as tables
from reverie.store.tables.procedure_tables import dream_procedures as table


@dataclass(frozen=True, slots=True)
class DreamQueries:
    """The table of dreams of one journal."""

    journal: Journal

    def one(self, dream_id: int) -> DreamProcedure:
        """The dream of a number; `UsageError` when there is none."""
        with self.journal.reading() as connection:
            return self._locked(connection, dream_id)

    def equal(self, name: str, value: Any, limit: int) -> list[DreamProcedure]:
        """Dreams whose column holds a value, oldest first."""
        return self._read(table.c[name] == value, limit)

    def at_least(self, name: str, value: float, limit: int) -> list[DreamProcedure]:
        """Dreams whose figure is so high, oldest first."""
        return self._read(table.c[name] >= value, limit)

    def newest(self, limit: int) -> list[DreamProcedure]:
        """Dreams, newest first."""
        query = select(table).order_by(table.c.id.desc()).limit(limit)
        with self.journal.reading() as connection:
            found = connection.execute(query).mappings().all()
        return believed(self.journal, lambda: [rows.PROCEDURES.value(row) for row in found])

    def _read(self, condition: Any, limit: int) -> list[DreamProcedure]:
        query = select(table).where(condition).order_by(table.c.id).limit(limit)
        with self.journal.reading() as connection:
            found = connection.execute(query).mappings().all()
        return believed(self.journal, lambda: [rows.PROCEDURES.value(row) for row in found])

    def add(self, dreams: Sequence[DreamProcedure]) -> list[int]:
        """Keep dreams; their numbers, in order. One that is known keeps the number it has."""
        now = to_microseconds(datetime.now(UTC))
        numbers: list[int] = []
        with self.journal.writing() as connection:
            for dream in dreams:
                digest = table.c.digest == dream.digest
                known = connection.execute(select(table.c.id).where(digest)).scalar()
                if known is None:
                    added = insert(table).values(rows.procedure_row(dream, now))
                    known = connection.execute(added.returning(table.c.id)).scalar_one()
                numbers.append(int(known))
        return numbers

    def update(self, dream: DreamProcedure) -> None:
        """Keep what has been learnt about a dream."""
        if dream.id is None:
            raise UsageError("a dream that was never stored cannot be updated")
        with self.journal.writing() as connection:
            before = self._locked(connection, dream.id)
            self._save(connection, before, dream)

    def move(self, dream_id: int, status: DreamStatus) -> DreamProcedure:
        """Let a dream take one step."""
        with self.journal.writing() as connection:
            before = self._locked(connection, dream_id)
            return self._save(connection, before, replace(before, status=status))

    def evaluate(self, evaluation: Evaluation, evaluator: str) -> DreamProcedure:
        """Note an opinion about a dream; one of tier 1 waits for its test from then on."""
        with self.journal.writing() as connection:
            before = self._locked(connection, evaluation.dream_id)
            if before.status not in EVALUABLE:
                raise UsageError(f"dream {before.id} is {before.status}: past its evaluation")
            judged = replace(
                before,
                status=DreamStatus.EVALUATED,
                viability_score=evaluation.viability,
                tier=evaluation.tier,
                reasoning=evaluation.reasoning,
                evaluator=evaluator,
                evaluated_at=datetime.now(UTC),
            )
            judged = self._save(connection, before, judged)
            if judged.tier is DreamTier.VIABLE:
                waiting = replace(judged, status=DreamStatus.PENDING_TEST)
                judged = self._save(connection, judged, waiting)
            return judged

    def _locked(self, connection: Connection, dream_id: int) -> DreamProcedure:
        row = connection.execute(select(table).where(table.c.id == dream_id)).mappings().first()
        if row is None:
            raise UsageError(f"there is no dream {dream_id} in {self.journal.location}")
        return believed(self.journal, lambda: rows.PROCEDURES.value(row))

    def _save(
        self, connection: Connection, before: DreamProcedure, after: DreamProcedure
    ) -> DreamProcedure:
        check_move(before.status, after.status)
        row = rows.procedure_row(after, 0)
        changed = {name: row[name] for name in rows.CHANGEABLE}
        connection.execute(update(table).where(table.c.id == before.id).values(changed))
        return after

    def count(self, name: str) -> dict[str, int]:
        """How many dreams there are by the words of a column."""
        column = table.c[name]
        query = select(column, func.count()).group_by(column)
        with self.journal.reading() as connection:
            found = connection.execute(query).all()
        return {str(word): int(count) for word, count in found if word is not None}


_SUCCESS = TestOutcome.SUCCESS.value


@dataclass(frozen=True, slots=True)
class RecordQueries:
    """Runs, tests, figures and tightenings of one journal."""

    journal: Journal

    def add_run(self, run: GenerationRun) -> int:
        """Keep a generation run; its number."""
        return self._add(tables.generation_runs, rows.RUNS.row(run))

    def change_run(self, run: GenerationRun) -> None:
        """Keep what a run came to."""
        self._change(tables.generation_runs, run.id, rows.RUNS.row(run))

    def runs(self, limit: int) -> list[GenerationRun]:
        """The newest runs, newest first."""
        table = tables.generation_runs
        found = self._fetch(select(table).order_by(table.c.id.desc()).limit(limit))
        return believed(self.journal, lambda: [rows.RUNS.value(row) for row in found])

    def tests(
        self, dream_id: int | None, limit: int, *, only_failed: bool = False
    ) -> list[ProcedureTest]:
        """The newest tests, of one dream or of all, newest first."""
        table = tables.procedure_tests
        query = select(table).order_by(table.c.id.desc()).limit(limit)
        if dream_id is not None:
            query = query.where(table.c.dream_id == dream_id)
        if only_failed:
            query = query.where(table.c.outcome != _SUCCESS)
        return self._tests(query)

    def add_metrics(self, metrics: DreamMetrics) -> None:
        """Keep the figures of a moment."""
        self._add(tables.dream_metrics, rows.metrics_row(metrics))

    def metrics(self, since: datetime | None, limit: int) -> list[DreamMetrics]:
        """The figures that were kept, newest first."""
        table = tables.dream_metrics
        query = select(table).order_by(table.c.measured_at_us.desc(), table.c.id.desc())
        if since is not None:
            query = query.where(table.c.measured_at_us >= to_microseconds(since))
        found = self._fetch(query.limit(limit))
        return believed(self.journal, lambda: [rows.metrics_of(row) for row in found])

    def add_tightening(self, tightening: Tightening) -> int:
        """Put a constraint on a dreamer's rule; its number."""
        return self._add(tables.tightenings, rows.TIGHTENINGS.row(tightening))

    def lift_tightening(self, number: int) -> None:
        """Take a constraint back; it stays to be seen."""
        lifted = {"lifted_at_us": to_microseconds(datetime.now(UTC))}
        self._change(tables.tightenings, number, lifted)

    def tightenings(self, in_force: bool) -> list[Tightening]:
        """Constraints on dreamers, oldest first."""
        table = tables.tightenings
        query = select(table).order_by(table.c.id)
        if in_force:
            query = query.where(table.c.lifted_at_us.is_(None))
        found = self._fetch(query)
        return believed(self.journal, lambda: [rows.TIGHTENINGS.value(row) for row in found])

    def _fetch(self, query: Select[tuple[Any, ...]]) -> Sequence[Any]:
        with self.journal.reading() as connection:
            return connection.execute(query).mappings().all()

    def record_by_dreamer(self) -> Mapping[str, tuple[int, int]]:
        """Of every `dreamer/rule`: dreams that passed their last test, and dreams tested."""
        table = tables.dream_procedures
        passed = func.sum(case((table.c.test_outcome == _SUCCESS, 1), else_=0))
        query = select(table.c.dreamer, passed, func.count()).group_by(table.c.dreamer)
        with self.journal.reading() as connection:
            found = connection.execute(query.where(table.c.test_outcome.is_not(None))).all()
        return {str(dreamer): (int(good), int(all_)) for dreamer, good, all_ in found}

    def _add(self, table: Any, row: rows.Row) -> int:
        with self.journal.writing() as connection:
            return _insert(connection, table, row)

    def _change(self, table: Any, number: int | None, row: rows.Row) -> None:
        with self.journal.writing() as connection:
            changed = connection.execute(update(table).where(table.c.id == number).values(row))
        if changed.rowcount != 1:
            what = table.name.removesuffix("s").replace("_", " ")
            raise UsageError(f"no {what} has the number {number} ({self.journal.location})")

    def add_test(self, test: ProcedureTest) -> int:
        """Keep a test with its failures; its number."""
        with self.journal.writing() as connection:
            number = _insert(connection, tables.procedure_tests, rows.TESTS.row(test))
            met = [rows.FAILURES.row(failure, test_id=number) for failure in test.failures]
            if met:
                connection.execute(insert(tables.procedure_failures), met)
        return number

    def _tests(self, query: Select[tuple[Any, ...]]) -> list[ProcedureTest]:
        failures = tables.procedure_failures
        with self.journal.reading() as connection:
            found = connection.execute(query).mappings().all()
            numbers = [row["id"] for row in found]
            met = select(failures).where(failures.c.test_id.in_(numbers))
            told = connection.execute(met.order_by(failures.c.inputs.desc())).mappings().all()
        return believed(self.journal, lambda: _with_failures(found, told))

    def statistics(self) -> dict[str, Any]:
        """Figures over all dreams."""
        table = tables.dream_procedures
        is_tested = table.c.test_outcome.is_not(None) & (table.c.tier == DreamTier.VIABLE.value)
        passed = is_tested & (table.c.test_outcome == _SUCCESS)
        names = {
            "total_dreams": func.count(),
            "average_viability": func.avg(table.c.viability_score),
            "average_novelty": func.avg(table.c.novelty_score),
            "high_novelty": _how_many(table.c.novelty_score >= HIGH_NOVELTY),
            "cross_project": _how_many(table.c.cross_project_matches >= 1),
            "average_effectiveness": func.avg(table.c.effectiveness),
            "tier1_test_count": _how_many(is_tested),
            "tier1_test_passed": _how_many(passed),
        }
        query = select(*(each.label(name) for name, each in names.items())).select_from(table)
        with self.journal.reading() as connection:
            found = dict(connection.execute(query).mappings().one())
            groups = {
                f"by_{name}": _counted(connection, table.c[column])
                for name, column in (("status", "status"), ("tier", "tier"), ("type", "dream_type"))
            }
        tests = found["tier1_test_count"]
        rate = found.pop("tier1_test_passed") / tests if tests else None
        return {**found, "tier1_test_success_rate": rate, **groups}


def _how_many(condition: Any) -> Any:
    return func.coalesce(func.sum(case((condition, 1), else_=0)), 0)


def _counted(connection: Connection, column: Any) -> dict[str, int]:
    query = select(column, func.count()).where(column.is_not(None)).group_by(column)
    return {str(word): int(count) for word, count in connection.execute(query).all()}


def _insert(connection: Connection, table: Any, row: rows.Row) -> int:
    return int(connection.execute(insert(table).values(row).returning(table.c.id)).scalar_one())


def _with_failures(tests: Sequence[Any], failures: Sequence[Any]) -> list[ProcedureTest]:
    met: dict[int, list[FailureShare]] = defaultdict(list)
    for row in failures:
        met[row["test_id"]].append(rows.FAILURES.value(row))
    return [rows.TESTS.value(row, failures=tuple(met[row["id"]])) for row in tests]
