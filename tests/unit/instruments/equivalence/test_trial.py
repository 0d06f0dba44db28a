"""The stop rule, with versions that are plain functions here instead of code in the sandbox."""

import ast
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.laboratory import BudgetSpent, Deadline, Growth, NoSense, Pair
from reverie.instruments.equivalence.scenario import Scenario, Trace
from reverie.instruments.equivalence.search import Search
from reverie.instruments.equivalence.targets import Version, version_of
from reverie.instruments.equivalence.trial import Trial
from reverie.model.call import Call, Expression
from reverie.model.measurements.equivalence import Equivalence, Observation
from reverie.model.sections import EquivalenceSection

SOURCE = "def f(n: int) -> int:\n    return n\n"
QUICK = EquivalenceSection(
    seed=1337,
    least_inputs=100,
    quiet_inputs=50,
    exhausted_inputs=80,
    least_coverage=0.5,
    budget_seconds=60,
)
Behaviour = Callable[[int], Any]


class Bench:
    """Stands for the laboratory: every call is made here, every branch is always taken."""

    step_seconds = 0.5

    def __init__(self, old: Behaviour, new: Behaviour, abroad: Behaviour | None = None) -> None:
        self.abroad = abroad or new
        self.deadline = Deadline(60)
        self.facts = gather_facts(version_of(SOURCE, "f"), version_of(SOURCE, "f"))
        self.behaviours = {id(self.facts.old): old, id(self.facts.new): new}
        self.branches: list[dict[int, str]] = [{1: "n > 1"}, {1: "n > 1"}]
        self.taken = frozenset({1})
        self.runs = 0
        self.growths: list[Growth] = []

    @property
    def homes(self) -> list[dict[int, str]]:
        """All branches are in the one function there is."""
        return [dict.fromkeys(each, "f") for each in self.branches]

    def observe_pairs(self, scenarios: Sequence[Scenario]) -> Iterator[Pair]:
        for each in scenarios:
            yield Pair(self._trace(self.facts.old, each), self._trace(self.facts.new, each))

    def elsewhere(self) -> "Bench":
        """The same, or what the new version does on another machine."""
        return Bench(self.behaviours[id(self.facts.old)], self.abroad)

    def observe_alone(
        self, version: Version, scenario: Scenario, seconds: float, ballast: int = 0
    ) -> Trace:
        return self._trace(version, scenario)

    def _trace(self, version: Version, scenario: Scenario) -> Trace:
        self.runs += 1
        return Trace(tuple(self._seen(version, step.call) for step in scenario.steps), self.taken)

    def _seen(self, version: Version, call: Any) -> Observation:
        given = [*call.args, *(value for _, value in call.kwargs)]
        try:
            return Observation(
                "returned", repr(self.behaviours[id(version)](ast.literal_eval(given[0].source)))
            )
        except (TypeError, IndexError, ValueError):
            return Observation("raised", "TypeError", is_misfit=True)


def judge(bench: Bench, section: EquivalenceSection = QUICK) -> Equivalence:
    search = Search(bench, Contract(), section.seed)  # type: ignore[arg-type]
    return Trial(bench, search, section).run(Deadline(section.budget_seconds))  # type: ignore[arg-type]


def same(n: int) -> int:
    return n


def test_a_covered_and_quiet_search_is_equivalent() -> None:
    answer = judge(Bench(same, same))
    assert (answer.verdict, answer.reason) == ("equivalent", None)
    assert answer.inputs >= QUICK.least_inputs
    assert answer.branch_coverage.old == 1.0


def test_versions_that_part_on_another_machine_are_different() -> None:
    answer = judge(Bench(same, same, abroad=lambda n: n + 1))
    assert answer.verdict == "different"
    assert answer.counterexample is not None
    assert answer.counterexample.kind == "machine"


def test_a_difference_is_shrunk_to_the_smallest() -> None:
    answer = judge(Bench(same, lambda n: n if n < 10 else -n))
    assert answer.counterexample is not None
    assert (answer.verdict, answer.counterexample.expression) == ("different", "f(10)")


