"""The journal that the benchmark makes: the schema it was written for is the one there is."""

from collections.abc import Callable
from pathlib import Path

import pytest
from benchmarks.dashboard.__main__ import addresses
from benchmarks.dashboard.data import Size, fill
from tests.unit.interfaces.web.conftest import Door

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
        assert answer.status_code == 200, (name, answer.text[-300:])
        assert "Server-Timing" in answer.headers
