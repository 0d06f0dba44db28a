"""`check_equivalence`: the verdict about two versions of a callable."""

import ast
import re

from reverie.instruments.equivalence.confirm import confirm, shrink
from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.expression import expression_of, script_of
from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.laboratory import Laboratory, NoSense, NotLoaded
from reverie.instruments.equivalence.scenario import Scenario, Step
from reverie.instruments.equivalence.search import Deadline, Search, Sighting
from reverie.instruments.equivalence.targets import Version
from reverie.model.equivalence import (
    BranchCoverage,
    Counterexample,
    DifferenceKind,
    Equivalence,
    EquivalenceVerdict,
    Observation,
)
from reverie.sandbox.engine import Sandbox

STEP_SECONDS = 0.5
COVERED = 0.95
LEAST_INPUTS = 1000
QUIET_WHEN_COVERED = 500
LEAST_COVERED = 0.75
QUIET_WHEN_EXHAUSTED = 1500
MOST_NOISE = 6
_NUMBER = re.compile(r"\d+")


def compare_versions(
    sandbox: Sandbox, old: Version, new: Version, *, budget_seconds: float = 20.0, seed: int = 1337
) -> Equivalence:
    """The verdict: first the instrument proves itself, then the search goes on until it may stop."""
    facts = gather_facts(old, new)
    laboratory = Laboratory(sandbox, facts, STEP_SECONDS)
    contract = Contract.read(ast.get_docstring(old.node), facts.parameters)
    return Trial(laboratory, Search(laboratory, contract, seed)).run(Deadline(budget_seconds))


class Trial:
    """One comparison, from the first batch to the verdict."""

    def __init__(self, laboratory: Laboratory, search: Search) -> None:
        self.laboratory = laboratory
        self.search = search
        self.unconfirmed = 0
        self.noise: set[DifferenceKind] = set()

    def run(self, deadline: Deadline) -> Equivalence:
        """Batches until a difference is confirmed, the stop rule holds, or time is over."""
        while True:
            scenarios = self.search.batch()
            pairs = self.laboratory.observe_pairs(scenarios)
            for sighting in self.search.learn(scenarios, pairs):
                found = self._confirmed(sighting)
                if found is not None:
                    return self._conclude(EquivalenceVerdict.DIFFERENT, None, found)
                if self.unconfirmed > MOST_NOISE:
                    break
            ruling = self._ruling(deadline)
            if ruling is not None:
                return ruling

    def _ruling(self, deadline: Deadline) -> Equivalence | None:
        progress = self.search.progress
        if DifferenceKind.VALUE in self.noise or DifferenceKind.EXCEPTION in self.noise:
            return self._conclude(EquivalenceVerdict.UNKNOWN, "the old version differs from itself")
        is_covered = min(self.search.coverage()) >= COVERED
        quiet = QUIET_WHEN_COVERED if is_covered else QUIET_WHEN_EXHAUSTED
        if progress.inputs >= LEAST_INPUTS and progress.since_news >= quiet:
            return self._quiet()
        if deadline.is_over:
            return self._conclude(EquivalenceVerdict.UNKNOWN, "the budget was spent")
        return None

    def _quiet(self) -> Equivalence:
        if self.search.progress.conclusive < 30:
            return self._conclude(EquivalenceVerdict.UNKNOWN, "no inputs that fit were found")
        if min(self.search.coverage()) < LEAST_COVERED:
            return self._conclude(EquivalenceVerdict.UNKNOWN, "too few branches were reached")
        return self._conclude(EquivalenceVerdict.EQUIVALENT, None)

    def _confirmed(self, sighting: Sighting) -> Counterexample | None:
        for scenario in (sighting.scenario, _with_history(sighting)):
            answer = confirm(self.laboratory, scenario, self.search.lens)
            self.noise |= answer.noise
            self.search.ignore(answer.noise)
            if answer.difference is not None:
                return self._shrunk(scenario, answer.difference.kind)
        self.unconfirmed += 1
        return None

    def _shrunk(self, scenario: Scenario, kind: DifferenceKind) -> Counterexample | None:
        lens = self.search.lens
        for candidate in (shrink(self.laboratory, scenario, kind, lens), scenario):
            found = confirm(self.laboratory, candidate, lens).difference
            is_slow = kind is DifferenceKind.TERMINATION and not _is_small(candidate)
            if found is not None and found.kind is kind and not is_slow:
                return self._counterexample(candidate, kind, found.old, found.new)
        return None

    def _counterexample(
        self, scenario: Scenario, kind: DifferenceKind, old: Observation, new: Observation
    ) -> Counterexample:
        facts = self.laboratory.facts
        expression = expression_of(scenario, facts.old.qualname, kind)
        script = script_of(scenario, expression, facts.old, facts.new)
        return Counterexample(expression, kind, old, new, script)

    def _conclude(
        self,
        verdict: EquivalenceVerdict,
        reason: str | None,
        counterexample: Counterexample | None = None,
    ) -> Equivalence:
        old, new = self.search.coverage()
        coverage = BranchCoverage(round(old, 4), round(new, 4))
        return Equivalence(verdict, self.search.progress.inputs, coverage, counterexample, reason)


def _is_small(scenario: Scenario) -> bool:
    """Whether the arguments are so small that a version which does not end on them hangs."""
    numbers = (int(each) for step in scenario.steps for each in _NUMBER.findall(step.call.arguments))
    return max(numbers, default=0) <= 1000


def _with_history(sighting: Sighting) -> Scenario:
    before: tuple[Step, ...] = tuple(step for each in sighting.before for step in each.steps)
    return Scenario((*before, *sighting.scenario.steps))
