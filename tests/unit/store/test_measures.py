from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.model.measurements.benchmark import CallableMeasure, Estimate, Regression
from reverie.store import Journal
from reverie.store.cycles.measures import (
    load_measures,
    load_regressions,
    record_measure,
    record_regression,
)

NAME = "src/shop.py:totals"


def at(minute: int) -> datetime:
    return datetime(2026, 1, 2, 3, minute, tzinfo=UTC)


def measure(minute: int, name: str = NAME, cpu: float | None = 0.5) -> CallableMeasure:
    return CallableMeasure(name, at(minute), "c1", "hash", 300, cpu, None, 3, 2, 10, "namespaces")


@pytest.fixture
def journal(any_url: str) -> Iterator[Journal]:
    with Journal.open(any_url) as journal:
        yield journal


def test_measures_come_back_oldest_first_and_by_callable(journal: Journal, tmp_path: Path) -> None:
    for each in (measure(5), measure(2, cpu=None), measure(3, "src/shop.py:other")):
        record_measure(journal, tmp_path, each)
    assert load_measures(journal, tmp_path, NAME) == (measure(2, cpu=None), measure(5))
    assert len(load_measures(journal, tmp_path)) == 3
    assert load_measures(journal, tmp_path / "elsewhere") == ()


def test_a_regression_comes_back_with_its_commit(journal: Journal, tmp_path: Path) -> None:
    found = Regression(NAME, at(1), "b", "h", Estimate(2.0, 1.5, 3.0), "c", "Keep order", ("c",), 4)
    record_regression(journal, tmp_path, found)
    assert load_regressions(journal, tmp_path, NAME) == (found,)
    assert load_regressions(journal, tmp_path, "other") == ()
