import pytest

from reverie.gates.gate import Gate
from reverie.gates.judge import GUARDRAILS, judge
from reverie.gates.proof import (
    EffectsGate,
    EquivalenceGate,
    MemoryGate,
    MutationGate,
    SpeedGate,
    StabilityGate,
    SuiteGate,
    WatchGate,
    WorthGate,
)
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Verdict

from .matters import edit, matter, production

STABLE = {
    "suite.blind_runs": 0, "suite.forged": 0, "suite.dead_runs": 0, "suite.silent_runs": 0,
    "suite.newly_failing": 0, "suite.lost": 0,
    "suite.weaker": 0, "tests.new": 2, "tests.skipped": 0, "tests.failing": 0,
    "tests.machine": 0, "tests.only_here": 0, "tests.unstable": 0,
    "tests.writes": 0, "tests.replaced": 0, "tests.unreached": 0, "tests.idle": 0,
    "tests.passed_runs": 5,
}  # fmt: skip
SUITE = {"suite.newly_failing": 0, "suite.lost": 0, "suite.touched": 0, "suite.machine": 0}
WORTH = {"coverage.gained": 3, "mutants.newly_killed": 4, "mutants.reached": 5,
         "mutants.killed_by_assertion": 2, "tests.pinned": 0, "tests.blunt": 0}  # fmt: skip
KEEPING = {"tests.unkeepable": 0, "tests.keepability": 0.8}
SCORE = {"mutants.judged": 9, "mutants.score.before": 0.5, "mutants.score.after": 0.6}
SAME = {"equivalence.callables": 2, "equivalence.equivalent": 2, "equivalence.different": 0,
        "equivalence.unknown": 0, "effects.new": 0, "effects.unrecorded": 0}  # fmt: skip
WATCH = {
    "coverage.lines.before": 0.7,
    "coverage.lost": 0,
}
SPEED = {"speed.faster": 1, "speed.slower": 0, "speed.same": 0, "speed.unknown": 0}
TEST = edit("tests/test_a.py", None, "from shop import f\n\ndef test_a():\n    assert f() == 1\n")

CASES: list[tuple[Gate, dict[str, float], dict[str, float], str]] = [
    *((StabilityGate(), STABLE, {name: 1}, code) for name, code in {
        "suite.blind_runs": "forged_report", "suite.forged": "forged_report",
        "suite.dead_runs": "run_ended",
        "suite.newly_failing": "suite_fails", "suite.lost": "test_deleted",
        "suite.weaker": "coverage_lost", "tests.skipped": "skip_added",
        "tests.failing": "new_test_fails", "tests.unstable": "unstable_test",
        "tests.machine": "depends_on_machine", "tests.only_here": "passes_only_here",
        "tests.writes": "edits_production", "tests.replaced": "replaces_production",
        "tests.unreached": "assertion_never_runs", "tests.idle": "runs_no_code",
    }.items()),
    (StabilityGate(), STABLE, {"tests.new": 0}, "no_new_test"),
    (StabilityGate(), STABLE, {"tests.passed_runs": 4}, "unstable_test"),
    (SuiteGate(), SUITE, {"suite.newly_failing": 1}, "suite_fails"),
    (SuiteGate(), SUITE, {"suite.touched": 1}, "tests_touched"),
    (SuiteGate(), SUITE, {"suite.machine": 1}, "depends_on_machine"),
    (WorthGate(), WORTH, {"coverage.gained": 0, "mutants.newly_killed": 0}, "adds_nothing"),
    (WorthGate(), WORTH, {"mutants.killed_by_assertion": 0}, "coverage_without_assertion"),
    (WorthGate(), WORTH, {"tests.blunt": 1}, "blunt_test"),
    (WorthGate(), WORTH, {"tests.pinned": 1}, "pinned_code"),
    (MutationGate(), SCORE, {"mutants.score.after": 0.49}, "mutation_score_down"),
    (EquivalenceGate(), SAME, {"equivalence.different": 1}, "behaviour_changed"),
    (EffectsGate(), SAME, {"effects.new": 1}, "new_effect"),
    (WatchGate(), WATCH, {"coverage.lines.before": 0.49}, "coverage_too_low"),
    (SpeedGate(), SPEED, {"speed.slower": 1}, "slower"),
    (SpeedGate(), SPEED, {"speed.faster": 0, "speed.same": 1}, "not_faster"),
    (MemoryGate(), {"memory.ratio": 1.1}, {"memory.ratio": 1.11}, "memory_up"),
]  # fmt: skip


