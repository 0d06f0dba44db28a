"""What became of earlier promotions counts in what the next is worth."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.cycle.running import CycleRun
from reverie.model.cycle import CycleBudget, CycleWishes
from reverie.model.cycle_sections import CycleSection
from reverie.model.promotion import Rollback
from reverie.model.roi import Risk, TrackRecord
from reverie.scoring.raroi import adjust_for_risk
from reverie.store import Journal, journal_url
from reverie.store.promotions import promotions_kept, record_rollback
from reverie.testing.workshop import ScriptedWorkshop


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield journal


def test_a_rollback_counts_against_what_its_dreamer_dreams_next(
    journal: Journal, tmp_path: Path
) -> None:
    (tmp_path / "promotions").mkdir()
    workshop = ScriptedWorkshop(tmp_path / "promotions")
    wishes = CycleWishes(CycleBudget(executions=600), seed=7)
    record = CycleRun(journal, tmp_path, workshop, CycleSection()).begin(wishes)
    kept = promotions_kept(journal, tmp_path, "script")
    assert kept == TrackRecord(bad=0, kept=4)
    undone = record.promotions[0].dream.id
    rollback = Rollback(undone, None, None, datetime.now(UTC))
    record_rollback(journal, record.header.id, rollback, "not worth its time")
    after = promotions_kept(journal, tmp_path, "script")
    assert after == TrackRecord(bad=1, kept=3)
    assert promotions_kept(journal, tmp_path, "another") == TrackRecord()
    assert promotions_kept(journal, tmp_path / "elsewhere", "script") == TrackRecord()
    worth = [adjust_for_risk(60, Risk(each.bad, each.kept)).minutes for each in (kept, after)]
    assert worth[1] < worth[0]
