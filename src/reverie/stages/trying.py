"""One dream tried on a copy of the repository as it stands, ruled on and reckoned.

A dream that is refused is made smaller until it passes: without the tests, or the import, that
are refused.
"""

import ast
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from reverie.dreamers.enrich.writing.polishing import without_tests
from reverie.dreamers.enrich.writing.wording.naming import title_of
from reverie.errors import OutOfTime
from reverie.gates.gate import Matter, Surroundings
from reverie.gates.judge import judge, judge_statically
from reverie.model.change import Change, FileEdit, together
from reverie.model.cycle import Trial
from reverie.model.dream import Dream, DreamKind
from reverie.model.ruling import Answer, Evidence, Ruling, Verdict
from reverie.model.settings.judgement import GuardSection
from reverie.promotion.scratch import scratch_folder
from reverie.promotion.trees import with_links
from reverie.promotion.trial_tree import read_links
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.observation import IMPATIENT, PATIENCE, Spending
from reverie.stages.flows import Flows
from reverie.stages.grounds import Grounds
from reverie.stages.integrations import without_front
from reverie.stages.reckoning import Reckoning
from reverie.stages.sources import reach_of
from reverie.syntax.nodes import Function, first_line
from reverie.syntax.parsing import parse_module
from reverie.trials.by_stage import try_change
from reverie.trials.plan import LEAST_SECONDS, TrialPlan, baseline_of, surroundings_of, write_trees
from reverie.trials.reaching import Reaching

_NAMED: Mapping[str, tuple[str, ...]] = {
    "blunt_test": ("tests.blunt",),
    "unkeepable_test": ("tests.unkeepable",),
    "new_test_fails": ("tests.failing",),
    "unstable_test": ("tests.unstable", "tests.failing"),
    "passes_only_here": ("tests.only_here",),
    "depends_on_machine": ("tests.machine",),
    "runs_no_code": ("tests.idle",),
    "skip_added": ("tests.skipped",),
    "assertion_never_runs": ("tests.unreached",),
}
"""By reason code: the details of the evidence that name the tests in question."""


ROUNDS = 4
"""One each for what can be read, what fails, and what notices nothing; and the last word."""
TryOnce = Callable[[Dream], Trial]


@dataclass(frozen=True, slots=True)
class Tried:
    """A dream as it came out of its trial, which may be less than what was dreamt."""

    dream: Dream
    trial: Trial


def settle(dream: Dream, try_once: TryOnce) -> Tried:
    """Try a dream; what its kind can do without is left out where it is in the way."""
    match dream.kind:
        case DreamKind.TEST | DreamKind.GENERATED:
            return _sharpened(dream, try_once)
        case DreamKind.INTEGRATION:
            return _with_or_without_front(dream, try_once)
        case _:
            return Tried(dream, try_once(dream))


def _sharpened(dream: Dream, try_once: TryOnce) -> Tried:
    """One test that is refused would cost all the others their promotion: it is left out."""
    trial = try_once(dream)
    for _ in range(ROUNDS - 1):
        sharper = without_objectionable(dream, trial)
        if sharper is None:
            break
        dream, trial = sharper, try_once(sharper)
    return Tried(dream, trial)


def _with_or_without_front(dream: Dream, try_once: TryOnce) -> Tried:
    """With the front of the package if that holds; else the tests alone."""
    whole = _sharpened(dream, try_once)
    bare = without_front(whole.dream)
    if bare is None or whole.trial.judgement.verdict is Verdict.PROMOTE:
        return whole
    alone = _sharpened(bare, try_once)
    return alone if alone.trial.judgement.verdict is Verdict.PROMOTE else whole


def without_objectionable(dream: Dream, trial: Trial) -> Dream | None:
    """The dream without the tests that speak against it; None where something else does, too."""
    failed = [ruling for ruling in trial.judgement.rulings if ruling.verdict is Answer.FAIL]
    new = [edit for edit in dream.change.edits if edit.before is None]
    if not failed or len(new) != 1:
        return None
    (edit,) = new
    blamed = [_blamed(ruling, trial.evidence.details, edit) for ruling in failed]
    if not all(blamed):
        return None
    source = without_tests(edit.after or "", frozenset().union(*blamed))
    if source is None:
        return None
    sharper = replace(edit, after=source)
    edits = (sharper if each is edit else each for each in dream.change.edits)
    title = title_of(dream.module, source) if dream.kind is DreamKind.TEST else dream.title
    return replace(dream, title=title, change=Change(tuple(edits)))


