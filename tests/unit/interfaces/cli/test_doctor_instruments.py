"""`reverie doctor --instruments`, with an instrument that sees what the test lets it see."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from reverie.instruments import self_check
from reverie.instruments.self_check import Plant


@pytest.fixture
def sees(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def plant(seen: str) -> None:
        class Module:
            @staticmethod
            def plants(sandbox: object) -> Iterable[Plant]:
                return [Plant("a stone", "1", lambda: seen)]

        monkeypatch.setattr(self_check, "INSTRUMENTS", ("benchmark",))
        monkeypatch.setattr(self_check, "import_module", lambda name: Module)

    return plant


def test_a_proven_instrument_is_exit_code_0(
    cli: Callable, repository: Path, sees: Callable[[str], None]
) -> None:
    sees("1")
    ran = cli("doctor", "--instruments", "--repo", str(repository), "--json")
    assert ran.code == 0
    assert ran.document == {
        "instruments": [
            {
                "instrument": "benchmark",
                "passed": True,
                "sightings": [{"name": "a stone", "required": "1", "seen": "1", "passed": True}],
            }
        ]
    }


def test_an_instrument_that_misses_something_is_exit_code_1(
    cli: Callable, repository: Path, sees: Callable[[str], None]
) -> None:
    sees("nothing\x1b[0m")
    ran = cli("doctor", "--instruments", "--repo", str(repository))
    assert ran.code == 1
    assert ran.out.splitlines()[1].split() == [
        "benchmark",
        "a",
        "stone",
        "1",
        r"nothing\x1b[0m",
        "no",
    ]
