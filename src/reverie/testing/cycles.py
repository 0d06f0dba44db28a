"""What every journal must keep of cycles and dreams. Subclass; provide a `journal_url` fixture."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import StoreError, UsageError
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Deed,
    DeedKind,
    Promotion,
    PromotionStatus,
    Rollback,
    Sighting,
    Step,
    StepState,
    Trial,
)
from reverie.model.dream import MOVES, Dream, DreamKind, DreamStatus
from reverie.model.outcome import ErrorCategory, IsolationTier, TestOutcome
from reverie.model.procedure import (
    DreamMetrics,
    DreamProcedure,
    DreamTier,
    DreamType,
    Evaluation,
    FailureShare,
    GenerationRun,
    ProcedureTest,
    Tightening,
)
from reverie.model.ruling import Answer, Evidence, Judgement, Need, Ruling
from reverie.store import DreamStore, Journal
from reverie.store.browsing.people import record_deed
from reverie.store.browsing.series import load_series
from reverie.store.cycles.cycles import (
    CycleWriter,
    find_cycle,
    find_known,
    finished_sources,
    known_dreams,
    load_cycle,
    unfinished_cycle,
)
from reverie.store.cycles.promotions import record_offer, record_rollback
from reverie.store.migrations.versions.r0017_kept_counts import COUNTS
from reverie.store.tallies import COUNTED, kept, tally

_NASTY = "nul \x00 lone \ud800 é 😀 'quote' %s ? :x \u2028 \x1b[31m"
_PLACE = Path("/nowhere/repository")
_WISHES = CycleWishes(CycleBudget(seconds=1.5, executions=7), seed=3, python="/usr/bin/python3")
_STEP = Step(0, "tests", "shop", "shop.py", "hash", 1.25, CycleBudget(executions=7))
_TRIAL = Trial(
    Evidence(
        {"mutants.newly_killed": 2.0}, 3, IsolationTier.NAMESPACES, ("reverie", "guard"),
        details={"mutants.newly_killed": ("a", "b")},
    ),
    Judgement(
        (Ruling("worth", Answer.PASS, "ok", _NASTY[-20:], 2.0, "1"),), (Need.from_text("a canary"),)
    ),
    {"roi": 6.5, "raroi": 6.0},
    1.5,
    4,
)  # fmt: skip


def _dream(text: str = _NASTY) -> CycleDream:
    change = Change((FileEdit("tests/test_shop.py", None, text, mode_after="100644"),))
    dream = Dream(DreamKind.TEST, "tests", "shop", "Test shop", change, seed=3)
    return CycleDream(dream, 0, "hash", DreamStatus.PENDING_TEST)


def _header(name: str) -> CycleHeader:
    return CycleHeader(
        id=name,
        repository=str(_PLACE.resolve()),
        started_at=datetime(2024, 6, 1, 2, 0, int(name[-1]), tzinfo=UTC),
        state=CycleState.RUNNING,
        wishes=_WISHES,
        revision="0" * 40,
        environment={"notes": [_NASTY]},
    )


def kept_counts(journal: Journal) -> dict[str, list[Any]]:
    """What the journal says its counts are."""
    with journal.reading() as connection:
        return {
            name: sorted((first, second, count, total) for first, second, count, total in rows)
            for name in COUNTED
            if (rows := kept(connection, name))
        }


def counted_again(journal: Journal) -> dict[str, list[Any]]:
    """The same, counted row by row."""
    found: dict[str, list[Any]] = {}
    with journal.reading() as connection:
        for counts in COUNTS:
            query = f"{counts} GROUP BY 1, 2, 3, 4 ORDER BY 3, 4"
            for name, _, *rest in connection.exec_driver_sql(query):
                found.setdefault(name, []).append(tuple(rest))
    return found


class CycleContract:
    """Shipped, so that a backend written elsewhere is held to the same rules."""

    @pytest.fixture
    def journal_url(self) -> str:
        """An empty place for one journal."""
        raise NotImplementedError("provide the URL of the journal under test")

    @pytest.fixture
    def journal(self, journal_url: str) -> Iterator[Journal]:
        """An open journal, new for every test."""
        with Journal.open(journal_url) as journal:
            yield journal
            assert kept_counts(journal) == counted_again(journal)

    def _promoted(self, journal: Journal, name: str = "cycle-1") -> Promotion:
        """A cycle of one step, to its end."""
        writer = CycleWriter(journal, name)
        header = replace(_header(name), baseline={"tests": 3})
        writer.begin(_header(name))
        writer.plan(header, [_STEP])
        each = _dream()
        writer.dreamt(_STEP, [each], [Sighting("shop", _NASTY[-20:], {"input": _NASTY})])
        each = writer.tried(each, _TRIAL)
        writer.choose_branch("reverie/2024-06-01-1")
        promotion = Promotion(
            each.dream.id, DreamKind.TEST, "Test shop", PromotionStatus.OFFERED,
            datetime(2024, 6, 1, 3, tzinfo=UTC), branch="reverie/2024-06-01-1", commit="1" * 40,
            roi=6.5, raroi=6.0,
        )  # fmt: skip
        writer.promoted(each, promotion)
        writer.end_step(replace(_STEP, state=StepState.DONE))
        writer.conclude({"tests": 4})
        writer.spent(12.5, 40)
        writer.end(CycleState.FINISHED)
        return promotion

    def test_a_cycle_comes_back_as_it_was_written(self, journal: Journal) -> None:
        promotion = self._promoted(journal)
        record = load_cycle(journal, "cycle-1")
        header, (each,) = record.header, record.dreams
        assert (header.wishes, header.state) == (_WISHES, CycleState.FINISHED)
        assert (header.baseline, header.result) == ({"tests": 3}, {"tests": 4})
        assert (header.seconds, header.executions) == (12.5, 40)
        assert header.environment == {"notes": [_NASTY]}
        assert each.dream == _dream().dream, "every character of a change comes back"
        assert (each.trial, each.promotion) == (_TRIAL, promotion)
        assert each.status is DreamStatus.PROMOTED
        assert record.sightings[0].details == {"input": _NASTY}
        assert [step.state for step in record.steps] == [StepState.DONE]

    def test_what_was_begun_and_not_ended_is_found(self, journal: Journal) -> None:
        self._promoted(journal)
        assert unfinished_cycle(journal, _PLACE) is None
        CycleWriter(journal, "cycle-2").begin(_header("cycle-2"))
        assert unfinished_cycle(journal, _PLACE) == "cycle-2"
        assert unfinished_cycle(journal, Path("/nowhere/else")) is None

    def test_a_cycle_is_found_by_the_beginning_of_its_id(self, journal: Journal) -> None:
        self._promoted(journal)
        CycleWriter(journal, "cycle-2").begin(_header("cycle-2"))
        assert find_cycle(journal, _PLACE) == "cycle-2"
        assert find_cycle(journal, _PLACE, "cycle-1") == "cycle-1"
        for wrong in ("cycle-", "nothing", "%", "cycle_1"):
            with pytest.raises(UsageError):
                find_cycle(journal, _PLACE, wrong)

    def test_what_was_decided_is_known_to_the_others(self, journal: Journal) -> None:
        promotion = self._promoted(journal)
        known = known_dreams(journal, _PLACE, but="cycle-2")
        assert known[promotion.dream_id, "hash"].known_from == "cycle-1"
        assert finished_sources(journal, _PLACE, but="cycle-2") == {"tests hash": "cycle-1"}
        assert not known_dreams(journal, _PLACE, but="cycle-1")
        asked = promotion.dream_id, "hash"
        assert find_known(journal, _PLACE, "cycle-2", *asked) == known[asked]
        assert find_known(journal, _PLACE, "cycle-1", *asked) is None
        assert find_known(journal, _PLACE, "cycle-2", promotion.dream_id, "other") is None
        assert not finished_sources(journal, Path("/nowhere/else"), but="")

    def test_counts_follow_what_people_do_about_a_dream(self, journal: Journal) -> None:
        promotion = self._promoted(journal)
        self._promoted(journal, "cycle-2")
        now = datetime(2024, 6, 2, tzinfo=UTC)
        told = ("Ada", "0" * 64, "no", "{}", now)
        record_rollback(journal, "cycle-1", Rollback(promotion.dream_id, None, None, now), "no")
        assert kept_counts(journal) == counted_again(journal)
        record_offer(journal, "cycle-1", promotion)
        record_deed(journal, "cycle-2", Deed(DeedKind.REJECTION, promotion.dream_id, *told))
        found = kept_counts(journal)
        assert found == counted_again(journal)
        assert found["modules"] == [("shop", "promoted", 1, 0.0), ("shop", "rejected", 1, 0.0)]
        assert found["promotion_roi"] == [("test", "", 2, 13.0)]

    def test_what_was_taken_back_is_neither_listed_nor_counted(self, journal: Journal) -> None:
        """A promotion that is no more is worth nothing, and only its taking back is told."""
        promotion = self._promoted(journal)
        now = datetime(2024, 6, 2, tzinfo=UTC)
        record_rollback(journal, "cycle-1", Rollback(promotion.dream_id, None, None, now), "no")
        record = load_cycle(journal, "cycle-1")
        assert record.promotions == ()
        assert [each.dream.id for each in record.ever_promoted] == [promotion.dream_id]
        with journal.reading() as connection:
            assert [each.value for each in tally(connection)["promotion_roi"]] == [0.0]
        (point,) = load_series(journal, _PLACE)
        assert (point.promoted, point.roi) == (0, None)

    def test_a_step_that_is_not_there_is_an_error_and_changes_nothing(
        self, journal: Journal
    ) -> None:
        writer = CycleWriter(journal, "cycle-1")
        writer.begin(_header("cycle-1"))
        with pytest.raises(StoreError):
            writer.dreamt(_STEP, [_dream()], [])
        assert load_cycle(journal, "cycle-1").dreams == ()


_MOMENT = datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)


def procedure(number: int = 0, **changed: object) -> DreamProcedure:
    """A dream that differs from every other number's."""
    dream = DreamProcedure(
        code=f"def double(x):\n    return {number} + 2 * x\n",
        entry="double",
        dream_type=DreamType.PARAMETER_EXPLORATION,
        dreamer="parameters/integer",
        title="Doubles",
        base_procedure="numbers:double",
        base_code="def double(x):\n    return 2 * x\n",
        repository="/nowhere",
        import_roots=("/nowhere/src",),
        details={"line": 2, "after": "3"},
        novelty_score=0.25,
        created_at=_MOMENT,
    )
    return replace(dream, **changed)  # type: ignore[arg-type]