def _blamed(
    ruling: Ruling, details: Mapping[str, tuple[str, ...]], edit: FileEdit
) -> frozenset[str]:
    """The test functions that a ruling is about, by name; none where it is about something else."""
    named = [each for key in _NAMED.get(ruling.reason_code, ()) for each in details.get(key, ())]
    places = [ruling.measured, *named] if isinstance(ruling.measured, str) else named
    return frozenset(name for place in places if (name := _test_at(str(place), edit)))


def _test_at(place: str, edit: FileEdit) -> str | None:
    """The test that a pytest id or a `file:line` names."""
    if "::" in place:
        return place.rpartition("::")[2].partition("[")[0]
    file, _, line = place.rpartition(":")
    if file != edit.path or not line.isdecimal():
        return None
    functions = [
        node
        for node in ast.walk(parse_module(edit.after or ""))
        if isinstance(node, Function)
        and node.name.startswith("test")
        and first_line(node) <= int(line) <= (node.end_lineno or node.lineno)
    ]
    return functions[0].name if functions else None


UNHURRIED_SECONDS = 3600.0
MOST_RUNS = 100
MANY = 100_000
_TRIAL_SHARE = 0.8
"""Of the time left that a trial plans with: the rest is for what takes longer than planned."""


_COMES_AND_GOES = ("suite.wavering", "suite.machine")
"""Details that name tests which do not pass every time, or everywhere."""


def without_flaky(evidence: Evidence, flaky: frozenset[str]) -> Evidence:
    """Evidence that blames no change for tests that came and went before it."""
    measures, details = dict(evidence.measures), dict(evidence.details)
    for key in _COMES_AND_GOES:
        names = details.get(key, ())
        kept = tuple(each for each in names if each not in flaky)
        if len(kept) < len(names):
            measures[key] -= len(names) - len(kept)
            details[key] = kept
    return replace(evidence, measures=measures, details=details)


