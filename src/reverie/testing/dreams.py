"""What every journal must keep of dreams. Subclass it and provide a `journal_url` fixture."""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from reverie.errors import UsageError
from reverie.model.dream import DreamStatus
from reverie.model.dream_moves import MOVES
from reverie.model.evaluation import Evaluation
from reverie.model.outcome import ErrorCategory, TestOutcome
from reverie.model.procedure import (
    DreamMetrics,
    DreamProcedure,
    DreamTier,
    DreamType,
    FailureShare,
    GenerationRun,
    ProcedureTest,
    Tightening,
)
from reverie.store import DreamStore, Journal

_NASTY = "nul \x00 lone \ud800 é 😀 'quote' %s ? :x \u2028 \x1b[31m"
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
        with pytest.raises(UsageError, match="tightenings 99"):
            asyncio.run(store.lift_tightening(99))
