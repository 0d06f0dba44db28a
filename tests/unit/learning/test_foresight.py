"""What a tracker records and says; the document's examples."""

import math
from pathlib import Path

import pytest

from reverie import BorderlineBucket, ForesightTracker, UpgradeForecaster, WorkflowGraph
from reverie.errors import UsageError
from reverie.gates.governance import parse_rules
from reverie.learning.deployment_governance import (
    Candidate,
    PilotResult,
    Policy,
    evaluate,
    process_borderline_candidates,
)
from reverie.learning.foresight_gate import is_foresight_safe_to_promote
from reverie.store import Journal
from reverie.store.cycles.measures import ForesightMemory, load_decisions, record_decision

ALIGNED = {"alignment": {"status": "pass", "rationale": ""}}


def tracked(*worths: float) -> ForesightTracker:
    tracker = ForesightTracker()
    for each in worths:
        tracker.record_cycle_metrics("wf", {"roi_delta": each})
    return tracker


def test_without_data_nothing_is_stable() -> None:
    tracker = ForesightTracker()
    found = tracker.predict_roi_collapse("nobody")
    keys = {"risk", "brittle", "slope", "volatility", "collapse_in", "confidence", "n"}
    assert set(found) == keys
    assert (found["risk"], found["n"]) == ("Unknown", 0)
    assert not tracker.is_stable("nobody")
    assert tracker.get_trend_curve("nobody").slope is None
    assert tracker.forecast("nobody") is None


def test_cycles_are_kept_as_they_were_told() -> None:
    tracker = tracked(1.0)
    told = {"roi_delta": 2, "stage": "normal", "resilience": math.nan, "entropy": None}
    tracker.record_cycle_metrics("wf", told, compute_stability=True)
    stability = pytest.approx(1 / (1 + 1.4826 * 0.5 / 1.5))
    assert tracker.history["wf"] == [
        {"roi_delta": 1.0},
        {"roi_delta": 2.0, "stage": "normal", "stability": stability},
    ]
    with pytest.raises(UsageError, match="'beauty' is no metric"):
        tracker.record_cycle_metrics("wf", {"beauty": 1})
    with pytest.raises(UsageError, match="expected a number"):
        tracker.record_cycle_metrics("wf", {"roi_delta": "much"})


