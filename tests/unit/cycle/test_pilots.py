"""A dream on the border: queued, piloted, or left as it is."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reverie.cycle.governing import TIMES, Pilots
from reverie.learning.deployment_governance import BorderlineBucket
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Ruling

DREAM = Dream(
    DreamKind.TEST, "tests", "shop", "Test shop",
    Change((FileEdit("tests/test_shop.py", None, "x = 1\n", mode_after="100644"),)), seed=3,
)  # fmt: skip


def trial(answer: Answer, raroi: float | None = 5.0) -> Trial:
    evidence = Evidence({}, 3, IsolationTier.NONE, ())
    score = {} if raroi is None else {"roi": raroi, "raroi": raroi}
    return Trial(evidence, Judgement((Ruling("g", answer, "c", "r"),)), score, 1.0, 1)


@pytest.fixture
def piloting(tmp_path: Path) -> Callable:
    def make(mode: str, found: Trial) -> tuple[Pilots, list[tuple[int, int]]]:
        asked: list[tuple[int, int]] = []

        def prove(dream: Dream, seed: int, times: int) -> Trial:
            asked.append((seed, times))
            return found

        return Pilots(BorderlineBucket(tmp_path / "b.jsonl", mode), prove, 5, 0.0, 0.5), asked

    return make


def test_a_pilot_that_proves_it_takes_the_place_of_the_trial(piloting: Callable) -> None:
    proven = trial(Answer.PASS)
    pilots, asked = piloting("auto", proven)
    assert pilots.settle(DREAM, trial(Answer.HOLD)) is proven
    assert asked == [(3 + 7919, TIMES)]
    (known,) = pilots.bucket.candidates().values()
    assert (known.status, known.confidence, known.raroi) == ("promoted", 0.8, (5.0, 5.0))


@pytest.mark.parametrize(
    "found", [trial(Answer.HOLD), trial(Answer.FAIL), trial(Answer.PASS, -1.0)], ids=str
)
def test_any_other_pilot_ends_the_candidate(piloting: Callable, found: Trial) -> None:
    pilots, _ = piloting("auto", found)
    before = trial(Answer.HOLD)
    assert pilots.settle(DREAM, before) is before
    assert pilots.bucket.candidates()[DREAM.id].status == "terminated"


def test_the_queue_only_queues_and_off_does_nothing(piloting: Callable) -> None:
    for mode, waiting in (("queue", 1), ("off", 0)):
        pilots, asked = piloting(mode, trial(Answer.PASS))
        pilots.bucket._path.unlink(missing_ok=True)
        before = trial(Answer.HOLD)
        assert pilots.settle(DREAM, before) is before
        assert (len(pilots.bucket.waiting()), asked) == (waiting, [])


def test_what_is_decided_or_was_not_measured_is_no_candidate(piloting: Callable) -> None:
    pilots, asked = piloting("auto", trial(Answer.PASS))
    for before in (trial(Answer.PASS), trial(Answer.FAIL), trial(Answer.HOLD, None)):
        assert pilots.settle(DREAM, before) is before
    assert (asked, pilots.bucket.candidates()) == ([], {})
