"""A journal as it would be after years: made up, written in bulk, the same every time."""

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Table

from benchmarks.dashboard.others import Tables, others
from benchmarks.dashboard.size import HOUR_US, MODULES, START_US, Size, cycle_name, dream_name
from reverie.model.change import Change, FileEdit
from reverie.store import Journal, schema
from reverie.store.migrations.versions.r0017_kept_counts import COUNTS
from reverie.store.retention import count_executions
from reverie.store.tables.columns import metadata

STATUSES = ("promoted", "rejected", "rejected", "rejected", "borderline", "tested")
KINDS = ("test", "test", "refactor", "optimisation")
OUTCOMES = ("success",) * 17 + ("runtime_error", "timeout", "type_error")
_FAST_SQLITE = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA foreign_keys = OFF",
    "PRAGMA cache_size = -400000",
    "PRAGMA threads = 2",
)
_FAST_POSTGRES = (
    "SET maintenance_work_mem = '400MB'",
    "SET synchronous_commit = off",
    "SET session_replication_role = replica",
)
_GO_ON = "SELECT setval(pg_get_serial_sequence('executions', 'seq'), %s)"


def fill(journal: Journal, repository: Path, size: Size) -> None:
    """Write it all; indexes are made afterwards, as for any bulk load."""
    place = str(repository.resolve())
    with _bulk_loading(journal) as connection:
        cursor = connection.cursor()
        add = _adder(journal, cursor)
        for index in _indexes(drop=True):
            cursor.execute(f"DROP INDEX {index}")
        for table, rows in (*_cycles(size, place), *_runs(size, place), *others(size, place)):
            add(table, rows)
        if journal.backend.dialect != "sqlite":
            cursor.execute(_GO_ON, (size.executions,))
        _finish(cursor)
        connection.commit()
    with journal.writing() as written:
        count_executions(written)
    if journal.backend.dialect != "sqlite":
        _vacuum(journal)


def _cycles(size: Size, place: str) -> Tables:
    promoted = (each for each in _each_dream(size) if STATUSES[each[1] % 6] == "promoted")
    yield schema.cycles, (_cycle(n, place, size) for n in range(size.cycles))
    yield schema.checkpoints, _steps(size)
    yield schema.dreams, (_dream(*each, size) for each in _each_dream(size))
    yield schema.trials, (_trial(*each) for each in _each_dream(size))
    yield schema.evidence, (_evidence(*each) for each in _each_dream(size))
    yield schema.rulings, (row for each in _each_dream(size) for row in _rulings(*each))
    yield schema.promotions, (_promotion(*each, size) for each in promoted)
    yield schema.findings, _findings(size)


def _runs(size: Size, place: str) -> Tables:
    sources = ((f"{n:064x}", f"def f(x):\n    return x + {n}\n", 30) for n in range(100))
    yield schema.terms, iter([("0" * 16, "{}", '{"wall_seconds": 10}')])
    yield schema.code, sources
    yield schema.failure_patterns, (_pattern(n) for n in range(size.patterns))
    yield schema.executions, (_execution(n, size) for n in range(size.executions))
    yield schema.indexed_repositories, iter([(1, place, None, None, None, None, None)])
    yield schema.indexed_files, (_file(n) for n in range(len(MODULES)))


def _finish(cursor: Any) -> None:
    """What is read along, and what whoever writes would have counted."""
    for statement in _indexes(drop=False):
        cursor.execute(statement)
    for counts in COUNTS:
        cursor.execute(f"INSERT INTO tallies {counts} GROUP BY 1, 2, 3, 4")
    cursor.execute("ANALYZE")


def _vacuum(journal: Journal) -> None:
    """As the server's own daemon would have by then."""
    with journal.driver_connection() as connection:
        connection.autocommit = True  # type: ignore[attr-defined]
        connection.cursor().execute("VACUUM ANALYZE")


