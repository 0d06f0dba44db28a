"""What people decided on earlier changes counts in what the next is worth."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reverie.bootstrap.repository import load_settled
from reverie.cycle.planning import known_targets
from reverie.cycle.running import CycleRun
from reverie.cycle.workshop import Surveyed
from reverie.model.cycle import CycleBudget, CycleWishes, Rollback, StepState
from reverie.model.settings.cycle import CycleSection
from reverie.settings import load_settings
from reverie.stages.dreamer import Target
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import CycleWriter, finished_modules, load_cycle
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


def test_a_finding_that_two_steps_see_is_told_once(journal: Journal, tmp_path: Path) -> None:
    (tmp_path / "promotions").mkdir()
    workshop = ScriptedWorkshop(tmp_path / "promotions")
    wishes = CycleWishes(CycleBudget(executions=600), seed=7)
    record = CycleRun(journal, tmp_path, workshop, CycleSection()).begin(wishes)
    (seen,) = record.sightings
    writer = CycleWriter(journal, record.header.id)
    again = replace(seen, details={**seen.details, "signature": seen.signature, "shown": "f([])"})
    assert writer.dreamt(record.steps[0], (), (seen, again)) == 0
    other = replace(seen, title="KeyError for an empty list")
    assert writer.dreamt(record.steps[1], (), (again, other, other)) == 1
    assert load_cycle(journal, record.header.id).sightings == (other, seen)


def test_what_a_later_stage_looked_at_is_not_looked_at_again_from_the_same_commit(
    journal: Journal, tmp_path: Path
) -> None:
    """Its module reads otherwise on the branch of the night than at the commit."""
    (tmp_path / "promotions").mkdir()
    workshop = ScriptedWorkshop(tmp_path / "promotions")
    wishes = CycleWishes(CycleBudget(executions=600), seed=7)
    record = CycleRun(journal, tmp_path, workshop, CycleSection()).begin(wishes)
    revision = record.header.revision

    def known(revision: str | None) -> Mapping[str, str]:
        modules = finished_modules(journal, tmp_path, revision, but="")
        now = Target("script", "m00", "src/m00.py", "other source", content_hash="as it was")
        return known_targets([now], {}, modules)

    assert list(known(revision)) == ["script other source"]
    assert known("1" * 40) == {}
    undone = Rollback(record.promotions[0].dream.id, None, None, datetime.now(UTC))
    record_rollback(journal, record.header.id, undone, "not worth its time")
    assert known(revision) == {}, "the ground that it stood on may be gone"


class Otherwise(ScriptedWorkshop):
    """The same modules, looked at by somebody else."""

    def survey(self) -> Surveyed:
        found = ScriptedWorkshop.survey(self)
        return replace(
            found, targets=tuple(replace(each, dreamer="other") for each in found.targets)
        )


@pytest.mark.parametrize(("revision", "told"), [("0" * 40, 0), ("1" * 40, 1)])
def test_what_a_night_has_told_is_not_told_again_from_the_same_commit(
    journal: Journal, tmp_path: Path, revision: str, told: int
) -> None:
    (tmp_path / "promotions").mkdir()
    wishes = CycleWishes(CycleBudget(executions=600), seed=7)
    first = ScriptedWorkshop(tmp_path / "promotions")
    assert len(CycleRun(journal, tmp_path, first, CycleSection()).begin(wishes).sightings) == 1
    other = Otherwise(tmp_path / "promotions", revision=revision)
    record = CycleRun(journal, tmp_path, other, CycleSection()).begin(wishes)
    assert {step.state for step in record.steps} == {StepState.DONE}
    assert len(record.sightings) == told
