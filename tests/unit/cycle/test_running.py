import threading
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import update

from reverie.cycle.glance import Glance
from reverie.cycle.running import CycleRun
from reverie.errors import OutOfTime
from reverie.events.context import About, current
from reverie.model.change import Change
from reverie.model.cycle import (
    CycleBudget,
    CycleRecord,
    CycleState,
    CycleWishes,
    Rollback,
    StepState,
)
from reverie.model.dream import DreamStatus
from reverie.model.events import EventName
from reverie.model.ruling import Need, NeedKind
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Dreamt
from reverie.stages.trying import Tried
from reverie.store import Journal, journal_url
from reverie.store.cycles.cycles import find_cycle, list_cycles, load_cycle, unfinished_cycle
from reverie.store.cycles.promotions import record_rollback
from reverie.store.tables.cycle_tables import checkpoints
from reverie.testing.workshop import ScriptedWorkshop

WISHES = CycleWishes(CycleBudget(executions=600), seed=7)


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield journal


@pytest.fixture
def workshop(tmp_path: Path) -> ScriptedWorkshop:
    (tmp_path / "promotions").mkdir()
    return ScriptedWorkshop(tmp_path / "promotions")


def run(journal: Journal, workshop: ScriptedWorkshop, **more: object) -> CycleRun:
    return CycleRun(journal, workshop.folder.parent, workshop, CycleSection(), **more)  # type: ignore[arg-type]


def verdicts(record: CycleRecord) -> dict[str, str]:
    return {each.dream.module: each.status.value for each in record.dreams}


def done(workshop: ScriptedWorkshop) -> Counter[str]:
    return Counter((workshop.folder / "done.log").read_text().splitlines())


def test_a_cycle_ends_with_what_was_proven(journal: Journal, workshop: ScriptedWorkshop) -> None:
    record = run(journal, workshop).begin(WISHES)
    assert record.header.state is CycleState.FINISHED
    assert verdicts(record) == {f"m{n:02d}": "promoted" if n % 3 else "rejected" for n in range(6)}
    assert len(record.promotions) == 4
    assert record.header.branch is not None
    assert {each.promotion.branch for each in record.promotions if each.promotion} == {
        record.header.branch
    }
    assert record.header.executions == 6 * (10 + 5)
    assert [each.module for each in record.sightings] == ["m04"]
    assert all(step.state is StepState.DONE for step in record.steps)