class DreamContract:
    """Shipped, so that a backend written elsewhere is held to the same rules."""

    @pytest.fixture
    def journal_url(self) -> str:
        """An empty place for one journal."""
        raise NotImplementedError("provide the URL of the journal under test")

    @pytest.fixture
    def store(self, journal_url: str) -> Iterator[DreamStore]:
        """A dream store on a new journal."""
        with Journal.open(journal_url) as journal:
            yield DreamStore(journal)

    def test_a_dream_comes_back_as_it_was_stored(self, store: DreamStore) -> None:
        dream = procedure(cross_project_matches=3, run_id=None)
        number = asyncio.run(store.store_dream(dream))
        assert asyncio.run(store.get_dream(number)) == replace(dream, id=number)

    def test_nasty_text_is_made_fit_instead_of_refused(self, store: DreamStore) -> None:
        number = asyncio.run(store.store_dream(procedure(title=_NASTY, code=_NASTY)))
        found = asyncio.run(store.get_dream(number))
        assert (
            found.title
            == found.code
            == _NASTY.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
        )

    def test_the_same_dream_is_stored_once(self, store: DreamStore) -> None:
        batch = [procedure(1), procedure(2), procedure(1)]
        first, second, again = asyncio.run(store.store_dreams_batch(batch))
        assert first == again != second
        assert asyncio.run(store.store_dream(procedure(2, title="other words"))) == second
        assert len(asyncio.run(store.list_dreams())) == 2

    def test_dreams_are_found_by_what_they_are(self, store: DreamStore) -> None:
        dreams = [
            procedure(1, novelty_score=0.9),
            procedure(2, dream_type=DreamType.GENERATED, cross_project_matches=2),
            procedure(3, base_procedure="numbers:half", novelty_score=None),
        ]
        one, two, three = asyncio.run(store.store_dreams_batch(dreams))

        def ids(found: list[DreamProcedure]) -> list[int | None]:
            return [each.id for each in found]

        assert ids(asyncio.run(store.get_by_type(DreamType.GENERATED))) == [two]
        assert ids(asyncio.run(store.get_by_base("numbers:half"))) == [three]
        assert ids(asyncio.run(store.get_high_novelty())) == [one]
        assert ids(asyncio.run(store.get_cross_project(2))) == [two]
        assert ids(asyncio.run(store.get_by_tier(DreamTier.VIABLE))) == []
        assert ids(asyncio.run(store.get_by_status(DreamStatus.PENDING_EVALUATION))) == [
            one,
            two,
            three,
        ]
        assert ids(asyncio.run(store.list_dreams(limit=2))) == [three, two]

    def test_only_the_moves_that_exist_are_made(self, store: DreamStore) -> None:
        async def try_all() -> None:
            for number, (before, after) in enumerate(product(DreamStatus, repeat=2)):
                dream_id = await store.store_dream(procedure(number, status=before))
                if after is before or after in MOVES[before]:
                    assert (await store.move(dream_id, after)).status is after
                    continue
                stale = replace(await store.get_dream(dream_id), status=after)
                for attempt in (store.move(dream_id, after), store.update_dream(stale)):
                    with pytest.raises(UsageError, match=f"{before} cannot become {after}"):
                        await attempt
                assert (await store.get_dream(dream_id)).status is before

        asyncio.run(try_all())

    def test_evaluating_into_tier_1_puts_a_dream_before_its_test(self, store: DreamStore) -> None:
        ids = asyncio.run(store.store_dreams_batch([procedure(n) for n in range(3)]))
        told = zip(ids, (0.6, 0.3, 0.29), strict=True)
        judged = [
            asyncio.run(
                store.evaluate(Evaluation(each, seen, DreamTier.of(seen), "because"), "a person")
            )
            for each, seen in told
        ]
        assert [each.tier for each in judged] == list(DreamTier)
        assert [each.status for each in judged] == [
            DreamStatus.PENDING_TEST,
            DreamStatus.EVALUATED,
            DreamStatus.EVALUATED,
        ]
        assert asyncio.run(store.get_dream(ids[0])) == judged[0]
        with pytest.raises(UsageError, match="past its evaluation"):
            asyncio.run(
                store.evaluate(Evaluation(ids[0], 0.1, DreamTier.ARCHIVE, "late"), "a person")
            )
        raised = Evaluation(ids[1], 0.9, DreamTier.VIABLE, "on second thoughts")
        assert asyncio.run(store.evaluate(raised, "a person")).status is DreamStatus.PENDING_TEST

    def test_an_unknown_dream_is_a_usage_error(self, store: DreamStore) -> None:
        for question in (store.get_dream(99), store.move(99, DreamStatus.EVALUATED)):
            with pytest.raises(UsageError, match="no dream 99"):
                asyncio.run(question)
        with pytest.raises(UsageError, match="never stored"):
            asyncio.run(store.update_dream(procedure()))

    def test_counts_and_statistics_are_of_what_is_there(self, store: DreamStore) -> None:
        empty = asyncio.run(store.get_statistics())
        assert empty["total_dreams"] == empty["tier1_test_count"] == 0
        assert empty["average_novelty"] is empty["tier1_test_success_rate"] is None
        tested = {"status": DreamStatus.TESTED, "tier": DreamTier.VIABLE, "viability_score": 0.8}
        dreams = [
            procedure(1, **tested, test_outcome=TestOutcome.SUCCESS),
            procedure(2, **tested, test_outcome=TestOutcome.TIMEOUT),
            procedure(3, novelty_score=0.75),
        ]
        asyncio.run(store.store_dreams_batch(dreams))
        found = asyncio.run(store.get_statistics())
        assert found["total_dreams"] == 3
        assert found["by_status"] == {"tested": 2, "pending_evaluation": 1}
        assert found["by_tier"] == {"viable": 2}
        assert found["by_type"] == {"parameter_exploration": 3}
        assert (found["tier1_test_count"], found["tier1_test_success_rate"]) == (2, 0.5)
        assert found["average_viability"] == pytest.approx(0.8)
        assert found["high_novelty"] == 1
        assert asyncio.run(store.count_by_status())[DreamStatus.TESTED] == 2
        assert asyncio.run(store.count_by_tier())[DreamTier.ARCHIVE] == 0
        assert asyncio.run(store.count_by_type())[DreamType.GENERATED] == 0
        assert asyncio.run(store.test_record_by_dreamer()) == {"parameters/integer": (1, 2)}

    def test_generation_runs_come_back_newest_first(self, store: DreamStore) -> None:
        run = GenerationRun(
            _MOMENT, "light", 7, "/nowhere", 1.5, {"a": 3}, {"a": 2}, {"twin": 1}, {"a/b": (1, 2)}
        )
        numbers = [asyncio.run(store.store_generation_run(run)) for _ in range(2)]
        found = asyncio.run(store.get_generation_runs())
        assert found == [replace(run, id=number) for number in reversed(numbers)]
        changed = replace(found[0], seconds=2.0)
        asyncio.run(store.update_generation_run(changed))
        assert asyncio.run(store.get_generation_runs(limit=1)) == [changed]

    def test_a_test_comes_back_with_its_failures(self, store: DreamStore) -> None:
        dream_id = asyncio.run(store.store_dream(procedure()))
        met = (
            FailureShare("ab12", ErrorCategory.TYPE, "TypeError: no", 3),
            FailureShare("cd34", ErrorCategory.RUNTIME, "KeyError: 1", 1),
        )
        bad = ProcedureTest(
            dream_id, _MOMENT, TestOutcome.TYPE_ERROR, 5, 1, 1, 0, 0, 4, 1.25, 0.2, 0.5, "no", met
        )
        good = replace(bad, outcome=TestOutcome.SUCCESS, failures=(), error=None)
        first, second = (asyncio.run(store.record_test(each)) for each in (bad, good))
        bad, good = replace(bad, id=first), replace(good, id=second)
        assert asyncio.run(store.get_tests(dream_id)) == [good, bad]
        assert asyncio.run(store.get_tests(limit=1)) == [good]
        assert asyncio.run(store.get_failures()) == [bad]

    def test_metrics_make_a_trend(self, store: DreamStore) -> None:
        metrics = DreamMetrics(
            _MOMENT, 3, {"viable": 1}, 0.5, 1, None, None, 0, None, 1.5,
            {"novelty": 0.4, "quality": None}, 0.4, ("quality",),
        )  # fmt: skip
        later = replace(metrics, measured_at=_MOMENT + timedelta(days=1), total=4)
        for each in (metrics, later):
            asyncio.run(store.record_metrics(each))
        assert asyncio.run(store.get_metrics()) == [later, metrics]
        assert asyncio.run(store.get_metrics(since=later.measured_at)) == [later]

    def test_a_lifted_tightening_stays_to_be_seen(self, store: DreamStore) -> None:
        tight = Tightening("parameters/integer", 0.5, "no_zero", {"failed": 4}, _MOMENT)
        number = asyncio.run(store.store_tightening(tight))
        assert asyncio.run(store.get_tightenings()) == [replace(tight, id=number)]
        asyncio.run(store.lift_tightening(number))
        assert asyncio.run(store.get_tightenings()) == []
        (seen,) = asyncio.run(store.get_tightenings(in_force=False))
        assert not seen.is_in_force
        with pytest.raises(UsageError, match="number 99"):
            asyncio.run(store.lift_tightening(99))
