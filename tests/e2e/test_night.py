"""One night on a repository with something of every kind planted; `benchmarks.night` in small."""

from pathlib import Path

import pytest
from benchmarks.night.looking import look_at, second_night
from benchmarks.night.parcels import PARCELS
from benchmarks.night.planted import plant

# In executions: no clock decides what a night gets to.
BUDGET = ("--executions", "2500", "--seed", "1")


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of the test's own."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


@pytest.mark.soak
def test_a_night_offers_every_planted_kind_and_a_second_one_adds_nothing(tmp_path: Path) -> None:
    folder = plant(PARCELS, tmp_path / "parcels")
    _, promises = look_at(PARCELS, folder, BUDGET)
    broken = [each for each in promises if not each.is_kept]
    assert broken == []
    assert [each for each in second_night(folder, BUDGET) if not each.is_kept] == []
