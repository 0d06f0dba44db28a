"""One comparison, from targets or sources to the verdict: the stop rule and the last word.

`check_equivalence` and `compare_versions` are the front door; the instrument is proven first.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from os import PathLike
from pathlib import Path

from reverie.home.seal import seed_of
from reverie.instruments.equivalence.contract import Contract
from reverie.instruments.equivalence.counterexamples import (
    confirm,
    difference_elsewhere,
    expression_of,
    grows_without_end,
    is_fragile,
    overlapping_difference,
    script_of,
    shrink,
)
from reverie.instruments.equivalence.facts import gather_facts
from reverie.instruments.equivalence.laboratory import (
    BudgetSpent,
    Deadline,
    Laboratory,
    NoSense,
    NotLoaded,
    Pair,
)
from reverie.instruments.equivalence.mutants import Weighing
from reverie.instruments.equivalence.proven import laws_of_versions
from reverie.instruments.equivalence.scenario import NOTHING, Difference, Scenario, Shown, Step
from reverie.instruments.equivalence.search import Search, Sighting
from reverie.instruments.equivalence.targets import Version, read_version
from reverie.instruments.self_check import Proofs
from reverie.model.call import Call
from reverie.model.measurements.equivalence import (
    Adequacy,
    BranchCoverage,
    Counterexample,
    DifferenceKind,
    Equivalence,
    EquivalenceVerdict,
    Observation,
    proven_equivalent,
)
from reverie.model.sections import EquivalenceSection
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.observation import Spending

_MOST_UNCONFIRMED = 6
_MOST_FRAGILE = 12
_MANY = 1500
"""Calls after which a cache with a sensible bound is full."""
_LEAST_CONCLUSIVE = 30
_SHOWN = 100
_ELSEWHERE = 200
"""Calls that are tried on another machine as well: those that brought news."""
_DEAR_SECONDS = 0.01
_FEWEST = 150
"""Inputs without which nothing is claimed, however long one takes."""
_HOPELESS_AFTER = 600
"""Inputs none of which fits the callable: no further ones will."""
_MOST_TIMES = 4
"""How many times the least number of inputs is tried before it is said that there is no end."""
_FURTHER_BATCHES = 4
"""Batches that are tried for the sake of mutants that survive."""
_DIRECTED_BATCHES = 12
"""Towards a changed condition that nothing has decided, as long as half of the time is left."""
_HANGS_UP_TO = 1000
"""A version that does not end on numbers up to this hangs; on larger ones it may just be slow."""
_NUMBER = re.compile(r"\d+")
_WAVERS = frozenset({DifferenceKind.VALUE, DifferenceKind.EXCEPTION})


class Trial:
    """Batches, sightings, and what may be concluded from them."""

    def __init__(
        self,
        laboratory: Laboratory,
        search: Search,
        section: EquivalenceSection,
        progress: Callable[[int, float, float], None] | None = None,
        shown: Shown = NOTHING,
    ) -> None:
        self.laboratory = laboratory
        self.search = search
        self.search.progress.take(shown)
        self.shown = shown
        self.section = section
        self.noise: set[DifferenceKind] = set()
        self.unconfirmed = 0
        self.fragile: list[Counterexample] = []
        """Counter-examples that show in most interpreters only."""
        self.adequacy: Adequacy | None = None
        self._progress = progress or (lambda inputs, old, new: None)

    def run(self, deadline: Deadline) -> Equivalence:
        """The verdict; code that cannot be run, or meddles with its answers, leaves it unknown."""
        try:
            return self._search(deadline)
        except NotLoaded as error:
            return self._not_loaded(error)
        except BudgetSpent:
            return self._spent()
        except NoSense as error:
            reason = f"the code under test meddled with its answers: {error}"
            return self._conclude(EquivalenceVerdict.UNKNOWN, reason)

    def _search(self, deadline: Deadline) -> Equivalence:
        while True:
            ruling = self._batch(deadline) or self._ruling(deadline)
            if ruling is not None:
                return ruling

    def _batch(self, deadline: Deadline) -> Equivalence | None:
        """The next scenarios; a difference that holds ends the search."""
        scenarios = self.search.batch()
        pairs = self._until(deadline, self.laboratory.observe_pairs(scenarios))
        for sighting in self.search.learn(scenarios, pairs):
            if self.search.avoids(sighting.scenario):
                continue
            found = self._confirmed(sighting)
            if found is not None:
                return self._conclude(EquivalenceVerdict.DIFFERENT, None, found)
            if self.unconfirmed > _MOST_UNCONFIRMED or deadline.is_over:
                break
        self._progress(self.search.progress.inputs, *self.search.coverage())
        return None

    def _until(self, deadline: Deadline, pairs: Iterable[Pair]) -> Iterator[Pair]:
        """Pairs as long as there is time; at least one, so that something is seen."""
        for pair in pairs:
            yield pair
            if deadline.is_over:
                return

    def _ruling(self, deadline: Deadline) -> Equivalence | None:
        progress, section = self.search.progress, self.section
        if self.fragile and progress.inputs >= section.least_inputs:
            return self._spent()
        if self.noise & _WAVERS:
            return self._conclude(EquivalenceVerdict.UNKNOWN, "the old version differs from itself")
        if self.unconfirmed > _MOST_UNCONFIRMED:
            reason = "differences were seen that fresh processes did not show again"
            return self._conclude(EquivalenceVerdict.UNKNOWN, reason)
        is_covered = min(self.search.coverage()) >= section.coverage
        quiet = section.quiet_inputs if is_covered else section.exhausted_inputs
        is_quiet = progress.since_news >= quiet and progress.novelty <= section.novelty
        is_enough = progress.inputs >= section.least_inputs and is_quiet
        is_dear = self.shown.inputs > 0 or deadline.spent >= _DEAR_SECONDS * progress.inputs
        if not is_enough and is_dear and deadline.is_half_over and progress.inputs >= _FEWEST:
            # What takes long to call, or was called by tests already, is judged by what its
            # inputs would notice.
            is_enough = progress.since_news >= _FEWEST // 3 and progress.novelty <= section.novelty
        if progress.inputs >= _HOPELESS_AFTER and not progress.conclusive:
            return self._quiet(deadline)
        if is_enough or progress.inputs >= _MOST_TIMES * section.least_inputs:
            return self._quiet(deadline)
        return self._spent() if deadline.is_over else None

    def _spent(self) -> Equivalence:
        """No time is left: a counter-example that depends on luck is one nevertheless."""
        if self.fragile:
            return self._conclude(EquivalenceVerdict.DIFFERENT, None, self.fragile[-1])
        return self._wanting("the budget was spent")

    def _quiet(self, deadline: Deadline) -> Equivalence:
        """No difference, and nothing new to be seen: is that enough?"""
        is_fitting = self.search.progress.conclusive >= _LEAST_CONCLUSIVE
        for _ in range(_DIRECTED_BATCHES if is_fitting else 0):
            if deadline.is_half_over or self.search.unreached_change() is None:
                break
            ruling = self._batch(deadline)
            if ruling is not None:
                return ruling
        if self.search.progress.conclusive < _LEAST_CONCLUSIVE:
            return self._wanting("too few inputs were found that fit the callable")
        if min(self.search.changed_coverage()) < self.section.least_coverage:
            return self._wanting("too few branches were reached")
        doubt = self.search.doubt
        if doubt is not None:
            shown = doubt.call.render(self.laboratory.facts.old.qualname)
            reason = f"they differ on {shown[:_SHOWN]}, which the docstring may exclude"
            return self._conclude(EquivalenceVerdict.UNKNOWN, reason)
        unreached = self.search.unreached_change()
        if unreached is not None:
            return self._wanting(
                f"no input was found that decides a changed condition: {unreached}"
            )
        novelty = self.search.progress.novelty
        if novelty > self.section.novelty:
            reason = (
                f"one input in {1 / novelty:.0f} still shows behaviour that was not seen before"
            )
            return self._conclude(EquivalenceVerdict.UNKNOWN, reason)
        return (
            self._beyond_single_calls()
            or self._weighed(deadline)
            or self._conclude(EquivalenceVerdict.EQUIVALENT, None)
        )

    def _weighed(self, deadline: Deadline) -> Equivalence | None:
        """Whether the inputs would have noticed mutants of what changed; if not, more inputs."""
        search, least = self.search, self.section.adequacy
        weighing = Weighing(self.laboratory, self.section.seed, self.shown)
        corpus = [Scenario.of(each) for each in search.corpus]
        self.adequacy = weighing.weigh(corpus, search.tried)
        for _ in range(_FURTHER_BATCHES):
            if self.adequacy.is_enough(least) or deadline.is_over:
                break
            before = len(search.tried)
            ruling = self._batch(deadline)
            if ruling is not None:
                return ruling
            weighing.hold_against(search.tried[before:])
            self.adequacy = weighing.found()
        if self.adequacy.is_enough(least):
            return None
        if deadline.is_over:
            return self._spent()
        if self.adequacy.share >= least and (untried := self.adequacy.untried) is not None:
            reason = (
                f"no input was found for which {untried.code[:_SHOWN]} makes a difference "
                f"(line {untried.line} of {untried.version})"
            )
            return self._wanting(reason)
        shown = self.adequacy.survivors[0]
        reason = (
            f"the inputs would notice {self.adequacy.share:.0%} of changes to the changed code, "
            f"and not {shown.code[:_SHOWN]} in line {shown.line} of {shown.version}"
        )
        return self._wanting(reason)

    def _beyond_single_calls(self) -> Equivalence | None:
        """The last doubts: calls that overlap, and what many calls add up to."""
        search = self.search
        calls = [Scenario.of(each) for each in search.corpus[:_ELSEWHERE]]
        found = difference_elsewhere(
            self.laboratory, calls, search.difference, search.lens
        ) or overlapping_difference(self.laboratory, search.corpus, search.chance)
        if found is not None:
            shown = self._counterexample(*found)
            return self._conclude(EquivalenceVerdict.DIFFERENT, None, shown)
        if self.laboratory.facts.becomes_inexact:
            reason = "the new version computes with floats what the old one computed exactly"
            return self._conclude(EquivalenceVerdict.UNKNOWN, reason)
        if self.laboratory.facts.exchanged:
            reason = f"texts are asked otherwise: {self.laboratory.facts.exchanged}"
            return self._conclude(EquivalenceVerdict.UNKNOWN, reason)
        if grows_without_end(self.laboratory, lambda: search.many(_MANY)):
            reason = "the new version keeps something of every call, and the old one does not"
            return self._conclude(EquivalenceVerdict.UNKNOWN, reason)
        return None

    def _not_loaded(self, error: NotLoaded) -> Equivalence:
        """An old version that cannot be imported says nothing; a new one that cannot, differs."""
        facts = self.laboratory.facts
        if error.version is not facts.new:
            return self._conclude(EquivalenceVerdict.UNKNOWN, f"it cannot be imported: {error}")
        try:
            self.laboratory.check_loads(facts.old)
        except NotLoaded as other:
            return self._conclude(EquivalenceVerdict.UNKNOWN, f"it cannot be imported: {other}")
        found = Counterexample(
            expression=facts.new.qualname,
            kind=DifferenceKind.LOADING,
            old=Observation("loaded"),
            new=Observation("raised", error.kind, str(error)),
            repro=script_of(Scenario(()), facts.new.qualname, facts.old, facts.new),
        )
        return self._conclude(EquivalenceVerdict.DIFFERENT, None, found)

    def _confirmed(self, sighting: Sighting) -> Counterexample | None:
        for scenario in (sighting.scenario, _with_history(sighting)):
            answer = confirm(self.laboratory, scenario, self.search.lens)
            self.noise |= answer.noise
            self.search.ignore(answer.noise)
            if answer.is_misplaced:
                self.search.avoid(scenario.objects)
                break
            if answer.difference is not None:
                return self._shrunk(scenario, answer.difference)
        self.unconfirmed += 1
        return None

    def _shrunk(self, scenario: Scenario, seen: Difference) -> Counterexample | None:
        """The smallest that is confirmed; the one that was, if time does not allow for more."""
        kind, lens = seen.kind, self.search.lens
        try:
            for candidate in self._candidates(scenario, kind):
                found = confirm(self.laboratory, candidate, lens).difference
                is_slow = kind is DifferenceKind.TERMINATION and not _is_small(candidate)
                if found is None or found.kind is not kind or is_slow:
                    continue
                made = self._counterexample(candidate, found)
                if not is_fragile(self.laboratory, candidate, lens):
                    return made
                self.fragile.append(made)
        except BudgetSpent:
            is_slow = kind is DifferenceKind.TERMINATION and not _is_small(scenario)
            return None if is_slow else self._counterexample(scenario, seen)
        return self.fragile[-1] if len(self.fragile) > _MOST_FRAGILE else None

    def _candidates(self, scenario: Scenario, kind: DifferenceKind) -> Iterator[Scenario]:
        """The quickly shrunk one, the carefully shrunk one, the one that was found."""

        def still_shows(candidate: Scenario, pair: Pair) -> bool:
            found = self.search.difference(candidate, pair)
            return found is not None and found.kind is kind

        if len(scenario.steps) == 1:
            yield shrink(self.laboratory, scenario, still_shows, alone=False)
        yield shrink(self.laboratory, scenario, still_shows, alone=True)
        yield scenario

    def _counterexample(self, scenario: Scenario, found: Difference) -> Counterexample:
        facts = self.laboratory.facts
        told = tuple(place for place, _ in facts.recorded)
        name = facts.old.qualname
        if scenario.call.receiver is None:
            name = name.removesuffix(".__init__")  # an object is made by its class
        expression = expression_of(scenario, found, name, told)
        script = script_of(scenario, expression, facts.old, facts.new)
        return Counterexample(expression, found.kind, found.old, found.new, script)

    def _wanting(self, reason: str) -> Equivalence:
        """Unknown for want of inputs, unless something was seen that is open to doubt."""
        is_clean = not (self.noise or self.unconfirmed or self.fragile or self.search.doubt)
        found = self._conclude(EquivalenceVerdict.UNKNOWN, reason)
        is_doubtful = self.laboratory.facts.becomes_inexact or self.laboratory.facts.exchanged
        return replace(found, wants_inputs=is_clean and not is_doubtful)

    def _conclude(
        self,
        verdict: EquivalenceVerdict,
        reason: str | None,
        counterexample: Counterexample | None = None,
    ) -> Equivalence:
        old, new = self.search.coverage()
        coverage = BranchCoverage(round(old, 4), round(new, 4))
        return Equivalence(
            verdict=verdict,
            inputs=self.search.progress.inputs,
            branch_coverage=coverage,
            counterexample=counterexample,
            reason=reason,
            adequacy=self.adequacy,
            novelty=round(self.search.progress.novelty, 4),
            seed=self.section.seed,
        )


def _is_small(scenario: Scenario) -> bool:
    """Whether the arguments are so small that a version which does not end on them hangs."""
    numbers = (
        int(each) for step in scenario.steps for each in _NUMBER.findall(step.call.arguments)
    )
    return max(numbers, default=0) <= _HANGS_UP_TO


def _with_history(sighting: Sighting) -> Scenario:
    before: tuple[Step, ...] = tuple(step for each in sighting.before for step in each.steps)
    return Scenario((*before, *sighting.scenario.steps))


Progress = Callable[[int, float, float], None]
"""Told after every batch: inputs so far, branch coverage of old and of new."""


def check_equivalence(
    old: str | Version,
    new: str | Version,
    *,
    repository: str | PathLike[str] = ".",
    section: EquivalenceSection | None = None,
    inputs: Iterable[Call] = (),
    sandbox: Sandbox | None = None,
) -> Equivalence:
    """Whether two versions of a callable behave alike.

    A version is `path/to/file.py:qualname`, `package.module:qualname` within the repository, or
    made by `version_of(source, qualname)`. A `sandbox` that is given stays open.
    """
    root = Path(repository)
    versions = [read_version(each, root) if isinstance(each, str) else each for each in (old, new)]
    with ExitStack() as stack:
        engine = sandbox or stack.enter_context(Sandbox())
        Proofs(engine).require("equivalence")
        return compare_versions(engine, *versions, section=section, inputs=inputs)


def compare_versions(
    sandbox: Sandbox,
    old: Version,
    new: Version,
    *,
    section: EquivalenceSection | None = None,
    inputs: Iterable[Call] = (),
    progress: Progress | None = None,
    spending: Spending | None = None,
    is_searched: bool = False,
    shown: Shown = NOTHING,
) -> Equivalence:
    """The verdict, for a caller who has had the instrument proven (`Proofs.require`).

    What can be proven from the texts is not searched, unless that is asked for. What other calls
    have `shown` of the same texts need not be found again.

    The budget is CPU time, or a share of the time on the wall, as `spending` counts it: a busy
    machine is no reason for another verdict. Without a seed the sources and the user's key make
    one, so that nobody can fit a change to the inputs that will be tried.
    """
    laws = None if is_searched else laws_of_versions(old, new)
    if laws is not None:
        return proven_equivalent(laws)
    section = section or EquivalenceSection()
    if not section.seed:
        section = replace(section, seed=seed_of(old.source, new.source, new.qualname))
    facts = gather_facts(old, new)
    spending = spending or Spending()
    deadline = Deadline(section.budget_seconds, spending)
    door = sandbox.also_telling(spending)
    laboratory = Laboratory(door, facts, section.step_seconds, deadline)
    docstring = ast.get_docstring(old.node)
    contract = Contract.read(docstring, facts.parameters)
    search = Search(laboratory, contract, section.seed, tuple(inputs))
    search.strict = Contract.read_strictly(docstring, facts.parameters)
    return Trial(laboratory, search, section, progress, shown).run(deadline)