@dataclass(frozen=True)
class Trying:
    """Trials of dreams of every kind on a copy of a repository. Threads share it."""

    grounds: Grounds
    sandbox: Sandbox
    guard: GuardSection
    reckoning: Reckoning
    """What a change is worth."""
    seconds: float | None = None
    """What one trial may take; None where no clock may decide what is measured."""
    cache: Path | None = None
    """Where baselines and verdicts on mutants are kept from one trial to the next."""
    ends_at: float | None = None
    """By `time.monotonic`, when the sandbox ends whatever runs; None: never."""
    flows: Flows | None = None
    """Workflows that no change may make do anything else."""
    flaky: Callable[[], frozenset[str]] = frozenset
    """Tests that were seen to come and go before: that they do speaks against no change."""
    seen_flaky: set[str] = field(default_factory=set)
    """Tests that came and went in a trial, without its change."""
    tried: dict[str, Tried] = field(default_factory=dict)
    """Dreams of authors that were tried while their author was still at work, by id."""

    @property
    def asked(self) -> Reaching | None:
        """What of the suite is run where the whole of it does not fit."""
        part = self.grounds.part
        return None if part is None else Reaching(part.files, len(part.left_out))

    @property
    def baseline_seconds(self) -> float:
        """Time that the suite as it stands may take."""
        return self._section.budget_seconds

    def prove(self, dream: Dream, seed: int) -> Trial:
        """Guardrails first; what they refuse is not worth a trial."""
        began = time.monotonic()
        around, kept = self._surroundings, baseline_of(self._files)
        stage, section = dream.kind.stage, self._section
        is_own = not dream.is_by_author
        matter = Matter(stage, dream.change, None, section, around, kept, is_own=is_own)
        refused = any(each.verdict is Answer.FAIL for each in judge_statically(matter))
        is_cut = False
        if refused:
            evidence = self._nothing(dream, seed)
        else:
            evidence, is_cut = self._try(dream, seed)
        judgement = judge(matter if refused else replace(matter, evidence=evidence))
        if is_cut and judgement.verdict is Verdict.BORDERLINE:
            raise OutOfTime("the time was over before everything was measured")
        score = self._score(dream, evidence)
        ruled = self.reckoning.ruled(dream, judgement, score)
        return Trial(evidence, ruled, score, time.monotonic() - began, 0)

    def settle(self, dream: Dream, seed: int) -> Tried:
        """Try a dream, and less of it where a part is in the way.

        A dream of an author is tried once, however often somebody asks.
        """
        known = self.tried.get(dream.id)
        if known is None:
            known = settle(dream, lambda each: self.prove(each, seed))
        if dream.is_by_author:
            self.tried[dream.id] = self.tried[known.dream.id] = known
        return known

    def rescored(self, tried: Tried) -> Tried:
        """The same trial, with its worth by what is known here."""
        dream, trial = tried.dream, tried.trial
        score = self._score(dream, trial.evidence)
        return replace(tried, trial=replace(trial, score=score))

    def prove_longer(self, dream: Dream, seed: int, times: int) -> Trial:
        """The same with more repetitions, and more time for them."""
        runs = min(self.guard.runs * times, MOST_RUNS)
        seconds = None if self.seconds is None else self.seconds * times
        longer = replace(self, guard=replace(self.guard, runs=runs), seconds=seconds)
        return longer.prove(dream, seed)

    def prove_together(self, dreams: tuple[Dream, ...], seed: int) -> Trial:
        """Several dreams as one change, of any size: each was small enough by itself.

        It takes as long as all of them may.
        """
        first = dreams[0]
        title = f"{len(dreams)} changes together"
        both = replace(first, title=title, change=together(dream.change for dream in dreams))
        guard = replace(self.guard, files=MANY, test_files=MANY, lines=MANY)
        seconds = None if self.seconds is None else self.seconds * len(dreams)
        return replace(self, guard=guard, seconds=seconds).prove(both, seed)

    @contextmanager
    def laid_out(self, dreams: tuple[Dream, ...]) -> Iterator[Path]:
        """A folder in which all of these dreams have come true."""
        change = together(dream.change for dream in dreams)
        with scratch_folder(avoid=self.grounds.repository) as scratch:
            yield write_trees(self._files_beside(change), change, scratch).head

    @property
    def _section(self) -> GuardSection:
        return replace(self.guard, budget_seconds=self.seconds or UNHURRIED_SECONDS)

    @cached_property
    def _files(self) -> Mapping[str, bytes]:
        """Every plain file of the copy, by path."""
        found = {}
        for place, _, names in os.walk(self.grounds.folder):
            for name in names:
                path = Path(place, name)
                if path.is_file() and not path.is_symlink():
                    found[path.relative_to(self.grounds.folder).as_posix()] = path.read_bytes()
        return found

    @cached_property
    def _links(self) -> Mapping[str, str]:
        return read_links(self.grounds.folder)

    def _files_beside(self, change: Change) -> Mapping[str, bytes]:
        """With links to what a change leaves as it is: tests may import through them."""
        return with_links(self._files, self._links, change.paths) if self._links else self._files

    @cached_property
    def _surroundings(self) -> Surroundings:
        return surroundings_of(self._files, self._section)

    def _try(self, dream: Dream, seed: int) -> tuple[Evidence, bool]:
        """What was measured, and whether there was no time for more."""
        section, spending = self._hurried(self._section)
        plan = TrialPlan(
            section,
            seed=seed,
            spending=spending,
            python=self.grounds.interpreter.path,
            fresh=self.grounds.fresh,
            cache=self.cache,
            is_own=dream.has_own_tests,
            reaching=None if self.asked is None else self.asked.beside(dream.change),
        )
        with scratch_folder(avoid=self.grounds.repository) as scratch:
            trees = write_trees(self._files_beside(dream.change), dream.change, scratch)
            evidence = try_change(dream.kind.stage, trees, self.sandbox, plan)
            self.seen_flaky.update(evidence.details.get("suite.flaky", ()))
            evidence = without_flaky(evidence, self.flaky() | self.seen_flaky)
            if self.flows is not None and dream.kind is not DreamKind.TEST:
                evidence = self.flows.tried(evidence, dream.change, trees.base, trees.head)
        is_hurried = section.budget_seconds < self._section.budget_seconds
        return evidence, is_hurried and plan.seconds_left < LEAST_SECONDS

    def _hurried(self, section: GuardSection) -> tuple[GuardSection, Spending]:
        """With a clock on the wall where less time is left than a trial may take."""
        if self.ends_at is None:
            return section, Spending()
        left = _TRIAL_SHARE * max(self.ends_at - time.monotonic(), 0.0)
        if left >= PATIENCE * section.budget_seconds:
            return section, Spending()
        return replace(section, budget_seconds=max(left, 1.0)), Spending(IMPATIENT)

    def _nothing(self, dream: Dream, seed: int) -> Evidence:
        """Of a change that was refused unseen."""
        command = ("reverie", "guard", "--stage", str(dream.kind.stage), "--static")
        hashes = {"change": dream.change.digest}
        return Evidence({}, seed, self.sandbox.tier, command, hashes=hashes)

    def _score(self, dream: Dream, evidence: Evidence) -> Mapping[str, Any]:
        return self.reckoning.score(dream, evidence, self._reach(dream))

    def _reach(self, dream: Dream) -> float:
        """The share of modules that what goes wrong reaches: nothing imports a test."""
        index = self.grounds.index
        changed = {edit.path for edit in dream.change.edits if edit.before is not None}
        names = (module.name for module in index.modules if module.path in changed)
        return max((reach_of(index, name) for name in names), default=0.0)
