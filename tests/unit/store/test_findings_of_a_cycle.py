"""Findings that several steps of one night see."""

from datetime import UTC, datetime
from pathlib import Path

from reverie.model.cycle import (
    CycleBudget,
    CycleHeader,
    CycleState,
    CycleWishes,
    Sighting,
    Step,
    StepState,
)
from reverie.store.cycles.cycles import CycleWriter, load_cycle
from reverie.store.journal import Journal

SEEN = Sighting("shop", "checksum: ValueError", {"input": "checksum('')", "function": "checksum"})
ANOTHER = Sighting("shop", "total: TypeError", {"input": "total(None)", "function": "total"})


def test_what_two_steps_of_a_night_see_is_one_finding(tmp_path: Path) -> None:
    header = CycleHeader(
        id="20260101-000000-abcd",
        repository=str(tmp_path),
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
    )
    first = Step(0, "integration", "shop", "shop.py", "0", state=StepState.DONE)
    second = Step(1, "tests", "shop", "shop.py", "0", state=StepState.DONE)
    with Journal.open(f"sqlite:///{tmp_path}/journal.db") as journal:
        writer = CycleWriter(journal, header.id)
        writer.begin(header)
        writer.plan(header, (first, second))
        writer.dreamt(first, (), (SEEN,))
        writer.dreamt(second, (), (SEEN, ANOTHER))
        found = load_cycle(journal, header.id).sightings
    assert [each.title for each in found] == [SEEN.title, ANOTHER.title]


def test_what_a_trial_brings_to_light_is_told_once(tmp_path: Path) -> None:
    header = CycleHeader(
        id="20260101-000000-0001",
        repository=str(tmp_path),
        started_at=datetime(2026, 1, 1, tzinfo=UTC),
        state=CycleState.RUNNING,
        wishes=CycleWishes(CycleBudget()),
    )
    seen = {"function": "checksum", "input": "checksum('')", "actual": "ValueError: none"}
    one, same = Sighting("shop", "checksum('') fails", seen), Sighting("shop", "it fails", seen)
    with Journal.open(f"sqlite:///{tmp_path}/journal.db") as journal:
        writer = CycleWriter(journal, header.id)
        writer.begin(header)
        writer.plan(header, (Step(0, "tests", "shop", "shop.py", "0"),))
        assert writer.saw(0, (one,)) == 1
        assert writer.saw(0, (same, ANOTHER)) == 1
        found = load_cycle(journal, header.id).sightings
    assert [each.title for each in found] == [one.title, ANOTHER.title]