def test_cycles_outlive_the_process(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/journal.db"
    with Journal.open(url) as journal:
        first = ForesightTracker(ForesightMemory(journal))
        for each in range(6):
            first.record_cycle_metrics("wf", {"roi_delta": each, "stage": "normal"})
    with Journal.open(url) as journal:
        again = ForesightTracker(ForesightMemory(journal))
        assert again.history == first.history
        assert again.is_stable("wf")
        ForesightMemory(journal).forget("wf")
        assert ForesightTracker(ForesightMemory(journal)).history == {}


def test_a_forecaster_writes_nothing_and_says_what_it_rests_on() -> None:
    tracker = tracked(*(10 + each % 3 for each in range(12)))
    before = tracker.history
    found = UpgradeForecaster(tracker, horizon=3).forecast("wf")
    assert len(found.cycles) == 3
    assert found.n == 12
    assert 0 < found.confidence < 12 / 17
    assert all(0 <= each.risk < 0.01 for each in found.cycles)
    assert tracker.history == before
    assert UpgradeForecaster(ForesightTracker()).forecast("wf").cycles == ()
    with pytest.raises(UsageError, match="horizon of 9"):
        UpgradeForecaster(tracker, horizon=9)


def test_a_cold_start_borrows_from_the_others() -> None:
    tracker = tracked(*range(12))
    tracker.record_cycle_metrics("new", {"roi_delta": 5.0})
    found = tracker.forecast("new")
    assert found is not None
    assert (found.model, found.borrowed) == ("templates", 0.8)


def test_the_gate_passes_what_is_calm_and_well_known() -> None:
    tracker = tracked(*(10.0 + 0.1 * each for each in range(12)))
    safety = is_foresight_safe_to_promote("wf", ["step"], tracker)
    assert (safety.ok, safety.reason_codes) == (True, ())
    graph = WorkflowGraph()
    graph.add_dependency("page", "wf", -1.0)
    wave = is_foresight_safe_to_promote("wf", ["step"], tracker, graph)
    assert wave.reason_codes == ("negative_dag_impact",)
    dear = is_foresight_safe_to_promote("wf", ["step"], tracker, roi_threshold=99.0)
    assert dear.reason_codes == ("projected_roi_below_threshold",)


def test_an_exception_while_judging_is_unknown() -> None:
    class Broken(ForesightTracker):
        def worths(self, workflow_id: str) -> list[float]:
            raise ZeroDivisionError

    assert is_foresight_safe_to_promote("wf", [], Broken()).reason_codes == ("unknown",)
    result = evaluate(
        ALIGNED, {"raroi": 1.0, "confidence": 0.8}, patch=[], foresight_tracker=Broken(),
        workflow_id="wf",
    )  # fmt: skip
    assert result["verdict"] == "hold"


def test_the_example_of_the_document(tmp_path: Path) -> None:
    bucket = BorderlineBucket(tmp_path / "sandbox_data" / "borderline_bucket.jsonl")
    question = {
        "patch": ["step_a"],
        "foresight_tracker": ForesightTracker(),
        "workflow_id": "wf-1",
    }
    scorecard = {"raroi": 1.0, "confidence": 0.8}
    result = evaluate(ALIGNED, scorecard, **question, borderline_bucket=bucket)
    assert (result["verdict"], result["reason_codes"]) == ("borderline", ["low_confidence"])
    assert [each.subject for each in bucket.waiting()] == ["wf-1"]
    assert evaluate(ALIGNED, scorecard, **question)["verdict"] == "pilot"
    off = BorderlineBucket(tmp_path / "off.jsonl", mode="off")
    assert evaluate(ALIGNED, scorecard, **question, borderline_bucket=off)["verdict"] == "pilot"
    failed = {"alignment": {"status": "fail"}}
    assert evaluate(failed, scorecard, **question)["verdict"] == "demote"


@pytest.mark.parametrize("vetting", [{}, {"alignment": None}, {"alignment": {}}])
def test_a_vetting_that_is_none_is_a_hold(vetting: dict[str, object]) -> None:
    result = evaluate(vetting, {}, patch=[], foresight_tracker=ForesightTracker(), workflow_id="wf")
    assert result["verdict"] == "hold"


def test_every_decision_is_logged(tmp_path: Path) -> None:
    with Journal.open(f"sqlite:///{tmp_path}/journal.db") as journal:
        rules = parse_rules("[[rule]]\nname='r'\nwhen='raroi < 2'\nverdict='hold'\nreason='low'\n")
        policy = Policy(rules=rules, log=lambda name, told: record_decision(journal, name, told))
        for _ in range(2):
            evaluate(
                ALIGNED, {"raroi": 1.0}, patch=[], foresight_tracker=ForesightTracker(),
                workflow_id="wf", policy=policy,
            )  # fmt: skip
        first, second = load_decisions(journal)
    assert first["subject"] == second["subject"] == "wf"
    assert first["verdict"] == "hold"
    assert first["reason_codes"] == ["low_confidence", "low"]


def test_pilots_promote_or_end_a_candidate(tmp_path: Path) -> None:
    bucket = BorderlineBucket(tmp_path / "bucket.jsonl", mode="auto")
    for name in ("good", "poor", "broken"):
        bucket.enqueue(name, 0.1, 0.4, {"patch": [name]})
    bucket.enqueue("good", 0.2, 0.45)

    def pilot(candidate: Candidate) -> PilotResult:
        if candidate.subject == "broken":
            raise RuntimeError("the machine is on fire")
        return PilotResult(1.0 if candidate.subject == "good" else -1.0, 0.9)

    assert process_borderline_candidates(bucket, pilot) == {
        "good": "promoted",
        "poor": "terminated",
        "broken": "hold",
    }
    assert [each.subject for each in bucket.waiting()] == ["broken"]
    good = bucket.candidates()["good"]
    assert (good.raroi, good.confidence, good.context) == (
        (0.1, 0.2, 1.0),
        0.9,
        {"patch": ["good"]},
    )


def test_a_bucket_that_somebody_wrote_into_is_read_as_far_as_it_is_ours(tmp_path: Path) -> None:
    path = tmp_path / "bucket.jsonl"
    bucket = BorderlineBucket(path)
    bucket.enqueue("a", 1.0, 0.5)
    with path.open("ab") as stream:
        stream.write(b'{"subject": 3}\n\xff\n[]\n{"subject": "b", "event": "candidate"}\n{"subj')
    assert list(bucket.candidates()) == ["a"]
    with pytest.raises(UsageError, match="'maybe' is no mode"):
        BorderlineBucket(path, mode="maybe")
