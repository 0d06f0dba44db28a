"""Gates on evidence: every bound, one step to either side, with its words and its numbers."""

from dataclasses import FrozenInstanceError

import pytest

from reverie.gates.gate import Gate, not_measured
from reverie.gates.integration import IntegrationGate
from reverie.gates.proof import (
    Bound,
    EquivalenceGate,
    MemoryGate,
    MutationGate,
    SpeedGate,
    StabilityGate,
    SuiteGate,
    WatchGate,
    WorthGate,
    objections,
)
from reverie.model.dream import Stage
from reverie.model.ruling import Answer, Ruling
from reverie.model.settings.judgement import GuardSection

from .matters import proven
from .test_proofs import SAME, SCORE, SPEED, STABLE, SUITE, WATCH, WORTH

FOUR = ("one", "two", "three", "four")
STABILITY = {
    "suite.blind_runs": ("forged_report", "a failing test planted beside the new ones was not"
                         " reported as failing"),
    "suite.forged": ("forged_report", "a test that raised was reported as passed"),
    "suite.dead_runs": ("run_ended", "a run was ended before it could report"),
    "suite.newly_failing": ("suite_fails", "tests that passed before fail now"),
    "suite.lost": ("test_deleted", "tests that ran before are not collected now"),
    "suite.weaker": ("coverage_lost", "tests that were there run less than before"),
    "tests.skipped": ("skip_added", "new tests are passed over"),
    "tests.failing": ("new_test_fails", "new tests fail"),
    "tests.machine": ("depends_on_machine", "new tests come out otherwise on another machine"),
    "tests.only_here": ("passes_only_here", "new tests fail in a plain pytest without Reverie"
                        " beside them"),
    "tests.unstable": ("unstable_test", "new tests pass in some runs only"),
    "tests.writes": ("edits_production", "tests change files of the repository"),
    "tests.replaced": ("replaces_production", "after the tests the code under test is another"),
    "tests.unreached": ("assertion_never_runs", "assertions of new tests never run"),
    "tests.idle": ("runs_no_code", "new tests run no line of production code"),
}  # fmt: skip
OF_CODE = {
    "suite.touched": ("tests_touched", "files that tests are collected from are changed"),
    "suite.machine": ("depends_on_machine", "tests that passed before fail on another machine, in"
                      " a plain pytest"),
}  # fmt: skip
INTEGRATION = {
    "orphans.redundant": ("redundant_module", "another module does the same"),
    "orphans.legacy": ("legacy_module", "the module is marked as out of date"),
    "imports.failing": ("import_fails", "modules that cannot be imported"),
    "imports.new_libraries": ("new_requirement", "importing the package would need libraries that"
                              " it did not need"),
}  # fmt: skip
INTEGRATED = {"orphans.integrated": 1.0, "imports.noisy": 0.0, **dict.fromkeys(INTEGRATION, 0.0)}


def fails(gate: str, code: str, said: str, *numbers: float) -> Ruling:
    return Ruling(gate, Answer.FAIL, code, said, *numbers)


def holds(gate: str, code: str, said: str, *numbers: float) -> Ruling:
    return Ruling(gate, Answer.HOLD, code, said, *numbers)


def passes(gate: str, said: str) -> Ruling:
    return Ruling(gate, Answer.PASS, "ok", said)


@pytest.mark.parametrize("measure", STABILITY)
def test_what_a_new_test_must_not_do(measure: str) -> None:
    code, said = STABILITY[measure]
    asked = proven({**STABLE, measure: 1.0}, {measure: FOUR})
    assert StabilityGate().judge(asked) == (
        fails("stability", code, f"{said}: one, two, three", 1.0, 0),
    )
    bare = proven({**STABLE, measure: 2.0})
    assert StabilityGate().judge(bare) == (fails("stability", code, said, 2.0, 0),)


@pytest.mark.parametrize("measure", [*STABLE])
def test_stability_misses_every_measure(measure: str) -> None:
    left = {name: value for name, value in STABLE.items() if name != measure}
    assert StabilityGate().judge(proven(left)) == (not_measured("stability", measure),)


def test_new_tests_are_there_and_have_passed_often_enough() -> None:
    none = proven({**STABLE, "tests.new": 0.0})
    said = "no new test was collected"
    assert StabilityGate().judge(none) == (fails("stability", "no_new_test", said, 0.0, 1),)
    few = proven({**STABLE, "tests.passed_runs": 6}, section=GuardSection(runs=7))
    said = "new tests passed too few runs"
    assert StabilityGate().judge(few) == (fails("stability", "unstable_test", said, 6, 7),)
    enough = proven({**STABLE, "tests.passed_runs": 7}, section=GuardSection(runs=7))
    said = "every new test passed 7 of 7 runs, and alone"
    assert StabilityGate().judge(enough) == (passes("stability", said),)