def test_without_time_it_stays_unknown() -> None:
    spent = EquivalenceSection(budget_seconds=0.1, least_inputs=10_000_000)
    answer = judge(Bench(same, same), spent)
    assert (answer.verdict, answer.reason) == ("unknown", "the budget was spent")


def test_branches_that_were_not_reached_leave_it_unknown() -> None:
    bench = Bench(same, same)
    bench.branches = [{1: "a", 2: "b", 4: "c"}, {1: "a"}]
    answer = judge(bench)
    assert (answer.verdict, answer.reason) == ("unknown", "too few branches were reached")


def test_a_changed_condition_has_to_be_decided() -> None:
    bench = Bench(same, same)
    bench.branches = [{1: "n > 1"}, {1: "n > 1", 3: "n == 997"}]
    answer = judge(bench)
    assert answer.verdict == "unknown"
    assert "n == 997" in str(answer.reason)


def test_an_unchanged_condition_may_stay_undecided_when_the_search_is_exhausted() -> None:
    bench = Bench(same, same)
    both = {1: "n > 1", 3: "n == 997"}
    bench.branches = [both, both]
    assert judge(bench).verdict == "equivalent"


def test_inputs_that_never_fit_leave_it_unknown() -> None:
    def unfit(n: int) -> int:
        raise TypeError

    answer = judge(Bench(unfit, unfit))
    assert answer.verdict == "unknown"


def test_an_old_version_that_wavers_leaves_it_unknown() -> None:
    turns = iter(range(10**9))
    answer = judge(Bench(lambda n: next(turns), same))
    assert (answer.verdict, answer.reason) == ("unknown", "the old version differs from itself")


def test_answers_that_make_no_sense_leave_it_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def forged(self: Bench, scenarios: Sequence[Scenario]) -> Iterator[Pair]:
        raise NoSense("KeyError: 'steps'")

    monkeypatch.setattr(Bench, "observe_pairs", forged)
    answer = judge(Bench(same, same))
    assert answer.verdict == "unknown"
    assert "meddled" in str(answer.reason)


def test_a_difference_that_there_is_no_time_to_shrink_is_shown_as_it_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(same, lambda n: n if n < 10 else -n)
    seen = bench.observe_pairs
    batches = iter(range(10**9))

    def until_the_end(scenarios: Sequence[Scenario]) -> Iterator[Pair]:
        if next(batches):
            raise BudgetSpent
        return seen(scenarios)

    monkeypatch.setattr(bench, "observe_pairs", until_the_end)
    answer = judge(bench)
    assert answer.verdict == "different"
    assert answer.counterexample is not None
    assert answer.counterexample.expression != "f(10)"


def test_a_version_that_runs_into_the_deadline_leaves_it_unknown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def too_late(self: Bench, scenarios: Sequence[Scenario]) -> Iterator[Pair]:
        raise BudgetSpent

    monkeypatch.setattr(Bench, "observe_pairs", too_late)
    answer = judge(Bench(same, same))
    assert (answer.verdict, answer.reason) == ("unknown", "the budget was spent")


def test_after_a_few_slow_inputs_the_search_turns_to_smaller_ones() -> None:
    recursive = "def f(n: int) -> int:\n    return f(n - 1) if n else 0\n"
    bench = Bench(same, same)
    bench.facts = gather_facts(version_of(recursive, "f"), version_of(recursive, "f"))
    search = Search(bench, Contract(), 1)  # type: ignore[arg-type]
    slow = Trace((Observation("timeout"),))
    tried = [Scenario.of(Call((Expression(str(n)),))) for n in (40, 30, 25, 24, 9)]
    assert list(search.learn(tried, [Pair(slow, slow)] * len(tried))) == []
    assert search.progress.inputs == 3
    assert [each.call.arguments for each in search.batch()] == ["9"]