@pytest.mark.parametrize(("gate", "good", "bad", "code"), CASES)
def test_a_bound_decides(
    gate: Gate, good: dict[str, float], bad: dict[str, float], code: str
) -> None:
    stage = Stage.A if gate.name in ("stability", "worth", "mutation") else Stage.B
    assert [r.verdict for r in gate.judge(matter(TEST, stage=stage, measures=good))] == [
        Answer.PASS
    ]
    rulings = gate.judge(matter(TEST, stage=stage, measures={**good, **bad}))
    assert code in [r.reason_code for r in rulings if r.verdict is Answer.FAIL]


@pytest.mark.parametrize(
    ("gate", "measures", "code"),
    [
        (StabilityGate(), {**STABLE, "suite.silent_runs": 1}, "run_unheard"),
        (StabilityGate(), {**STABLE, "suite.wavering": 1}, "suite_wavers"),
        (SuiteGate(), {**SUITE, "suite.wavering": 1}, "suite_wavers"),
        (EquivalenceGate(), {**SAME, "equivalence.equivalent": 1}, "equivalence_unknown"),
        (EquivalenceGate(), {**SAME, "equivalence.callables": 0}, "nothing_to_compare"),
        (EffectsGate(), {**SAME, "effects.unrecorded": 1}, "effects_unknown"),
        (WatchGate(), {**WATCH, "coverage.lost": 1}, "coverage_down"),
        (MutationGate(), {**SCORE, "mutants.score.after": 0.4}, "mutation_score_down"),
        (SpeedGate(), {**SPEED, "speed.unknown": 1}, "speed_unknown"),
    ],
)
def test_a_doubt_holds(gate: Gate, measures: dict[str, float], code: str) -> None:
    rulings = gate.judge(matter(TEST, stage=Stage.B, measures=measures))
    assert [(r.verdict, r.reason_code) for r in rulings] == [(Answer.HOLD, code)]


@pytest.mark.parametrize(("gate", "good", "bad", "code"), CASES)
def test_every_measure_is_missed_when_it_is_missing(
    gate: Gate, good: dict[str, float], bad: dict[str, float], code: str
) -> None:
    name = next(iter(bad))
    left = {key: value for key, value in good.items() if key not in bad}
    rulings = gate.judge(matter(TEST, stage=Stage.B, measures=left))
    assert Answer.PASS not in [r.verdict for r in rulings], name


def test_stage_c_asks_more_of_the_suite_than_stage_b() -> None:
    measures = {**WATCH, "coverage.lines.before": 0.6}
    for stage, answer in ((Stage.B, Answer.PASS), (Stage.C, Answer.FAIL)):
        rulings = WatchGate().judge(matter(TEST, stage=stage, measures=measures))
        assert [r.verdict for r in rulings] == [answer]


def test_all_that_stage_a_asks_for_promotes() -> None:
    measures = {**STABLE, **WORTH, **SCORE, **KEEPING}
    assert judge(matter(TEST, measures=measures)).verdict is Verdict.PROMOTE


def test_what_people_owe_is_listed_at_stage_c_alone() -> None:
    change = ("def f(a):\n    x = a\n    return x\n", "def f(a):\n    return a\n")
    assert judge(production(*change, Stage.B)).needs == ()
    assert len(judge(production(*change, Stage.C)).needs) == 4


def test_a_failed_proof_needs_no_other() -> None:
    judged = judge(matter(TEST, measures={"suite.newly_failing": 1}))
    assert judged.verdict is Verdict.REJECT
    assert {r.reason_code for r in judged.rulings} - {"ok"} == {"suite_fails"}


def test_stage_d_is_never_promoted() -> None:
    judged = judge(matter(TEST, stage=Stage.D, measures={**STABLE, **WORTH, **SCORE}))
    assert judged.verdict is Verdict.REJECT
    assert judged.rulings[0].reason_code == "never_promoted"


def test_without_evidence_nothing_is_promoted() -> None:
    for stage in GUARDRAILS:
        asked = matter(TEST, stage=stage)
        assert judge(asked).verdict is not Verdict.PROMOTE