def test_a_run_that_nobody_heard_of_holds_unless_something_fails() -> None:
    unheard = {**STABLE, "suite.silent_runs": 1.0}
    said = "runs gave no report in their time"
    assert StabilityGate().judge(proven(unheard)) == (
        holds("stability", "run_unheard", said, 1.0, 0),
    )
    (found,) = StabilityGate().judge(proven({**unheard, "tests.failing": 1.0}))
    assert found.reason_code == "new_test_fails"


@pytest.mark.parametrize("measure", SUITE)
def test_the_suite_of_the_repository_passes_as_before(measure: str) -> None:
    code, said = {**STABILITY, **OF_CODE}[measure]
    good = dict(SUITE)
    assert SuiteGate().judge(proven(good)) == (
        passes("suite", "every test that passed before passes"),
    )
    assert SuiteGate().judge(proven({**good, measure: 3.0})) == (
        fails("suite", code, said, 3.0, 0),
    )
    del good[measure]
    assert SuiteGate().judge(proven(good)) == (not_measured("suite", measure),)


@pytest.mark.parametrize("measure", INTEGRATION)
def test_what_an_integration_must_not_bring(measure: str) -> None:
    code, said = INTEGRATION[measure]
    asked = proven({**INTEGRATED, measure: 1.0}, {measure: FOUR[:1]})
    assert IntegrationGate().judge(asked) == (fails("integration", code, f"{said}: one", 1.0, 0),)


def test_an_integration_names_what_is_used_now() -> None:
    asked = proven(INTEGRATED, {"orphans.integrated": FOUR})
    assert IntegrationGate().judge(asked) == (passes("integration", "integrated: one, two, three"),)
    none = proven({**INTEGRATED, "orphans.integrated": 0.0})
    said = "no module that nothing used is used now"
    assert IntegrationGate().judge(none) == (
        fails("integration", "nothing_integrated", said, 0.0, 1),
    )
    noisy = proven({**INTEGRATED, "imports.noisy": 1.0})
    said = "importing does more than bind names"
    assert IntegrationGate().judge(noisy) == (holds("integration", "import_effect", said, 1.0, 0),)


@pytest.mark.parametrize("measure", INTEGRATED)
def test_an_integration_misses_every_measure(measure: str) -> None:
    left = {name: value for name, value in INTEGRATED.items() if name != measure}
    assert IntegrationGate().judge(proven(left)) == (not_measured("integration", measure),)


@pytest.mark.parametrize(
    ("bound", "within", "beyond"),
    [
        (Bound("m", "c", "r", most=2), [0, 2], [2.01]),
        (Bound("m", "c", "r", least=2), [2, 3], [1.99]),
        (Bound("m", "c", "r", least=1, most=2), [1, 2], [0.9, 2.1]),
        (Bound("m", "c", "r"), [-1, 0, 1], []),
    ],
)
def test_a_bound_includes_its_ends(bound: Bound, within: list[float], beyond: list[float]) -> None:
    assert [bound.objection("g", proven({"m": value})) for value in within] == [None] * len(within)
    required = bound.least if bound.most is None else bound.most
    for value in beyond:
        ruling = bound.objection("g", proven({"m": value}))
        assert ruling == Ruling("g", Answer.FAIL, "c", "r", value, required)
    assert bound.objection("g", proven({})) == not_measured("g", "m")


def test_all_failures_are_told_and_holds_only_without_them() -> None:
    first, second = Bound("a", "x", "r", most=0), Bound("b", "y", "r", most=0)
    doubt = Bound("c", "z", "r", most=0, answer=Answer.HOLD)
    high = proven({"a": 1, "b": 1, "c": 1})
    told = objections("g", high, (doubt, first, second))
    assert [each.reason_code for each in told] == ["x", "y"]
    assert [each.reason_code for each in objections("g", high, (doubt, doubt))] == ["z", "z"]
    assert objections("g", proven({"a": 0}), (first,)) == ()


def behaves(measures: dict[str, float]) -> Ruling:
    names = {"equivalence.different": FOUR, "equivalence.unknown": FOUR}
    (found,) = EquivalenceGate().judge(proven(measures, names, Stage.B))
    return found


