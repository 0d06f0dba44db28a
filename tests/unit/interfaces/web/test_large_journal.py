"""The journal that the benchmark makes: the schema it was written for is the one there is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from benchmarks.dashboard.addresses import addresses
from benchmarks.dashboard.data import fill
from benchmarks.dashboard.size import Size
from sqlalchemy import Engine, event
from tests.unit.interfaces.web.conftest import TOKEN, Door

from reverie.store import Journal, journal_url

SIZE = Size(cycles=2, dreams=12, executions=1_100, patterns=10)


@pytest.fixture
def door(repository: Path, open_door: Callable[..., Door]) -> Door:
    (repository / ".reverie").mkdir()
    with Journal.open(journal_url(repository)) as journal:
        fill(journal, repository, SIZE)
    return open_door(repository)


def test_every_address_of_the_benchmark_is_a_page(door: Door) -> None:
    browser = door.browser()
    for name, path in addresses(SIZE).items():
        answer = browser.get(path)
        assert answer.status_code in (200, 303), (name, answer.text[-300:])
        assert "Server-Timing" in answer.headers


LARGE = ("dreams", "executions", "trials", "rulings", "evidence", "promotions", "interactions")


def test_no_page_reads_a_large_table_from_end_to_end(door: Door) -> None:
    with door.desk.journal.driver_connection() as plain:
        plain.cursor().execute("DELETE FROM sqlite_stat1")  # which say how small it is
    scans: list[tuple[str, str]] = []
    asked = ""

    def explain(_: Any, cursor: Any, statement: str, parameters: Any, *__: Any) -> None:
        if statement.startswith(("SELECT", "WITH")):
            rows = cursor.connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            scans.extend((asked, row[3]) for row in rows if row[3].startswith("SCAN "))

    event.listen(Engine, "before_cursor_execute", explain)
    try:
        with door.desk.journal.reading() as connection:
            connection.exec_driver_sql("SELECT * FROM dreams ORDER BY title")
        assert scans == [("", "SCAN dreams")], "the instrument sees one"
        browser = door.browser()
        for name, path in addresses(SIZE).items():
            asked = name
            browser.get(path, headers={"authorization": f"Bearer {TOKEN}"})
    finally:
        event.remove(Engine, "before_cursor_execute", explain)
    # Foresight is worked out of all trials, once in a while and not while anybody waits.
    found = [(name, step) for name, step in scans[1:] if name != "metrics"]
    assert [each for each in found if each[1].split()[1] in LARGE and "INDEX" not in each[1]] == []
