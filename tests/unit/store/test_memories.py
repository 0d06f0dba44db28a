"""Everything else that a journal keeps comes back from either kind of database as it went in."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reverie.errors import StoreError, UsageError
from reverie.model.cycle import PromotionStatus, Rollback
from reverie.model.events import Observation
from reverie.model.measurements.benchmark import Estimate
from reverie.model.measurements.equivalence import Canary, CanaryPlan, CanaryState
from reverie.model.repository.environment import Opinion, Verdict
from reverie.model.ruling import Approval
from reverie.model.workflow_evolution import Interaction, SynergyKind
from reverie.store import Journal
from reverie.store.cycles.cycles import known_dreams
from reverie.store.cycles.findings import (
    ask_to_stop,
    find_canary,
    load_opinions,
    record_canary,
    record_verdict,
    update_canary,
)
from reverie.store.cycles.measures import (
    ForesightMemory,
    load_decisions,
    observe,
    observed,
    record_decision,
)
from reverie.store.cycles.promotions import (
    BranchCommit,
    commits_by_branch,
    find_offered,
    load_approvals,
    load_offered,
    load_overrides,
    record_approval,
    record_override,
    record_rollback,
    tally_of,
    used_branches,
    waiting_dreams,
)
from reverie.store.cycles.repositories import latest_cycles, latest_health
from reverie.store.cycles.worth import (
    Training,
    load_interactions,
    load_trainings,
    load_worths,
    record_interactions,
    record_training,
    weights_in_force,
)
from reverie.store.decided import load_put_forward
from reverie.testing.cycles import CycleContract

HERE = Path("/nowhere/repository")
ELSEWHERE = Path("/somewhere/else")
NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


@pytest.fixture
def journal(any_url: str) -> Iterator[Journal]:
    with Journal.open(any_url) as journal:
        yield journal


def test_canaries(journal: Journal) -> None:
    canary = Canary("abc", "a.py:f", "b.py:f", None, CanaryPlan(), CanaryState.RUNNING, NOW)
    record_canary(journal, HERE, canary)
    assert ask_to_stop(journal, canary)
    update_canary(journal, canary)
    assert find_canary(journal, HERE, "ab").state is CanaryState.STOPPING
    assert not ask_to_stop(journal, canary)
    with pytest.raises(UsageError):
        find_canary(journal, ELSEWHERE, None)


def test_foresight_and_decisions(journal: Journal) -> None:
    ours, theirs = ForesightMemory(journal, HERE, "cycle-1"), ForesightMemory(journal, ELSEWHERE)
    ours.append("shop", 0, {"roi_delta": 1.5})
    ours.append("shop", 1, {"roi_delta": -2})
    theirs.append("shop", 0, {"roi_delta": 9})
    assert ours.load() == {"shop": [{"roi_delta": 1.5}, {"roi_delta": -2}]}
    assert (ours.has_recorded("cycle-1"), ours.has_recorded("cycle-2")) == (True, False)
    ours.forget("shop")
    assert (ours.load(), theirs.load()) == ({}, {"shop": [{"roi_delta": 9}]})
    for number in range(3):
        record_decision(journal, f"m{number}", {"verdict": "pilot", "n": number})
    assert [each["n"] for each in load_decisions(journal, limit=2)] == [2, 1]


def test_observations(journal: Journal) -> None:
    observe(journal, "orphans", [Observation(1, {"a": "x"}), Observation(2, {"a": "y"})])
    observe(journal, "orphans", [Observation(3.5, {"a": "x", "b": "\x00"})], of={"a": "x"})
    with journal.reading() as connection:
        seen = observed(connection)["orphans"]
    assert {each.value for each in seen} == {2.0, 3.5}


def test_overrides_verdicts_and_interactions(journal: Journal) -> None:
    for envelope in (b"{1}", b"{2}"):
        record_override(journal, HERE, "shop", envelope)
    assert load_overrides(journal, HERE) == (b"{1}", b"{2}")
    assert load_overrides(journal, ELSEWHERE) == ()
    for minute, opinion in enumerate((Opinion.FEATURE, Opinion.BUG)):
        record_verdict(journal, HERE, Verdict("s", opinion, NOW + timedelta(minutes=minute)))
    assert load_opinions(journal, HERE) == {"s": Opinion.BUG}
    found = (
        Interaction("a", "b", "roi", Estimate(3.5, 1.25, 6.0), SynergyKind.REINFORCING, 3),
        Interaction("a", "c", "roi", None, SynergyKind.UNKNOWN, 1),
    )
    record_interactions(journal, "cycle-1", found)
    assert load_interactions(journal, "cycle-1") == found


def test_trainings(journal: Journal) -> None:
    assert weights_in_force(journal, HERE) == {}
    for weight in (1.0, 2.5):
        record_training(journal, HERE, Training("dqn", {"mutants": weight}, True, "better", 9))
    assert weights_in_force(journal, HERE) == {"mutants": 2.5}
    newest, oldest = load_trainings(journal, HERE)
    assert (newest.replaced, newest.loss_before, oldest.weights) == (True, None, {"mutants": 1.0})


def test_what_became_of_promotions(journal: Journal) -> None:
    promotion = CycleContract()._promoted(journal)
    dream_id = promotion.dream_id
    assert [each.is_rejected for each in load_put_forward(journal, HERE)] == [False]
    approvals = [Approval(dream_id, name, name * 64, "{}", NOW) for name in ("a", "b")]
    for approval in approvals:
        record_approval(journal, "cycle-1", approval)
    assert load_approvals(journal, "cycle-1", dream_id) == tuple(approvals)
    assert find_offered(journal, HERE, dream_id[:6]).each.promotion == promotion
    rollback = Rollback(dream_id, promotion.branch, "2" * 40, NOW)
    record_rollback(journal, "cycle-1", rollback, "slower")
    assert [each.promotion.status for each in load_offered(journal, HERE)] == [  # type: ignore[union-attr]
        PromotionStatus.ROLLED_BACK
    ]
    assert [each.is_rejected for each in load_put_forward(journal, HERE)] == [True]
    assert commits_by_branch(journal, HERE, [promotion.branch or "", "other"]) == {
        promotion.branch: [
            BranchCommit("1" * 40, PromotionStatus.ROLLED_BACK),
            BranchCommit("2" * 40, None),
        ]
    }
    assert commits_by_branch(journal, HERE, ["other"]) == {}
    assert used_branches(journal, HERE) == {promotion.branch}
    assert used_branches(journal, HERE / "elsewhere") == used_branches(None, HERE) == frozenset()
    with pytest.raises(StoreError):
        record_rollback(journal, "cycle-9", rollback, "never offered")


def test_worths_and_what_waits(journal: Journal) -> None:
    promotion = CycleContract()._promoted(journal)
    (worth,) = load_worths(journal, HERE)
    assert (worth.dream_id, worth.points, worth.raroi) == (promotion.dream_id, 6.5, 6.0)
    assert worth.groups == {"module": "shop", "kind": "test", "dreamer": "tests"}
    assert waiting_dreams(journal, HERE) == ()
    assert tally_of(known_dreams(journal, HERE, "").values()) == {"test": (1, 1)}
    with journal.reading() as connection:
        (latest,) = latest_cycles(connection)
        assert latest_health(connection) is None
    assert (latest.repository, latest.figures) == (str(HERE), {"tests": 4})
