"""One night on a repository with something of every kind planted; `benchmarks.night` in small."""

from pathlib import Path

import pytest
from benchmarks.night.kiosk import KIOSK
from benchmarks.night.looking import look_at, second_night
from benchmarks.night.parcels import PARCELS
from benchmarks.night.planted import Planted, plant

# In executions: no clock decides what a night gets to.
BUDGET = ("--executions", "2500", "--seed", "1")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def test_a_small_night_offers_every_kind_and_a_second_one_adds_nothing(tmp_path: Path) -> None:
    offers_every_kind(KIOSK, tmp_path / "kiosk", ("--executions", "400", "--seed", "1"))


@pytest.mark.soak
def test_a_night_offers_every_planted_kind_and_a_second_one_adds_nothing(tmp_path: Path) -> None:
    offers_every_kind(PARCELS, tmp_path / "parcels", BUDGET)


def offers_every_kind(planted: Planted, folder: Path, budget: tuple[str, ...]) -> None:
    plant(planted, folder)
    _, promises = look_at(planted, folder, budget)
    promises += second_night(folder, budget)
    assert [each for each in promises if not each.is_kept] == []
