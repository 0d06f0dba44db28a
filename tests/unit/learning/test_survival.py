"""Which promotions survived, and what is learned from that."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.learning.weights.trainer import WATCHED, survived
from reverie.model.cycle import PromotionStatus
from reverie.model.repository.candidate import Commit, FileTouch, History, TouchKind
from reverie.store import Journal, journal_url
from reverie.store.cycles.worth import Training, load_trainings, record_training, weights_in_force

OFFERED = datetime(2026, 1, 1, tzinfo=UTC)


def commit(days: float, message: str, path: str = "shop.py") -> Commit:
    at = int((OFFERED + timedelta(days=days)).timestamp())
    touch = FileTouch(path, TouchKind.MODIFIED)
    return Commit("0" * 40, at, "Ada", "a@x", message, False, (touch,))


def history(*commits: Commit, days: float = 40) -> History:
    return History("0" * 40, int((OFFERED + timedelta(days=days)).timestamp()), commits)


def is_fix(each: Commit) -> bool:
    return each.message == "fix"


@pytest.mark.parametrize(
    ("status", "past", "told"),
    [
        (PromotionStatus.ROLLED_BACK, history(), False),
        (PromotionStatus.ROLLED_BACK, None, False),
        (PromotionStatus.OFFERED, history(), None),
        (PromotionStatus.MERGED, None, None),
        (PromotionStatus.MERGED, history(), True),
        (PromotionStatus.MERGED, history(days=29), None),
        (PromotionStatus.MERGED, history(days=30), True),
        (PromotionStatus.MERGED, history(commit(5, "fix")), False),
        (PromotionStatus.MERGED, history(commit(5, "fix"), days=6), False),
        (PromotionStatus.MERGED, history(commit(30, "fix")), False),
        (PromotionStatus.MERGED, history(commit(31, "fix")), True),
        (PromotionStatus.MERGED, history(commit(-1, "fix")), True),
        (PromotionStatus.MERGED, history(commit(5, "more")), True),
        (PromotionStatus.MERGED, history(commit(5, "fix", "till.py")), True),
    ],
)
def test_whether_a_promotion_survived(
    status: PromotionStatus, past: History | None, told: bool | None
) -> None:
    assert survived(status, OFFERED, ("shop.py", "price.py"), past, is_fix) is told


def test_a_promotion_is_watched_for_thirty_days() -> None:
    assert timedelta(days=30) == WATCHED


def test_the_last_training_is_in_force(tmp_path: Path) -> None:
    with Journal.open(journal_url(tmp_path)) as journal:
        assert weights_in_force(journal, tmp_path) == {}
        for weight, n in ((1.5, 40), (2.0, 50)):
            training = Training("dqn", {"mutants": weight}, True, "better", n, 0.7, 0.6)
            record_training(journal, tmp_path, training)
        assert weights_in_force(journal, tmp_path) == {"mutants": 2.0}
        assert weights_in_force(journal, tmp_path / "other") == {}
        found = load_trainings(journal, tmp_path)
        assert [(each.n, each.learner, each.loss_after) for each in found] == [
            (50, "dqn", 0.6),
            (40, "dqn", 0.6),
        ]
        assert len(load_trainings(journal, tmp_path, limit=1)) == 1
