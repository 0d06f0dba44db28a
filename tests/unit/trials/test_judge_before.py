"""What a suite that was only added to noticed before: asked about only where it is open."""

from collections.abc import Mapping
from typing import Any

import pytest

from reverie.model.mutation import CoverageMap, JudgedMutant, Mutant, MutantVerdict, TestLook
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