def test_equivalence_is_of_every_callable() -> None:
    assert behaves(dict(SAME)) == passes("equivalence", "2 functions behave as before")
    assert behaves({**SAME, "equivalence.different": 1}) == fails(
        "equivalence", "behaviour_changed", "one; two", 1, 0
    )
    assert behaves({**SAME, "equivalence.equivalent": 1}) == holds(
        "equivalence", "equivalence_unknown", "one; two", 1, 2
    )
    said = "no callable was found that the change could be seen in"
    assert behaves({**SAME, "equivalence.callables": 0}) == holds(
        "equivalence", "nothing_to_compare", said, 0, 1
    )
    assert behaves({**SAME, "equivalence.callables": 1, "equivalence.equivalent": 1}).reason == (
        "1 function behaves as before"
    )


@pytest.mark.parametrize("name", ["callables", "different", "equivalent"])
def test_equivalence_needs_all_its_counts(name: str) -> None:
    left = {key: value for key, value in SAME.items() if key != f"equivalence.{name}"}
    assert behaves(left) == not_measured("equivalence", "equivalence.callables")


@pytest.mark.parametrize(("stage", "least"), [(Stage.B, 0.5), (Stage.C, 0.7)])
def test_tests_watch_the_code_as_closely_as_the_stage_asks(stage: Stage, least: float) -> None:
    just = {**WATCH, "coverage.lines.before": least}
    told = f"tests run {100 * least:.0f} % of the lines"
    assert WatchGate().judge(proven(just, stage=stage)) == (passes("watch", told),)
    few = {**WATCH, "coverage.lines.before": least - 0.000_06}
    said = f"{stage.word} needs tests that run more of the code"
    assert WatchGate().judge(proven(few, stage=stage)) == (
        fails("watch", "coverage_too_low", said, round(least - 0.0001, 4), least),
    )
    names = {"coverage.lost": ("shop.py:3", "shop.py:4", "shop.py:5", "shop.py:6")}
    said = (
        "code that no test runs stands where tests ran it (shop.py:3, shop.py:4, shop.py:5): "
        "add tests first"
    )
    assert WatchGate().judge(proven({**just, "coverage.lost": 4}, names, stage)) == (
        holds("watch", "coverage_down", said, 4, 0),
    )


@pytest.mark.parametrize("name", WATCH)
def test_watching_needs_all_its_figures(name: str) -> None:
    left = {key: value for key, value in WATCH.items() if key != name}
    missed = not_measured("watch", "coverage.lines.before")
    assert WatchGate().judge(proven(left, stage=Stage.B)) == (missed,)


def speed(measures: dict[str, float], named: bool = True) -> Ruling:
    names = {f"speed.{word}": FOUR for word in ("slower", "unknown", "same")} if named else {}
    (found,) = SpeedGate().judge(proven(measures, names, Stage.C))
    return found


def test_speed_says_which_callables() -> None:
    every = "one; two; three; four"
    assert speed({**SPEED, "speed.p50": 1.256}) == passes(
        "speed", "at least 1.26 times as fast at the median"
    )
    assert speed(dict(SPEED)) == passes("speed", "")
    assert speed({**SPEED, "speed.slower": 1}) == fails("speed", "slower", every, 1, 0)
    assert speed({**SPEED, "speed.unknown": 1}) == holds("speed", "speed_unknown", every, 1, 0)
    none = {**SPEED, "speed.faster": 0}
    assert speed(none) == fails("speed", "not_faster", every, 0, 1)
    assert speed(none, named=False) == fails("speed", "not_faster", "nothing is faster", 0, 1)
    both = {**SPEED, "speed.slower": 1, "speed.unknown": 1}
    assert speed(both).reason_code == "slower"


@pytest.mark.parametrize("name", SPEED)
def test_speed_needs_all_its_counts(name: str) -> None:
    left = {key: value for key, value in SPEED.items() if key != name}
    assert speed(left) == not_measured("speed", "speed.faster")


def test_memory_may_grow_by_its_share() -> None:
    section = GuardSection(memory=0.25)
    fine = proven({"memory.ratio": 1.25}, section=section)
    assert MemoryGate().judge(fine) == (passes("memory", "memory is as before, or nearly"),)
    much = proven({"memory.ratio": 1.25049}, {"memory.ratio": FOUR[:2]}, section=section)
    said = "calls need more memory: one; two"
    assert MemoryGate().judge(much) == (fails("memory", "memory_up", said, 1.25, 1.25),)
    more = proven({"memory.ratio": 2.12345}, section=GuardSection(memory=0.12345))
    (found,) = MemoryGate().judge(more)
    assert (found.measured, found.required) == (2.123, 1.123)
    assert MemoryGate().judge(proven({})) == (not_measured("memory", "memory.ratio"),)


def worth(changed: dict[str, float | None], names: tuple[str, ...] = ()) -> list[Ruling]:
    both: dict[str, float | None] = {**WORTH, **changed}
    left = {name: value for name, value in both.items() if value is not None}
    return list(WorthGate().judge(proven(left, {"tests.blunt": names})))