def test_everything_comes_back_from_the_journal(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    record = run(journal, workshop).begin(WISHES)
    assert load_cycle(journal, record.header.id) == record
    assert find_cycle(journal, workshop.folder.parent) == record.header.id
    (each,) = (each for each in record.dreams if each.dream.module == "m02")
    assert each.trial is not None
    assert each.trial.evidence.get("mutants.newly_killed") == 2
    assert each.trial.judgement.rulings[0].measured == 2
    assert each.dream.change.edits[0].after == "def test_m02():\n    assert 7 == 7\n"


def test_a_second_cycle_finds_nothing_left(journal: Journal, workshop: ScriptedWorkshop) -> None:
    first = run(journal, workshop).begin(WISHES)
    second = run(journal, workshop).begin(WISHES)
    assert second.dreams == ()
    assert {step.note for step in second.steps} == {f"tried before: {first.header.id}"}
    assert second.header.branch is None


def test_asked_afresh_it_dreams_again_and_tries(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    run(journal, workshop).begin(WISHES)
    again = run(journal, workshop).begin(CycleWishes(WISHES.budget, seed=7, is_fresh=True))
    assert len(again.dreams) == 6
    assert all(each.trial is not None for each in again.dreams)


def test_a_dream_known_on_this_source_is_not_tried_again(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    first = run(journal, workshop).begin(CycleWishes(CycleBudget(dreams=2), seed=7))
    with journal.writing() as connection:  # as if the step had been cut short
        connection.execute(update(checkpoints).values(state="skipped"))
    second = run(journal, workshop).begin(WISHES)
    assert done(workshop)["prove m00"] == 1
    known = {each.dream.module: each.known_from for each in second.dreams}
    assert known["m00"] == known["m01"] == first.header.id
    assert known["m02"] is None
    assert verdicts(second)["m01"] == "promoted"
    assert len(second.promotions) == 3, "what another cycle promoted is not promoted again"


def test_what_was_taken_back_is_tried_again(journal: Journal, workshop: ScriptedWorkshop) -> None:
    """Once more, whichever later cycle had looked at it; what else the cycle did stays known."""
    first = run(journal, workshop).begin(WISHES)
    fresh = run(journal, workshop).begin(CycleWishes(WISHES.budget, seed=7, is_fresh=True))
    for record in (first, fresh):
        (each,) = (each for each in record.promotions if each.dream.module == "m01")
        gone = Rollback(each.dream.id, record.header.branch, None, datetime.now(UTC))
        record_rollback(journal, record.header.id, gone, "not ours")
    again = run(journal, workshop).begin(WISHES)
    assert verdicts(again) == {"m01": "promoted"}
    (each,) = again.dreams
    assert (each.known_from, done(workshop)["prove m01"]) == (None, 3)
    notes = {step.module: step.note for step in again.steps}
    assert notes.pop("m01") is None
    assert set(notes.values()) == {f"tried before: {fresh.header.id}"}
    assert run(journal, workshop).begin(WISHES).dreams == ()


def test_what_another_cycle_knew_of_a_change_taken_back_is_no_decision(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    first = run(journal, workshop).begin(CycleWishes(CycleBudget(dreams=2), seed=7))
    with journal.writing() as connection:  # as if the step had been cut short
        connection.execute(update(checkpoints).values(state="skipped"))
    second = run(journal, workshop).begin(WISHES)
    (each,) = (each for each in second.dreams if each.dream.module == "m01")
    assert (each.known_from, each.status.value) == (first.header.id, "promoted")
    gone = Rollback(each.dream.id, first.header.branch, None, datetime.now(UTC))
    record_rollback(journal, first.header.id, gone, "not ours")
    third = run(journal, workshop).begin(WISHES)
    assert verdicts(third) == {"m01": "promoted"}
    assert [each.known_from for each in third.dreams] == [None]


def test_our_failure_ends_a_step_and_not_the_cycle(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    workshop.broken = frozenset({"m01"})
    record = run(journal, workshop).begin(WISHES)
    assert record.header.state is CycleState.FINISHED
    failed = record.steps[1]
    assert (failed.state, failed.note) == (StepState.FAILED, "ValueError: broken at m01")
    assert failed.error is not None
    assert "Traceback" in failed.error
    assert len(record.dreams) == 5


@pytest.mark.parametrize(("times", "state"), [(2, "done"), (3, "failed")])
def test_what_our_machinery_fails_at_is_tried_again(
    journal: Journal, workshop: ScriptedWorkshop, times: int, state: str
) -> None:
    workshop.shaky = Counter({"m02": times})
    record = run(journal, workshop).begin(WISHES)
    assert record.steps[2].state == state


def test_a_failed_step_is_open_in_the_next_cycle(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    workshop.broken = frozenset({"m01"})
    run(journal, workshop).begin(WISHES)
    workshop.broken = frozenset()
    second = run(journal, workshop).begin(WISHES)
    assert [each.dream.module for each in second.dreams] == ["m01"]


def test_stopping_keeps_what_is_proven_and_recovery_does_the_rest(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    stop = threading.Event()

    def watch(glance: Glance) -> None:
        if glance.over >= 2:
            stop.set()

    first = run(journal, workshop, stop=stop, watch=watch, workers=1).begin(WISHES)
    assert first.header.state is CycleState.INTERRUPTED
    assert workshop.abandoned.is_set()
    assert 0 < len(first.dreams) < 6
    assert unfinished_cycle(journal, workshop.folder.parent) == first.header.id
    whole = run(journal, workshop).recover(first)
    assert whole.header.state is CycleState.FINISHED
    assert len(whole.dreams) == 6
    assert set(done(workshop).values()) == {1}, "finished work is not done again"
    assert unfinished_cycle(journal, workshop.folder.parent) is None


def test_a_spent_budget_of_time_skips_the_rest(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    workshop.pause_seconds = 0.6
    section = CycleSection(least_seconds=0.3)
    wishes = CycleWishes(CycleBudget(seconds=2.1))
    record = CycleRun(journal, workshop.folder.parent, workshop, section, workers=1).begin(wishes)
    states = [step.state for step in record.steps]
    assert record.header.state is CycleState.FINISHED
    assert states[0] is StepState.DONE
    assert states[-1] is StepState.SKIPPED
    assert all(each.status is not DreamStatus.PENDING_TEST for each in record.dreams)


def test_a_spent_budget_of_time_leaves_all_but_the_first_of_a_module_for_another_night(
    journal: Journal, workshop: ScriptedWorkshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ScriptedWorkshop.dream

    def dream(*given: object) -> Dreamt:
        dreamt = plain(*given)  # type: ignore[arg-type]
        (one,) = dreamt.dreams
        (edit,) = one.change.edits
        texts = (edit.after, f"{edit.after}# two\n", f"{edit.after}# three\n")
        changes = (Change((replace(edit, after=text),)) for text in texts)
        return replace(dreamt, dreams=tuple(replace(one, change=each) for each in changes))

    monkeypatch.setattr(ScriptedWorkshop, "dream", dream)
    workshop.modules, workshop.pause_seconds = 1, 2.6
    section = CycleSection(least_seconds=0.1)
    wishes = CycleWishes(CycleBudget(seconds=2.5))
    record = CycleRun(journal, workshop.folder.parent, workshop, section, workers=1).begin(wishes)
    assert [each.status for each in record.dreams if each.trial] == [DreamStatus.REJECTED]
    left = [each.status for each in record.dreams if not each.trial]
    assert left == [DreamStatus.ARCHIVED] * 2
    assert record.header.state is CycleState.FINISHED


def test_the_same_seed_and_executions_give_the_same_verdicts(
    tmp_path: Path, workshop: ScriptedWorkshop
) -> None:
    seen = []
    for name in ("one", "two"):
        with Journal.open(journal_url(tmp_path / name)) as journal:
            record = run(journal, workshop).begin(WISHES)
        seen.append([(each.dream.id, each.status) for each in record.dreams])
    assert seen[0] == seen[1]


def test_cycles_are_listed_newest_first(journal: Journal, workshop: ScriptedWorkshop) -> None:
    ids = [run(journal, workshop).begin(WISHES).header.id for _ in range(3)]
    assert [each.id for each in list_cycles(journal, workshop.folder.parent)] == ids[::-1]


def test_a_glance_counts_what_was_journaled(journal: Journal, workshop: ScriptedWorkshop) -> None:
    seen: list[Glance] = []
    run(journal, workshop, watch=seen.append).begin(WISHES)
    last = seen[-1]
    assert (last.phase, last.steps, last.over) == ("done", 6, 6)
    assert (last.promoted, last.rejected, last.sightings) == (4, 2, 1)
    assert last.best == "Test m05 (2 more planted faults noticed)"


def test_what_people_owe_something_for_is_held_and_not_promoted(
    journal: Journal, workshop: ScriptedWorkshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ScriptedWorkshop.prove

    def prove(*given: object) -> Tried:
        tried = plain(*given)  # type: ignore[arg-type]
        judgement = replace(tried.trial.judgement, needs=(Need(NeedKind.APPROVALS, 2),))
        return replace(tried, trial=replace(tried.trial, judgement=judgement))

    monkeypatch.setattr(ScriptedWorkshop, "prove", prove)
    record = run(journal, workshop).begin(WISHES)
    assert record.header.state is CycleState.FINISHED
    assert set(verdicts(record).values()) == {"tested", "rejected"}
    assert record.promotions == ()
    assert record.header.branch is None


def test_what_is_left_of_a_dream_after_its_trial_takes_its_place(
    journal: Journal, workshop: ScriptedWorkshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = ScriptedWorkshop.prove

    def prove(*given: object) -> Tried:
        tried = plain(*given)  # type: ignore[arg-type]
        (edit,) = tried.dream.change.edits
        less = Change((replace(edit, after=f"{edit.after}# less\n"),))
        return replace(tried, dream=replace(tried.dream, change=less))

    monkeypatch.setattr(ScriptedWorkshop, "prove", prove)
    record = run(journal, workshop).begin(WISHES)
    assert len(record.dreams) == 6
    assert all(each.dream.change.edits[0].after.endswith("# less\n") for each in record.dreams)
    promoted = {each.promotion.dream_id for each in record.promotions if each.promotion}
    assert promoted < {each.dream.id for each in record.dreams}
    assert len(promoted) == 4


def test_a_cycle_tells_what_happens_in_order(journal: Journal, workshop: ScriptedWorkshop) -> None:
    told: list[tuple[str, About]] = []
    finished: dict[str, object] = {}

    def publish(name: EventName, data: Mapping[str, object]) -> None:
        told.append((name, current()))
        if name is EventName.CYCLE_FINISHED:
            finished.update(data)

    record = run(journal, workshop, publish=publish).begin(WISHES)
    names = [name for name, _ in told]
    assert (names[0], names[-1]) == ("cycle:started", "cycle:finished")
    assert names[1:-1] == ["dream:rejected"] * 2
    assert {here.cycle_id for _, here in told} == {record.header.id}
    rejected = {e.dream.id for e in record.dreams if e.status is DreamStatus.REJECTED}
    assert {here.dream_id for _, here in told[1:-1]} == rejected
    assert (finished["state"], finished["promoted"], finished["rejected"]) == ("finished", 4, 2)


class _Hurried(ScriptedWorkshop):
    """Its time is over in the trial of one module."""

    at = "m02"

    def prove(self, dream, seed, is_stopped):  # type: ignore[no-untyped-def]
        if dream.module == self.at:
            raise OutOfTime("the time that was given is over")
        return super().prove(dream, seed, is_stopped)


def test_a_trial_that_is_cut_off_decides_nothing_and_is_made_another_night(
    journal: Journal, tmp_path: Path
) -> None:
    (tmp_path / "promotions").mkdir()
    hurried = _Hurried(tmp_path / "promotions")
    first = run(journal, hurried).begin(WISHES)
    assert first.header.state is CycleState.FINISHED
    (step,) = (each for each in first.steps if each.module == "m02")
    assert (step.state, step.note) == (
        StepState.SKIPPED, "the time was up before it was proven")  # fmt: skip
    assert verdicts(first)["m02"] == "archived"
    hurried.at = ""
    second = run(journal, hurried).begin(WISHES)
    assert verdicts(second) == {"m02": "promoted"}


def test_nothing_is_begun_for_which_no_time_is_left(
    journal: Journal, workshop: ScriptedWorkshop
) -> None:
    wishes = CycleWishes(CycleBudget(seconds=60.0), seed=7)
    record = run(journal, workshop, spent_before=60.0).begin(wishes)
    assert {each.state for each in record.steps} == {StepState.SKIPPED}
    assert record.header.state is CycleState.FINISHED
    assert record.header.seconds >= 60.0
