"""Governance in the cycle: what is done, what may be promoted, what is remembered."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from reverie.cycle.governing import GATE, Governor, Pilots, is_held, metrics_of, without_governance
from reverie.cycle.running import CycleRun
from reverie.cycle.workshop import Target
from reverie.errors import StoreError
from reverie.gates.governance import parse_rules
from reverie.learning.deployment_governance import BorderlineBucket, Policy
from reverie.learning.foresight_tracker import ForesightTracker
from reverie.learning.roi_tracker import ROITracker
from reverie.model.change import Change, FileEdit
from reverie.model.cycle import CycleBudget, CycleWishes, Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.foresight import DeploymentVerdict, Override
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Ruling, Verdict
from reverie.model.settings.cycle import CycleSection
from reverie.model.settings.promotion import AlignmentSection
from reverie.model.worth import RoiRow
from reverie.scoring.synergy import WorkflowGraph
from reverie.stages.strain import WORKFLOWS
from reverie.store import Journal, journal_url
from reverie.store.cycles.measures import ForesightMemory, load_decisions, record_decision
from reverie.testing.workshop import ScriptedWorkshop

DREAM = Dream(
    DreamKind.TEST, "tests", "shop", "Test shop",
    Change((FileEdit("tests/test_shop.py", None, "def test_x():\n    assert 1\n",
                     mode_after="100644"),)),
    seed=3,
)  # fmt: skip
FALLING = (100, 80, 60, 45, 30, 18, 9, 2)
STEADY = (10, 11, 10, 11, 10, 11, 10, 11, 10, 11)


def trial(answer: Answer = Answer.PASS, raroi: float | None = 5.0) -> Trial:
    score = {"confidence": 0.5, "rollback_probability": 0.1}
    score |= {} if raroi is None else {"roi": raroi, "raroi": raroi}
    rulings = (Ruling("worth", answer, "ok", "more is seen"),)
    evidence = Evidence({"tests.new": 1.0}, 3, IsolationTier.NONE, ())
    return Trial(evidence, Judgement(rulings), score, 1.0, 1)


def tracker(**series: tuple[float, ...]) -> ForesightTracker:
    made = ForesightTracker()
    for name, worths in series.items():
        made.suppose(name, worths)
    return made


@pytest.fixture
def govern() -> Callable[..., Governor]:
    def make(
        series: Mapping[str, tuple[float, ...]] | None = None,
        graph: WorkflowGraph | None = None,
        pilots: Pilots | None = None,
        rows: tuple[RoiRow, ...] = (),
        **policy: object,
    ) -> Governor:
        law = Policy(**{"needs_history": False, **policy})  # type: ignore[arg-type]
        known = tracker(**(series or {}))
        worths = ROITracker(rows)
        return Governor(
            lambda: worths, known, graph or WorkflowGraph(), law, AlignmentSection(), pilots
        )

    return make


def reason(found: Trial) -> Ruling:
    return next(each for each in found.judgement.rulings if each.gate == GATE)


def test_what_was_proven_in_a_module_without_a_past_is_promoted(govern: Callable) -> None:
    found = trial()
    assert govern().rule(DREAM, found) is found
    assert govern({"shop": (4.0, 2.0)}).rule(DREAM, found) is found


def test_who_wants_a_history_first_can_have_that(govern: Callable) -> None:
    held = govern(needs_history=True).rule(DREAM, trial())
    assert held.judgement.verdict is Verdict.BORDERLINE
    assert (reason(held).verdict, reason(held).reason_code) == (Answer.HOLD, "low_confidence")


def test_a_module_whose_worth_collapses_is_demoted(govern: Callable) -> None:
    held = govern({"shop": FALLING}).rule(DREAM, trial())
    assert held.judgement.verdict is Verdict.REJECT
    assert "roi_collapse_risk" in reason(held).reason
    assert govern({"shop": STEADY}).rule(DREAM, trial()).judgement.verdict is Verdict.PROMOTE


def test_what_hurts_those_that_depend_on_it_is_demoted(govern: Callable) -> None:
    graph = WorkflowGraph()
    graph.add_dependency("till", "shop", -3.0)
    rising = tuple(float(each) for each in range(10, 30, 2))
    held = govern({"shop": rising}, graph).rule(DREAM, trial())
    assert "negative_dag_impact" in reason(held).reason
    assert govern({"shop": rising}).rule(DREAM, trial()).judgement.verdict is Verdict.PROMOTE


def test_a_trial_that_did_not_pass_is_not_asked_about(govern: Callable) -> None:
    asked: list[str] = []
    governor = govern(log=lambda subject, decision: asked.append(subject))
    for answer in (Answer.HOLD, Answer.FAIL):
        found = trial(answer)
        assert governor.rule(DREAM, found) is found
    assert asked == []
    governor.rule(DREAM, trial())
    assert asked == [DREAM.id]


@pytest.mark.parametrize(
    ("when", "verdict", "answer"),
    [
        ("raroi < 6", "demote", Answer.FAIL),
        ("lines > 1 and kind == 'test'", "hold", Answer.HOLD),
        ("files >= 1", "pilot", Answer.HOLD),
        ("nobody.measured > 1", "promote", Answer.HOLD),
    ],
)
def test_the_owners_rules_hold_in_the_cycle(
    govern: Callable, when: str, verdict: str, answer: Answer
) -> None:
    text = f'[[rule]]\nname = "r"\nwhen = "{when}"\nverdict = "{verdict}"\nreason = "because"\n'
    held = govern(rules=parse_rules(text)).rule(DREAM, trial())
    assert reason(held).verdict is answer


def test_a_rule_about_a_worth_that_nobody_measured_holds(govern: Callable) -> None:
    text = '[[rule]]\nname = "r"\nwhen = "raroi < 0"\nverdict = "demote"\nreason = "loss"\n'
    held = govern(rules=parse_rules(text)).rule(DREAM, trial(raroi=None))
    assert reason(held).verdict is Answer.HOLD
    assert "nobody measured raroi" in reason(held).reason


def test_a_signed_word_counts_for_its_dream_until_it_expires(govern: Callable) -> None:
    end = datetime(2026, 1, 8, tzinfo=UTC)
    word = Override(DREAM.id, DeploymentVerdict.PROMOTE, "Ada", "seen", end)
    before, after = end - timedelta(seconds=1), end + timedelta(seconds=1)
    for now, is_promoted in ((before, True), (after, False)):
        governor = govern({"shop": FALLING}, overrides=(word,), now=lambda now=now: now)
        verdict = governor.rule(DREAM, trial()).judgement.verdict
        assert (verdict is Verdict.PROMOTE) is is_promoted
    other = replace(word, subject="another")
    held = govern({"shop": FALLING}, overrides=(other,), now=lambda: before).rule(DREAM, trial())
    assert is_held(held)


def test_no_word_counts_against_a_failed_alignment(govern: Callable) -> None:
    end = datetime(2026, 1, 8, tzinfo=UTC)
    word = Override(DREAM.id, DeploymentVerdict.PROMOTE, "Ada", "seen", end)
    governor = govern(overrides=(word,), now=lambda: end - timedelta(days=1))
    strict = replace(governor, alignment=AlignmentSection(failure_threshold=0.0))
    loud = replace(
        DREAM,
        change=Change((FileEdit("shop.py", "x = 1\n", "import os\nos.system('x')\neval('1')\n",
                                mode_before="100644", mode_after="100644"),)),
    )  # fmt: skip
    held = strict.rule(loud, trial())
    assert (reason(held).verdict, reason(held).reason_code) == (Answer.FAIL, "alignment_not_passed")
    off = replace(strict, alignment=AlignmentSection(enabled=False, failure_threshold=0.0))
    assert not is_held(off.rule(loud, trial()))


class _Broken:
    def __getattr__(self, name: str) -> object:
        raise RuntimeError("broken")


@pytest.mark.parametrize("part", ["tracker", "graph", "policy", "alignment"])
def test_any_exception_is_a_hold(govern: Callable, part: str) -> None:
    governor = replace(govern({"shop": STEADY}), **{part: _Broken()})
    held = governor.rule(DREAM, trial())
    assert held.judgement.verdict is Verdict.BORDERLINE
    assert reason(held).reason_code == "unknown"


def test_a_journal_that_is_lost_ends_the_cycle(govern: Callable) -> None:
    def log(subject: str, decision: object) -> None:
        raise StoreError("lost")

    with pytest.raises(StoreError):
        govern(log=log).rule(DREAM, trial())


@pytest.mark.parametrize(
    ("mode", "found", "verdict"),
    [
        ("auto", trial(), Verdict.PROMOTE),
        ("auto", trial(Answer.HOLD), Verdict.BORDERLINE),
        ("queue", trial(), Verdict.BORDERLINE),
        ("off", trial(), Verdict.BORDERLINE),
    ],
)
def test_a_dream_on_the_border_goes_to_its_pilot(
    govern: Callable, tmp_path: Path, mode: str, found: Trial, verdict: Verdict
) -> None:
    bucket = BorderlineBucket(tmp_path / "bucket.jsonl", mode)
    pilots = Pilots(bucket, lambda dream, seed, times: found, 5, 0.0, 0.5)
    settled = govern(pilots=pilots, needs_history=True).rule(DREAM, trial())
    assert settled.judgement.verdict is verdict
    assert set(bucket.candidates()) == (set() if mode == "off" else {DREAM.id})


def test_what_governance_said_can_be_taken_off_again(govern: Callable) -> None:
    held = govern({"shop": FALLING}).rule(DREAM, trial())
    assert is_held(held)
    assert without_governance(held) == trial()
    assert not is_held(trial())


def rows(*minutes: float, source: str = "now") -> tuple[RoiRow, ...]:
    return tuple(
        RoiRow(f"d{at}", worth, groups={"module": "shop"}, source_hash=source)
        for at, worth in enumerate(minutes)
    )


def test_a_module_is_complete_until_its_own_source_changes(govern: Callable) -> None:
    governor = govern(rows=rows(0.1, 0.2, 0.1, 0.15))
    now = Target("tests", "shop", "shop.py", "wide", content_hash="now")
    other = Target("tests", "till", "till.py", "wide", content_hash="now")
    assert governor.complete([now, other]) == {"shop": "diminishing returns"}
    assert governor.complete([replace(now, content_hash="later")]) == {}
    assert governor.complete([other]) == {}


@pytest.fixture
def journal(tmp_path: Path) -> object:
    with Journal.open(journal_url(tmp_path)) as journal:
        yield journal


WISHES = CycleWishes(CycleBudget(executions=600), seed=7)


def test_a_cycle_is_ruled_on_logged_and_remembered(
    journal: Journal, tmp_path: Path, govern: Callable
) -> None:
    folder = tmp_path / "promotions"
    folder.mkdir()
    text = '[[rule]]\nname = "r"\nwhen = "module == \'m01\'"\nverdict = "hold"\nreason = "wait"\n'
    memory = ForesightMemory(journal, tmp_path, "c1")
    governor = replace(
        govern(
            rules=parse_rules(text), log=lambda name, told: record_decision(journal, name, told)
        ),
        recording=lambda record: None if memory.has_recorded("c1") else ForesightTracker(memory),
        flags=tmp_path / "flags",
    )
    run = CycleRun(journal, tmp_path, ScriptedWorkshop(folder), CycleSection(), governor=governor)
    record = run.begin(WISHES)
    status = {each.dream.module: each.status.value for each in record.dreams}
    assert (status["m01"], status["m02"], status["m03"]) == ("borderline", "promoted", "rejected")
    held = next(each for each in record.dreams if each.dream.module == "m01")
    assert held.trial is not None
    assert held.trial.judgement.rulings[-1].reason == "hold: wait, low_confidence"
    logged = load_decisions(journal)
    assert len(logged) == 4
    assert {each["verdict"] for each in logged} == {"promote", "hold"}
    known = ForesightTracker(ForesightMemory(journal, tmp_path))
    assert known.worths("m02") == [6.0]
    assert known.worths("m03") == [0.0], "what did not pass has gained nothing"
    assert known.worths("m01") == [0.0]
    assert ForesightTracker(ForesightMemory(journal, tmp_path / "other")).history == {}
    governor.remember(record)
    again = ForesightTracker(ForesightMemory(journal, tmp_path))
    assert again.history == known.history, "a cycle is recorded once"


def test_the_figures_of_a_cycle_are_those_of_its_modules(journal: Journal, tmp_path: Path) -> None:
    folder = tmp_path / "promotions"
    folder.mkdir()
    record = CycleRun(journal, tmp_path, ScriptedWorkshop(folder), CycleSection()).begin(WISHES)
    metrics = metrics_of(record)
    assert metrics["m05"] == {
        "stage": "A", "roi_delta": 6.0, "raroi_delta": 5.4,
    }  # fmt: skip
    assert set(metrics) == {f"m{number:02d}" for number in range(6)}


def test_a_night_that_lost_a_little_robustness_and_much_worth_is_brittle(
    journal: Journal, tmp_path: Path
) -> None:
    folder = tmp_path / "promotions"
    folder.mkdir()
    record = CycleRun(journal, tmp_path, ScriptedWorkshop(folder), CycleSection()).begin(WISHES)

    def night(lost: float, share: float) -> dict[str, Any]:
        baseline = {WORKFLOWS: {"sale": {"modules": ["m05"], "degradation": lost}}}
        found = metrics_of(replace(record, header=replace(record.header, baseline=baseline)))
        assert "scenario_degradation" not in found["m04"], "no workflow reaches it"
        return {**found["m05"], "roi_delta": share * found["m05"]["roi_delta"]}

    for lost, is_brittle in ((0.10, False), (0.12, True)):
        tracker = ForesightTracker()
        tracker.record_cycle_metrics("m05", night(0.10, 1.0))
        tracker.record_cycle_metrics("m05", night(lost, 0.1))
        assert tracker.predict_roi_collapse("m05")["brittle"] is is_brittle