@contextmanager
def _bulk_loading(journal: Journal) -> Iterator[Any]:
    """A connection for one writer alone: what it leaves behind half done is thrown away."""
    is_sqlite = journal.backend.dialect == "sqlite"
    with journal.driver_connection() as connection:
        cursor = connection.cursor()
        for setting in _FAST_SQLITE if is_sqlite else _FAST_POSTGRES:
            cursor.execute(setting)
        connection.commit()
        if is_sqlite:
            cursor.execute("BEGIN")
        yield connection
        if is_sqlite:
            cursor.execute("PRAGMA journal_mode = WAL")


def _indexes(*, drop: bool) -> list[str]:
    from sqlalchemy.dialects import sqlite
    from sqlalchemy.schema import CreateIndex

    every = [index for table in metadata.sorted_tables for index in table.indexes]
    if drop:
        return [str(index.name) for index in every]
    # The same words do for both: partial indexes are written alike.
    return [str(CreateIndex(index).compile(dialect=sqlite.dialect())) for index in every]


def _adder(journal: Journal, cursor: Any) -> Callable[[Table, Iterable[tuple[Any, ...]]], None]:
    def add(table: Table, rows: Iterable[tuple[Any, ...]]) -> None:
        names = ", ".join(f'"{column.name}"' for column in table.columns)
        if journal.backend.dialect == "sqlite":
            marks = ", ".join("?" for _ in table.columns)
            cursor.executemany(f"INSERT INTO {table.name} ({names}) VALUES ({marks})", rows)
            return
        with cursor.copy(f"COPY {table.name} ({names}) FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    return add


def execution_name(number: int) -> str:
    """The id of an execution."""
    return f"{number * 0x9E3779B97F4A7C15 % (1 << 64):016x}{number:016x}"


def _each_dream(size: Size) -> Iterator[tuple[int, int]]:
    return ((cycle, n) for cycle in range(size.cycles) for n in range(size.dreams))


def _cycle(number: int, place: str, size: Size) -> tuple[Any, ...]:
    wishes = {"budget": {"seconds": 3600.0, "executions": None, "dreams": None}, "seed": 1,
              "stage": "A", "python": None, "is_fresh": False}  # fmt: skip
    covered = {
        name: {"lines": 0.5 + n % 50 / 100, "branches": 0.4 + n % 60 / 100}
        for n, name in enumerate(MODULES)
    }
    share = 0.5 + 0.4 * number / size.cycles + number % 7 / 200
    figures = json.dumps({"line_coverage": share, "branch_coverage": share - 0.1,
                          "covered": covered})  # fmt: skip
    started = START_US + 24 * number * HOUR_US
    return (
        cycle_name(number), place, started, started + HOUR_US, "finished", json.dumps(wishes),
        "a" * 40, f"reverie/{number}", "{}", figures, figures, 3600.0, 10_000, None, "0.1.0",
    )  # fmt: skip


def _steps(size: Size) -> Iterator[tuple[Any, ...]]:
    for cycle in range(size.cycles):
        for n in range(40):
            yield (
                cycle_name(cycle), n, "tests", MODULES[(cycle + n) % len(MODULES)], "a.py",
                "0" * 16, 1.0, "1" * 16, "{}", "done", None, None, 30.0, 200, "{}", START_US,
            )  # fmt: skip


_BEFORE = "".join(f"def area_{n}(a, b):\n    return a * {n} + b\n\n\n" for n in range(12))
_AFTER = _BEFORE.replace("return a * 7 + b", "total = a * 7\n    return total + b")
_CHANGE = json.dumps(
    [
        {name: getattr(edit, name) for name in FileEdit.__dataclass_fields__}
        for edit in Change(
            (FileEdit("a.py", _BEFORE, _AFTER, mode_before="100644", mode_after="100644"),)
        ).edits
    ]
)


def _dream(cycle: int, n: int, size: Size) -> tuple[Any, ...]:
    module = MODULES[(cycle + n) % len(MODULES)]
    created = START_US + (24 * cycle) * HOUR_US + n * HOUR_US // size.dreams
    return (
        cycle_name(cycle), dream_name(cycle, n), n % 40, KINDS[n % 4], "tests", module,
        f"Test what {module} does with {n}", 7, _CHANGE, "0" * 16, STATUSES[n % 6], None, created,
    )  # fmt: skip


def _trial(cycle: int, n: int) -> tuple[Any, ...]:
    verdict = {"promoted": "promote", "tested": "promote", "borderline": "borderline"}
    score = json.dumps({"roi": 10.0 + n % 9, "raroi": 8.0 + n % 9, "benefit: mutants": 12.0})
    ended = START_US + 24 * cycle * HOUR_US + n * 15_000_000
    named = verdict.get(STATUSES[n % 6], "reject")
    return (cycle_name(cycle), dream_name(cycle, n), named, "[]", score, 12.0, 60, ended)


def _evidence(cycle: int, n: int) -> tuple[Any, ...]:
    measures = json.dumps({"mutants.judged": 40 + n, "mutants.score.before": 0.5,
                           "mutants.score.after": 0.8 + cycle / 10_000, "tests.new": 4,
                           **{f"measure.{each}": n + each for each in range(30)}})  # fmt: skip
    return (
        cycle_name(cycle), dream_name(cycle, n), measures, 7, "namespaces", '["reverie"]', "{}",
        "{}", "{}", "{}",
    )  # fmt: skip


def _rulings(cycle: int, n: int) -> Iterator[tuple[Any, ...]]:
    for position in range(8):
        failed = STATUSES[n % 6] == "rejected" and position == 7
        yield (
            cycle_name(cycle), dream_name(cycle, n), position, f"gate{position}",
            "fail" if failed else "pass", "tests_pass", "every run passed", "5.0", "5.0",
        )  # fmt: skip


def _promotion(cycle: int, n: int, size: Size) -> tuple[Any, ...]:
    created = START_US + 24 * cycle * HOUR_US + n * HOUR_US // size.dreams
    return (
        cycle_name(cycle), dream_name(cycle, n), "offered", created, f"reverie/{cycle}", "b" * 40,
        "a" * 40, None, None, 10.0 + n % 9, 8.0 + n % 9,
    )  # fmt: skip


def _findings(size: Size) -> Iterator[tuple[Any, ...]]:
    details = json.dumps({"input": "f(-1)", "happened": "IndexError", "why": "undocumented"})
    for cycle in range(size.cycles):
        for n in range(5):
            module = MODULES[(cycle * 5 + n) % len(MODULES)]
            yield cycle_name(cycle), f"{n:016x}", n, module, "It raises IndexError", details


def _pattern(n: int) -> tuple[Any, ...]:
    return (
        f"{n:016x}", "runtime", f"bad value {n}", "def f(x): ...", 1 + n * 7 % 1000, START_US,
        START_US + n * HOUR_US, None,
    )  # fmt: skip


def _execution(n: int, size: Size) -> tuple[Any, ...]:
    outcome = OUTCOMES[n * 7 % 20]
    failed = outcome != "success"
    category = {"runtime_error": "runtime", "timeout": "timeout", "type_error": "type"}
    return (
        n + 1, execution_name(n), START_US + n * (24 * size.cycles * HOUR_US // size.executions),
        f"{n % 100:064x}", "0" * 16, "call", "f", outcome, category.get(outcome),
        "ValueError" if failed else None, f"bad value {n % size.patterns}" if failed else None,
        f"{n % size.patterns:016x}" if failed else None, 1.0 + n % 977 / 100, 0.001, 12_000_000,
        "namespaces" if n % 50 else "landlock", 0, False, None, "0.1.0",
    )  # fmt: skip


def _file(n: int) -> tuple[Any, ...]:
    name = MODULES[n]
    path = name.replace(".", "/") + ".py"
    return (1, path, "", "0" * 16, name, 50 + n * 37 % 900, 10, 2, 1, None, "[]", "{}")
