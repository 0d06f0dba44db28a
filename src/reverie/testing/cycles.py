"""What every journal must keep of a cycle. Subclass it and provide a `journal_url` fixture."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from reverie.errors import StoreError, UsageError
from reverie.model.approval import Need
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import (
    CycleBudget,
    CycleDream,
    CycleHeader,
    CycleState,
    CycleWishes,
    Sighting,
    Step,
    StepState,
    Trial,
)
from reverie.model.deed import Deed, DeedKind
from reverie.model.dream import Dream, DreamKind, DreamStatus
from reverie.model.evidence import Evidence
from reverie.model.outcome import IsolationTier
from reverie.model.promotion import Promotion, PromotionStatus, Rollback
from reverie.model.ruling import Answer, Judgement, Ruling
from reverie.store import Journal
from reverie.store.browsing.people import record_deed
from reverie.store.browsing.series import load_series
from reverie.store.cycle_queries import (
    find_cycle,
    find_known,
    finished_sources,
    known_dreams,
    load_cycle,
    unfinished_cycle,
)
from reverie.store.cycles import CycleWriter
from reverie.store.kept_tallies import COUNTED, kept
from reverie.store.migrations.versions.r0017_kept_counts import COUNTS
from reverie.store.promotions import record_offer, record_rollback
from reverie.store.tallies import tally

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
