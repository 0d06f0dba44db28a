"""What a tried change is worth: every factor that was measured, and the names of those not."""

from dataclasses import replace

import pytest

from reverie.model.change import Change, FileEdit
from reverie.model.dream import Dream, DreamKind
from reverie.model.outcome import IsolationTier
from reverie.model.ruling import Answer, Evidence, Judgement, Ruling, Verdict
from reverie.model.settings.judgement import RoiSection
from reverie.model.worth import Past, Settled
from reverie.stages.reckoning import Reckoning, repetitions_of, variation_of

PLAIN = "100644"
TESTS = Change((FileEdit("tests/test_a.py", None, "def test_a():\n    assert a() == 1\n",
                         mode_after=PLAIN),))  # fmt: skip
DREAM = Dream(DreamKind.TEST, "tests", "a", "Test a", TESTS)
PASSED = Judgement((Ruling("suite", Answer.PASS, "ok", "passes"),))


def evidence(measures: dict[str, float], **details: tuple[str, ...]) -> Evidence:
    named = {name.replace("__", "."): value for name, value in details.items()}
    return Evidence(measures, 0, IsolationTier.NONE, (), details=named)


PROTECTS = evidence(
    {"conditions.protected": 2.0, "tests.runs": 5.0, "tests.passed_runs": 5.0,
     "tests.kept.mean": 0.8},
    conditions__protected=("a.py:f=1", "a.py:_g=1"),
)  # fmt: skip


def test_the_score_of_tests_tells_probability_risk_and_what_nobody_measured() -> None:
    score = Reckoning(RoiSection()).score(DREAM, PROTECTS, 0.0)
    assert score["kept_probability"] == 0.8
    assert score["value"] == pytest.approx(1.7), "a private function counts less"
    assert (score["stability"], score["safety"], score["failed_suites"]) == (1.0, 1.0, [])
    assert score["unmeasured"] == ["safety: hostile_input", "safety: misuse"]
    assert score["confidence"] == 0.5
    assert 0 < score["raroi"] < score["roi"]


def test_decisions_of_people_lower_probability_and_worth() -> None:
    refused = Past(settled=(Settled("test", "tests", False),) * 12)
    reckoning = Reckoning(RoiSection(), past=lambda dream: refused)
    score = reckoning.score(DREAM, PROTECTS, 0.0)
    assert score["kept_probability"] == pytest.approx(0.2)
    assert score["kept_decisions"] == 12
    assert score["raroi"] < Reckoning(RoiSection()).score(DREAM, PROTECTS, 0.0)["raroi"]


def test_new_code_that_breaks_the_safety_rules_halves_what_is_left() -> None:
    unsafe = "import os\n\n\ndef test_a():\n    os.system('rm -rf /')\n    assert a() == 1\n"
    edit = replace(TESTS.edits[0], after=unsafe)
    score = Reckoning(RoiSection()).score(replace(DREAM, change=Change((edit,))), PROTECTS, 0.0)
    assert "security" in score["failed_suites"]
    assert score["safety"] <= 0.5


def test_a_profile_share_is_saved_by_the_least_ratio() -> None:
    edit = FileEdit("a.py", "x = 1\n", "x = 2\n", mode_before=PLAIN, mode_after=PLAIN)
    dream = Dream(DreamKind.OPTIMISATION, "optimise", "a", "Speed up f", Change((edit,)))
    told = evidence(
        {"speed.doublings": 2.0, "speed.variation": 0.25, "speed.pairs": 45.0},
        speed__ratios=("f=4",),
    )
    reckoning = Reckoning(RoiSection(), profile_share=lambda path, name: 0.4)
    score = reckoning.score(dream, told, 0.0)
    assert score["quantities"]["speed.profile_share"] == pytest.approx(0.3)
    assert score["stability"] == pytest.approx(0.8)
    assert score["confidence"] == 0.9


def test_what_was_not_repeated_has_no_stability() -> None:
    assert variation_of(evidence({"suite.tests": 9.0})) is None
    assert variation_of(evidence({"tests.runs": 5.0, "tests.passed_runs": 0.0})) == 10.0
    assert repetitions_of(evidence({"suite.tests": 9.0, "equivalence.inputs": 30.0})) == 30
    proven = {"suite.tests": 1.0, "equivalence.callables": 2.0, "equivalence.proven": 2.0}
    assert repetitions_of(evidence(proven)) > 100
    assert repetitions_of(evidence({**proven, "equivalence.proven": 1.0})) == 1
    score = Reckoning(RoiSection()).score(DREAM, evidence({"clarity.gained": 3.0}), 0.0)
    assert score["stability"] is None
    assert "stability" in score["unmeasured"]


def test_worth_is_ruled_on_what_passed_and_leaves_a_refusal_as_it_is() -> None:
    reckoning = Reckoning(RoiSection())
    loss = {"raroi": -2.0, "roi": -2.0, "confidence": 0.0}
    assert reckoning.ruled(DREAM, PASSED, loss).verdict is Verdict.REJECT
    refused = Judgement((Ruling("suite", Answer.FAIL, "fails", "it fails"),))
    assert reckoning.ruled(DREAM, refused, loss) is refused
    unsure = reckoning.ruled(DREAM, PASSED, {"raroi": 2.0, "roi": 2.0, "confidence": 0.1})
    assert (unsure.verdict, len(unsure.needs)) == (Verdict.PROMOTE, 1)
