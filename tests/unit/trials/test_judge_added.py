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


BEFORE = {
    each.mutant.id: each
    for each in (
        judged("lives", MutantVerdict.SURVIVED),
        judged("unseen", MutantVerdict.NOT_COVERED),
        judged("old", MutantVerdict.KILLED, OLD),
        judged("hangs", MutantVerdict.TIMEOUT),
        judged("same", MutantVerdict.EQUIVALENT),
    )
}


def test_only_what_the_suite_leaves_open_is_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[frozenset[str] | None] = []

    def judge(
        tree: Any,
        sandbox: Any,
        plan: Any,
        lines: Any,
        only: frozenset[str] | None = None,
        *more: Any,
        **named: Any,
    ) -> Mapping[str, JudgedMutant]:
        asked.append(only)
        if only is None:
            return BEFORE
        return {name: judged(name, MutantVerdict.KILLED, NEW) for name in only}

    monkeypatch.setattr(mutants, "judge_mutants", judge)
    look = TestLook(OLD, "passed", "", 0.0, False, False, {"a.py": {"f": frozenset({1})}})
    tree = MeasuredTree(None, CoverageMap((look,), {}, {}, 0.0))
    compared = mutants.judge_added(tree, tree, {}, None, TrialPlan(), [])  # type: ignore[arg-type]
    assert asked == [None, frozenset({"lives", "unseen"})]
    assert set(compared.newly_killed) == {"lives", "unseen"}
    assert compared.was_seen("old")
    assert set(compared.common) == {"lives", "unseen", "old", "hangs"}


def test_of_what_is_left_open_and_of_what_is_noticed_the_same_share_is_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    left = {f"open{n}": judged(f"open{n}", MutantVerdict.SURVIVED) for n in range(40)}
    seen = {f"seen{n}": judged(f"seen{n}", MutantVerdict.KILLED, OLD) for n in range(80)}

    def judge(*given: Any, **named: Any) -> Mapping[str, JudgedMutant]:
        only = given[4] if len(given) > 4 else None
        return {**left, **seen} if only is None else {name: left[name] for name in only}

    monkeypatch.setattr(mutants, "judge_mutants", judge)
    tree = MeasuredTree(None, CoverageMap((), {}, {}, 0.0))
    plan = TrialPlan(GuardSection(mutants=10))
    compared = mutants.judge_added(tree, tree, {}, None, plan, [])  # type: ignore[arg-type]
    assert len(compared.common) == 10 + 20
    assert compared.score("before") == compared.score("after") == 20 / 30


@pytest.mark.parametrize(
    ("count", "wanted", "is_enough"), [(5, 5, True), (5, 6, False), (10, 60, True), (0, 0, True)]
)
def test_a_few_of_many_mutants_say_nothing(count: int, wanted: int, is_enough: bool) -> None:
    some = {str(each): judged(str(each), MutantVerdict.KILLED) for each in range(count)}
    assert mutants.MutantsCompared(some, some, wanted).is_enough is is_enough
    uncovered = {name: judged(name, MutantVerdict.NOT_COVERED) for name in some}
    assert mutants.MutantsCompared(some, uncovered, wanted).is_enough is (count >= wanted)


def test_a_mutant_that_only_made_the_old_code_hang_is_not_lost_where_the_new_one_ends() -> None:
    before = {"a": judged("a", MutantVerdict.TIMEOUT), "b": judged("b", MutantVerdict.KILLED)}
    after = {name: judged(name, MutantVerdict.SURVIVED) for name in before}
    found = mutants.MutantsCompared(before, after, 2)
    assert found.common == ("b",)
    assert found.no_longer_killed == ("b",)


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
    monkeypatch.setattr(mutants, "_survey", lambda *given: [BEFORE["lives"].mutant])
    monkeypatch.setattr(mutants, "align_mutants", lambda *given: {n: n.upper() for n in names})
    tree: Any = MeasuredTree(
        Project("/repo", (), (), (), (), (), None), CoverageMap((), {}, {}, 0.0)
    )
    plan = TrialPlan(section=GuardSection(budget_seconds=80.0))
    lines: Any = ({}, {})
    found = mutants.judge_same_mutants(tree, tree, lines, None, plan, Change(()), [])  # type: ignore[arg-type]
    assert asked == [({"a", "b", "c"}, 10.0), ({"A", "B"}, 10.0)]
    assert (set(found.before), set(found.after), found.wanted) == ({"a", "b"}, {"a", "b"}, 3)
