"""A night over several stages: shares, and each stage on the ground of those before it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie.bootstrap.cycles import Cycle
from reverie.cycle.phases import begun, in_ground, left_over, tip_of
from reverie.cycle.planning import TAKEN_UP
from reverie.cycle.report.document import cycle_document
from reverie.cycle.running import CycleRun, Phase
from reverie.cycle.stage_shares import (
    FLOORS,
    Share,
    Spent,
    budget_of,
    is_worth_beginning,
    least_seconds,
    share_out,
)
from reverie.cycle.workshop import Surveyed
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Earned,
    Promotion,
    Step,
    StepState,
)
from reverie.model.dream import DreamKind, Stage
from reverie.model.settings.cycle import CycleSection
from reverie.stages.dreamer import Allowance, Dreamt
from reverie.store import Journal, journal_url
from reverie.testing.workshop import ScriptedWorkshop

KINDS = {Stage.A: DreamKind.TEST, Stage.B: DreamKind.REFACTOR, Stage.C: DreamKind.OPTIMISATION}
NIGHT = (Stage.A, Stage.B, Stage.C)
EQUAL = tuple(Share(stage, 1.0, "as it is") for stage in NIGHT)
WISHES = CycleWishes(CycleBudget(executions=900), stage=None)


@given(
    seed=st.integers(0, 1000),
    past=st.dictionaries(
        st.sampled_from(NIGHT),
        st.builds(Earned, st.integers(0, 50), st.floats(0, 10_000)),
    ),
)
def test_shares_are_parts_of_one_and_nobody_starves(seed: int, past: dict[Stage, Earned]) -> None:
    shares = share_out(NIGHT, past, seed)
    assert [each.stage for each in shares] == list(NIGHT)
    assert sum(each.part for each in shares) == pytest.approx(1)
    assert all(each.part >= FLOORS[each.stage] for each in shares)
    assert shares == share_out(NIGHT, past, seed)


def test_time_goes_where_it_has_earned_most() -> None:
    past = {
        Stage.A: Earned(0, 3000.0),
        Stage.B: Earned(40, 1000.0),
        Stage.C: Earned(0, 3000.0),
    }
    for seed in range(20):
        tests, refactorings, speed = share_out(NIGHT, past, seed)
        assert refactorings.part > 2 * max(tests.part, speed.part)
        assert refactorings.reason == "40 proven in 1000 s so far"


def test_a_short_night_is_for_tests_and_the_others_get_what_is_left_over() -> None:
    tests, *others = share_out(NIGHT, seconds=30.0)
    assert (tests.stage, tests.part) == (Stage.A, 1.0)
    assert [(each.stage, each.part) for each in others] == [(Stage.B, 0.0), (Stage.C, 0.0)]
    whole = (Stage.INTEGRATION, *NIGHT, Stage.D)
    shares = share_out(whole, seconds=30.0)
    assert [each.stage for each in shares] == [Stage.A, Stage.INTEGRATION, *NIGHT[1:], Stage.D]


@given(seed=st.integers(0, 1000), seconds=st.floats(20.0, 2000.0))
def test_a_stage_has_enough_to_begin_with_or_waits(seed: int, seconds: float) -> None:
    shares = share_out(NIGHT, seed=seed, seconds=seconds)
    with_part = [each for each in shares if each.part]
    enough = [each.part * seconds + 1e-6 >= least_seconds(each.stage) for each in with_part]
    assert all(enough) or len(with_part) == 1
    assert sum(each.part for each in shares) == pytest.approx(1)
    assert with_part[0].stage is Stage.A
    assert {each.stage for each in shares} == set(NIGHT)


def test_a_night_of_a_minute_and_a_half_is_about_more_than_tests() -> None:
    for seed in range(20):
        shares = share_out(NIGHT, seed=seed, seconds=90.0)
        assert len([each for each in shares if each.part]) >= 2


def test_what_tests_leave_over_of_a_short_night_is_enough_for_the_next_to_begin_with() -> None:
    whole, shares = CycleBudget(seconds=38.0), share_out(NIGHT, seconds=38.0)
    assert budget_of(whole, Spent(), shares, Stage.A).seconds == 38.0
    early = Spent(seconds=20.0)
    assert is_worth_beginning(whole, early, Stage.B)
    assert budget_of(whole, early, shares, Stage.B).seconds == 38.0
    assert not is_worth_beginning(whole, Spent(30.0), Stage.C)


def test_a_recovery_finds_the_stage_that_was_begun_however_short_the_night(tmp_path: Path) -> None:
    cycle = Cycle(tmp_path, seconds=60.0)
    assert cycle._shares(None, cycle.wishes)[0].stage is Stage.A
    again = cycle._shares(None, cycle.wishes, (Stage.B,))
    assert all(each.part for each in again)


def test_what_a_stage_leaves_over_is_shared_out_again() -> None:
    whole = CycleBudget(seconds=300.0, executions=90, dreams=9)
    assert budget_of(whole, Spent(), EQUAL, Stage.A) == CycleBudget(100.0, 30, 3)
    early = Spent(seconds=20.0, executions=10, dreams=1)
    assert budget_of(whole, early, EQUAL, Stage.B) == CycleBudget(160.0, 40, 4)
    assert budget_of(whole, early, EQUAL, Stage.C) == CycleBudget(300.0, 80, 8)


def test_a_single_change_goes_to_the_first_stage() -> None:
    whole = CycleBudget(dreams=1)
    assert budget_of(whole, Spent(), EQUAL, Stage.A).dreams == 1
    assert not is_worth_beginning(whole, Spent(dreams=1), Stage.B)


@dataclass(slots=True)
class Staged(ScriptedWorkshop):
    """Dreams of one stage; a promotion is a commit."""

    stage: Stage = Stage.A
    closed: list[int] = field(default_factory=list)

    def dream(self, step: Step, allowance: Allowance) -> Dreamt:
        dreamt = ScriptedWorkshop.dream(self, step, allowance)
        kind = KINDS[self.stage]
        return replace(dreamt, dreams=tuple(replace(each, kind=kind) for each in dreamt.dreams))

    def promote(self, each: CycleDream, header: CycleHeader) -> Promotion:
        made = ScriptedWorkshop.promote(self, each, header)
        return replace(made, commit=f"{self.stage}-{each.dream.module}")

    def close_up(self, header, dreams):  # type: ignore[no-untyped-def]
        self.closed.append(len(dreams))
        return ScriptedWorkshop.close_up(self, header, dreams)


@dataclass(slots=True)
class Depending(Staged):
    """Each stage has a dreamer of its own, and sources have other hashes where tests came in."""

    def survey(self) -> Surveyed:
        found = ScriptedWorkshop.survey(self)
        return replace(
            found,
            targets=tuple(
                replace(
                    each,
                    dreamer=f"dreams of {self.stage}",
                    source_hash=f"{each.source_hash} at {self.revision}",
                    content_hash=each.module,
                )
                for each in found.targets
            ),
        )


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield journal


@dataclass(slots=True)
class House:
    """Opens a workshop for every stage, and remembers at which revision."""

    folder: Path
    kind: type[Staged] = Staged
    opened: list[tuple[Stage, str | None]] = field(default_factory=list)
    shops: list[Staged] = field(default_factory=list)

    @contextmanager
    def open(self, stage: Stage, revision: str | None) -> Iterator[Phase]:
        self.opened.append((stage, revision))
        place = self.folder / stage.value
        place.mkdir(exist_ok=True)
        self.shops.append(self.kind(place, modules=3, revision=revision, stage=stage))
        yield Phase(self.shops[-1], workers=1)


def run_of(journal: Journal, house: House, stage: Stage, revision: str | None) -> CycleRun:
    place = house.folder / stage.value
    place.mkdir(exist_ok=True)
    first = house.kind(place, modules=3, revision=revision, stage=stage)
    house.shops.append(first)
    return CycleRun(
        journal,
        house.folder,
        first,
        CycleSection(),
        workers=1,
        shares=EQUAL,
        open_phase=house.open,
    )


def test_each_stage_stands_on_what_those_before_it_promoted(
    journal: Journal, tmp_path: Path
) -> None:
    house = House(tmp_path)
    record = run_of(journal, house, Stage.A, "start").begin(WISHES)
    assert record.header.state is CycleState.FINISHED
    assert house.opened == [(Stage.B, "A-m02"), (Stage.C, "B-m02")]
    kinds = [each.dream.kind for each in record.promotions]
    assert kinds == [kind for kind in KINDS.values() for _ in range(2)]
    assert len({each.promotion.branch for each in record.promotions if each.promotion}) == 1
    assert [step.position for step in record.steps] == list(range(9))
    assert record.header.revision == "start"
    assert house.shops[-1].closed == [2], "what the ground has is not laid out again"
    assert all(shop.abandoned.is_set() for shop in house.shops[:-1])


def test_a_night_that_was_stopped_goes_on_at_its_stage(journal: Journal, tmp_path: Path) -> None:
    house = House(tmp_path)
    run = run_of(journal, house, Stage.A, "start")

    def watch(glance: object) -> None:
        if house.opened and house.shops[-1].executions:
            run.stop.set()

    run.watch = watch
    first = run.begin(WISHES)
    assert first.header.state is CycleState.INTERRUPTED
    stage, revision = begun(first)
    assert (stage, revision) == (Stage.B, "A-m02")
    again = House(tmp_path)
    whole = run_of(journal, again, stage, revision).recover(first)
    assert whole.header.state is CycleState.FINISHED
    assert [stage for stage, _ in again.opened] == [Stage.C]
    assert len(whole.dreams) == 9
    assert len(in_ground(whole)) == 4


def test_what_a_stage_had_no_time_for_is_taken_up_with_what_the_others_left_over(
    journal: Journal, tmp_path: Path
) -> None:
    """Each stage gets half of the time, half of it for dreaming: enough for one module."""
    house = House(tmp_path)
    run = run_of(journal, house, Stage.B, "start")
    run.section = CycleSection(least_seconds=40.0)
    run.shares = EQUAL[1:]
    record = run.begin(replace(WISHES, budget=CycleBudget(seconds=200.0)))
    opened = [stage for stage, _ in house.opened]
    assert opened[:3] == [Stage.C, Stage.B, Stage.C]
    first = record.steps[:3]
    assert [step.state for step in first] == [StepState.DONE, *[StepState.SKIPPED] * 2]
    assert {step.note for step in first[1:]} == {TAKEN_UP}
    done = [step.module for step in record.steps if step.state is StepState.DONE]
    assert sorted(done) == sorted(["m00", "m01", "m02"] * 2), "each module once at each stage"
    assert not left_over(record)
    assert cycle_document(record)["skipped"] == []


def test_what_new_tests_of_the_night_protect_is_tried_again(
    journal: Journal, tmp_path: Path
) -> None:
    """An earlier night looked at the same code from the same commit, without those tests."""
    alone = run_of(journal, House(tmp_path, Depending), Stage.B, "start")
    alone.shares = ()
    alone.workshop.environment = {"source": "what it offers is no file of the next"}  # type: ignore[misc]
    alone.begin(replace(WISHES, stage=Stage.B))
    record = run_of(journal, House(tmp_path, Depending), Stage.A, "start").begin(WISHES)
    assert {
        each.dream.module for each in record.promotions if each.dream.kind is DreamKind.TEST
    } == {
        "m01",
        "m02",
    }
    again = [step for step in record.steps if step.dreamer == "dreams of B"]
    assert {step.module: step.state for step in again} == {
        "m00": StepState.SKIPPED,
        "m01": StepState.DONE,
        "m02": StepState.DONE,
    }


def test_promotions_on_branches_of_their_own_have_no_tip(journal: Journal, tmp_path: Path) -> None:
    record = run_of(journal, House(tmp_path), Stage.A, "start").begin(WISHES)
    tests = record.promotions[:2]
    assert tip_of(tests) == "A-m02"
    other = replace(tests[0].promotion, branch="another") if tests[0].promotion else None
    assert tip_of([replace(tests[0], promotion=other), tests[1]]) is None
    assert tip_of([]) is None
