"""What people decided on earlier changes counts in what the next is worth."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.bootstrap.repository import load_settled
from reverie.cycle.running import CycleRun
from reverie.model.cycle import CycleBudget, CycleWishes, Rollback
from reverie.model.settings.cycle import CycleSection
from reverie.settings import load_settings
from reverie.store import Journal, journal_url
from reverie.store.cycles.promotions import offered_paths, record_rollback
from reverie.store.decided import load_put_forward
from reverie.testing.workshop import ScriptedWorkshop


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield journal


def test_a_rollback_is_a_decision_and_an_open_offer_is_none(
    journal: Journal, tmp_path: Path
) -> None:
    (tmp_path / "promotions").mkdir()
    workshop = ScriptedWorkshop(tmp_path / "promotions")
    wishes = CycleWishes(CycleBudget(executions=600), seed=7)
    record = CycleRun(journal, tmp_path, workshop, CycleSection()).begin(wishes)
    loaded = load_settings(tmp_path, {}, {})
    assert load_settled(loaded, journal) == ()
    undone = record.promotions[0].dream.id
    rollback = Rollback(undone, None, None, datetime.now(UTC))
    record_rollback(journal, record.header.id, rollback, "not worth its time")
    (settled,) = load_settled(loaded, journal)
    assert (settled.dreamer, settled.is_kept) == ("script", False)
    assert load_put_forward(journal, tmp_path / "elsewhere") == ()


def test_files_of_open_promotions_on_the_same_sources_are_known(
    journal: Journal, tmp_path: Path
) -> None:
    (tmp_path / "promotions").mkdir()
    workshop = ScriptedWorkshop(tmp_path / "promotions")
    wishes = CycleWishes(CycleBudget(executions=600), seed=7)
    record = CycleRun(journal, tmp_path, workshop, CycleSection()).begin(wishes)
    made = {
        edit.path
        for each in record.promotions
        for edit in each.dream.change.edits
        if edit.before is None
    }
    assert made
    assert offered_paths(journal, tmp_path, record.header.environment) == made
    assert offered_paths(journal, tmp_path, {"source": "another"}) == frozenset()