SEEN = passes("worth", "the new tests notice or run more than the old")
NOTHING = fails(
    "worth", "adds_nothing", "no line or branch newly covered, and no mutant newly killed", 0, 1
)
UNTESTED = "what the new tests notice first, they notice without their assertions"


@pytest.mark.parametrize(
    ("gained", "killed", "told"),
    [
        (1, 0, SEEN),
        (0, 1, SEEN),
        (None, 1, SEEN),
        (1, None, SEEN),
        (0, 0, NOTHING),
        (None, 0, NOTHING),
        (0, None, not_measured("worth", "mutants.newly_killed")),
        (None, None, not_measured("worth", "coverage.gained")),
    ],
)
def test_tests_are_worth_lines_or_mutants(
    gained: float | None, killed: float | None, told: Ruling
) -> None:
    assert worth({"coverage.gained": gained, "mutants.newly_killed": killed}) == [told]


def test_an_assertion_has_to_make_the_difference() -> None:
    assert worth({"mutants.reached": None}) == [not_measured("worth", "mutants.reached")]
    missed = not_measured("worth", "mutants.killed_by_assertion")
    assert worth({"mutants.killed_by_assertion": None}) == [missed]
    assert worth({"mutants.reached": 0, "mutants.killed_by_assertion": 0}) == [SEEN]
    assert worth({"mutants.reached": 1, "mutants.killed_by_assertion": 1}) == [SEEN]
    assert worth({"mutants.reached": 1, "mutants.killed_by_assertion": 0}) == [
        fails("worth", "coverage_without_assertion", UNTESTED, 0, 1)
    ]


def test_blunt_tests_are_named() -> None:
    assert worth({"tests.blunt": None}) == [not_measured("worth", "tests.blunt")]
    said = "tests that notice no change of the code they run: one, two, three"
    assert worth({"tests.blunt": 1}, FOUR) == [fails("worth", "blunt_test", said, 1, 0)]


def score(measures: dict[str, float], stage: Stage = Stage.A) -> Ruling:
    (found,) = MutationGate().judge(proven(measures, stage=stage))
    return found


def test_the_mutation_score_does_not_fall() -> None:
    assert score(dict(SCORE)) == passes("mutation", "mutation score 50 % to 60 %")
    same = {**SCORE, "mutants.score.after": 0.5}
    assert score(same) == passes("mutation", "mutation score 50 % to 50 %")
    assert score({"mutants.judged": 0}) == passes("mutation", "mutation score no mutants")
    assert score({}) == not_measured("mutation", "mutants.judged")
    said = "the suite notices fewer of the same mutants than before"
    lower = {**SCORE, "mutants.score.after": 0.4}
    assert score(lower) == fails("mutation", "mutation_score_down", said, 0.4, 0.5)
    assert score(lower, Stage.B) == holds("mutation", "mutation_score_down", said, 0.4, 0.5)
    none = {**lower, "mutants.judged": 0}
    assert score(none).reason_code == "mutation_score_down"


def test_a_second_look_that_fails_leaves_no_score() -> None:
    asked = proven({**SCORE, "mutants.doubted": 2.0}, {"mutants.doubted": FOUR})
    said = "fresh processes judge mutants otherwise: one, two, three"
    assert MutationGate().judge(asked) == (holds("mutation", "mutants_doubted", said, 2.0, 0),)
    assert MutationGate().judge(proven({**SCORE, "mutants.doubted": 0.0})) == MutationGate().judge(
        proven(SCORE)
    )


@pytest.mark.parametrize("when", ["before", "after"])
def test_both_mutation_scores_are_needed(when: str) -> None:
    left = {key: value for key, value in SCORE.items() if not key.endswith(when)}
    assert score(left) == not_measured("mutation", "mutants.score.after")
    assert score({**left, "mutants.judged": 0}).reason == "mutation score no mutants"


GATES: list[tuple[Gate, str]] = [
    (StabilityGate(), "stability"), (SuiteGate(), "suite"), (WorthGate(), "worth"),
    (MutationGate(), "mutation"), (EquivalenceGate(), "equivalence"), (WatchGate(), "watch"),
    (SpeedGate(), "speed"), (MemoryGate(), "memory"), (IntegrationGate(), "integration"),
]  # fmt: skip


@pytest.mark.parametrize(("gate", "name"), GATES)
def test_every_gate_says_its_name(gate: Gate, name: str) -> None:
    assert gate.name == name
    assert gate == type(gate)()
    assert not hasattr(gate, "__dict__")
    with pytest.raises(FrozenInstanceError):
        setattr(gate, "name", "another")  # noqa: B010
    assert {each.gate for each in gate.judge(proven({}))} == {name}
