"""What a suite that was only added to noticed before: asked about only where it is open."""

from collections.abc import Mapping
from typing import Any

import pytest

from reverie.instruments.mutation.project import Project
from reverie.model.change import Change
from reverie.model.measurements.suite import (
    CoverageMap,
    JudgedMutant,
    Mutant,
    MutantVerdict,
    TestLook,
)
from reverie.model.settings.judgement import GuardSection
from reverie.trials import mutants
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import MeasuredTree

OLD, NEW = "tests/test_a.py::test_old", "tests/test_b.py::test_new"


def judged(name: str, verdict: MutantVerdict, killer: str | None = None) -> JudgedMutant:
    return JudgedMutant(
        Mutant(name, "a.py", 1, "x", "f", "f", 1, 1, 0, 1, "None", 0), verdict, killer
    )


AFTER = {
    each.mutant.id: each
    for each in (
        judged("lives", MutantVerdict.SURVIVED),
        judged("old", MutantVerdict.KILLED, OLD),
        judged("new", MutantVerdict.KILLED, NEW),
        judged("hangs", MutantVerdict.TIMEOUT),
        judged("same", MutantVerdict.EQUIVALENT),
    )
}


def test_only_what_a_new_test_noticed_first_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[frozenset[str]] = []

    def judge(
        tree: Any, sandbox: Any, plan: Any, lines: Any, only: frozenset[str]
    ) -> Mapping[str, JudgedMutant]:
        asked.append(only)
        return {name: judged(name, MutantVerdict.SURVIVED) for name in only}

    monkeypatch.setattr(mutants, "judge_mutants", judge)
    look = TestLook(OLD, "passed", "", 0.0, False, False, {"a.py": {"f": frozenset({1})}})
    base = MeasuredTree(None, CoverageMap((look,), {}, {}, 0.0))
    before = mutants.judge_before(base, AFTER, None, TrialPlan(), {})  # type: ignore[arg-type]
    assert asked == [frozenset({"new", "hangs"})]
    compared = mutants.MutantsCompared(before, AFTER)
    assert set(compared.newly_killed) == {"new", "hangs"}
    assert compared.was_seen("old")
    assert set(compared.common) == {"lives", "old", "new", "hangs"}


@pytest.mark.parametrize(
    ("count", "wanted", "is_enough"), [(5, 5, True), (5, 6, False), (10, 60, True), (0, 0, True)]
)
def test_a_few_of_many_mutants_say_nothing(count: int, wanted: int, is_enough: bool) -> None:
    some = {str(each): judged(str(each), MutantVerdict.KILLED) for each in range(count)}
    assert mutants.MutantsCompared(some, some, wanted).is_enough is is_enough
    uncovered = {name: judged(name, MutantVerdict.NOT_COVERED) for name in some}
    assert mutants.MutantsCompared(some, uncovered, wanted).is_enough is (count >= wanted)


def test_after_a_change_only_what_got_a_verdict_before_is_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[tuple[set[str], float]] = []

    def judge(
        tree: Any,
        sandbox: Any,
        plan: Any,
        lines: Any,
        only: frozenset[str],
        doubted: Any,
        most: float,
    ) -> Mapping[str, JudgedMutant]:
        asked.append((set(only), most))
        return {name: judged(name, MutantVerdict.KILLED) for name in sorted(only)[:2]}

    names = ["a", "b", "c"]
    monkeypatch.setattr(mutants, "judge_mutants", judge)
    monkeypatch.setattr(mutants, "_survey", lambda *given: [AFTER["lives"].mutant])
    monkeypatch.setattr(mutants, "align_mutants", lambda *given: {n: n.upper() for n in names})
    tree: Any = MeasuredTree(
        Project("/repo", (), (), (), (), (), None), CoverageMap((), {}, {}, 0.0)
    )
    plan = TrialPlan(section=GuardSection(budget_seconds=80.0))
    lines: Any = ({}, {})
    found = mutants.judge_same_mutants(tree, tree, lines, None, plan, Change(()), [])  # type: ignore[arg-type]
    assert asked == [({"a", "b", "c"}, 10.0), ({"A", "B"}, 10.0)]
    assert (set(found.before), set(found.after), found.wanted) == ({"a", "b"}, {"a", "b"}, 3)
