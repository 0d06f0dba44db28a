"""The trial of a refactoring: the suite, what it watches, and every callable side by side.

evidence = try_refactoring(trees, sandbox, plan)
"""

import ast
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace

from reverie.errors import MachineryError, UsageError
from reverie.gates.paths import is_test_module, is_test_path
from reverie.gates.production.rewritten_files import may_be_named, words_in
from reverie.instruments.calls.instrument import Recorded, record_calls
from reverie.instruments.effects.recording import NewEffect, record_effects
from reverie.instruments.equivalence import compare_versions, version_of
from reverie.instruments.equivalence.proven import renamed_functions
from reverie.instruments.equivalence.scenario import NOTHING
from reverie.instruments.replay.instrument import Replayed, replay_in_place
from reverie.instruments.replay.orders import FileOrder
from reverie.instruments.self_check import Proofs
from reverie.model.call import Call
from reverie.model.change import Change, FileEdit
from reverie.model.dream import Stage
from reverie.model.measurements.equivalence import (
    SAME_PROGRAM,
    Equivalence,
    EquivalenceVerdict,
    proven_equivalent,
)
from reverie.model.ruling import Evidence
from reverie.sandbox.engine import Sandbox
from reverie.sandbox.observation import Spending
from reverie.syntax.parsing import NOT_PYTHON, parse_module
from reverie.trials.changed import ChangedCode, changed_code, lines_of_functions
from reverie.trials.differing import cut, shown_difference, shown_objects
from reverie.trials.findings import Findings, note_elsewhere
from reverie.trials.gains import note_clarity, note_lint
from reverie.trials.more_calls import LargeLook, filled_calls, look_at_large
from reverie.trials.mutants import described, judge_same_mutants
from reverie.trials.plan import LEAST_SECONDS, Trees, TrialPlan
from reverie.trials.replaying import NotReplayable, order_of, tests_reaching
from reverie.trials.suites import (
    EMPTY,
    MeasuredTree,
    compare_suites,
    confirm_failing,
    covered,
    lines_to_cover,
    lost_statements,
    measure_tree,
)

_DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
_ASIDE = "__test__"
"""A table in which a module may have examples besides."""
_SHOWN = 160
_SHOWN_CALL = 480
"""Of a difference with its call: who is refused wants to make that call."""
_MOST_SECONDS = 60.0
_LARGE_SHARE = 0.3
"""Of the budget: whoever gives more time gets a longer search."""
_REPLAY_SECONDS = 24.0
_MOST_WATCHED = 150
"""Tests whose calls are noted down: where more come to the change, they often show the same."""
_REPLAY_SHARE = 0.25
"""Of the budget: what the calls of the tests may take that are made again in place."""
_USUAL_SHARE = 0.5
"""Of the time for replaying and comparing, where both take the same steps by convention."""
_SHARE = 0.6
"""Of what is left of the budget: what comparing may take, so that the rest is measured too."""


def tests_running(tree: MeasuredTree, wanted: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Tests that run a line of some functions, which are given by their files."""
    return tuple(
        test.id
        for test in tree.coverage.tests
        if any(name in test.lines.get(file, {}) for file, names in wanted.items() for name in names)
    )


def touched_tests(change: Change, collected: Collection[str]) -> Iterator[str]:
    """Files that tests are collected from and that a change gives other tests.

    Examples in docstrings are tests of the file that they stand in; code around them may change.
    """
    for edit in change.edits:
        for path in {edit.path, edit.renamed_from or edit.path}.intersection(collected):
            before, after = (_examples(path, text) for text in (edit.before, edit.after))
            if before is None or before != after:
                yield path


def _examples(path: str, text: str | None) -> list[str] | None:
    """The docstrings of production code that hold examples; None for any other file."""
    if text is None or is_test_module(path) or _ASIDE in text:
        return None
    try:
        tree = parse_module(text)
    except NOT_PYTHON:
        return None
    documented = (each for each in ast.walk(tree) if isinstance(each, _DOCUMENTED))
    return sorted(said for each in documented if ">>>" in (said := ast.get_docstring(each) or ""))


def try_refactoring(trees: Trees, sandbox: Sandbox, plan: TrialPlan) -> Evidence:
    """Everything that stage B asks for, as far as the budget goes."""
    trial = RefactoringTrial(trees, sandbox, plan)
    trial.run()
    return trial.found.evidence(Stage.B, trees, sandbox, plan)


@dataclass(slots=True)
class _Told:
    """What came of comparing, by callable."""

    alike: list[str]
    different: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)


class RefactoringTrial:
    """One trial, step by step: the first that settles the matter ends it."""

    def __init__(
        self, trees: Trees, sandbox: Sandbox, plan: TrialPlan, is_timed: bool = False
    ) -> None:
        self.trees = trees
        self.is_timed = is_timed
        """Whether calls of functions that are proven to do the same are wanted, too."""
        self.sandbox = sandbox.also_telling(plan.spending).with_python(plan.python)
        self.plan = plan
        self.found = Findings()
        self.proofs = Proofs(sandbox)
        self.changed = dict(self._changed_files())
        self.base = MeasuredTree(None, EMPTY)
        self.recorded: Recorded = {}
        self.replayed: dict[FileEdit, Replayed] = {}
        """What came of the calls of the tests, where they are made, by changed file."""
        self._large: dict[tuple[FileEdit, str], LargeLook] = {}
        self.answers: dict[str, Equivalence] = {}
        """What came of each callable that was compared."""
        self.conventional: list[str] = []
        """Callables that do the same as long as values do what is usual, and how that is known."""

    @property
    def is_settled(self) -> bool:
        """Whether something was found that no further measure could make good."""
        names = (
            "suite.newly_failing", "suite.lost", "suite.touched", "suite.machine",
            "equivalence.different", "effects.new",
        )  # fmt: skip
        return any(self.found.measures.get(name) for name in names)

    def run(self) -> None:
        """Cheap measures first."""
        base = self.base = measure_tree(self.trees.base, self.sandbox, self.plan)
        head = measure_tree(self.trees.head, self.sandbox, self.plan)
        if base.project is not None:  # its packages are where its tests found them
            self.sandbox = self.sandbox.with_python(base.project.python)
        suites = compare_suites(base, head, self.trees.change)
        suites = confirm_failing(suites, base, head, self.sandbox, self.plan)
        self.found.note_suites(len(base.coverage.tests), suites)
        self.found.note_part(self.plan)
        touched = touched_tests(self.trees.change, base.test_files | head.test_files)
        self.found.note_names("suite.touched", sorted(touched))
        self.found.note_passing(head)
        self.found.note_complexity(self.trees.change, self.plan.section)
        note_clarity(self.found, self.trees.change, self.plan.section)
        self._note_coverage(base, head)
        if not self.is_settled:
            self._record_calls(base)
            self._look_at_large()
        if not self.is_settled:
            self._replay(base)
            self.note_equivalence()
        if not self.is_settled:
            note_lint(self.found, self.trees, self.sandbox)
            note_elsewhere(self.found, base, head, self.sandbox, self.plan)
        if not self.is_settled:
            self.note_effects()
        if not self.is_settled:
            self._note_mutants(base, head)

    def _changed_files(self) -> Iterator[tuple[FileEdit, ChangedCode]]:
        edits = [
            edit
            for edit in self.trees.change.edits
            if edit.path.endswith(".py") and not is_test_path(edit.path, self.plan.section)
        ]
        texts = {edit: (edit.before or "", edit.after or "") for edit in edits}
        renamed = {n: o for pair in texts.values() for n, o in renamed_functions(*pair).items()}
        for edit, pair in texts.items():
            yield edit, changed_code(*pair, renamed)

    def _note_coverage(self, base: MeasuredTree, head: MeasuredTree) -> None:
        if base.project is None or head.project is None:
            return
        files = base.project.files
        total, run = lines_to_cover(base, files), covered(base, files).lines
        if total:
            self.found.note("coverage.lines.before", len(run & total) / len(total))
        total, run = (
            lines_to_cover(head, head.project.files),
            covered(head, head.project.files).lines,
        )
        if total:
            self.found.note("coverage.lines.after", len(run & total) / len(total))
        own = [edit for edit in self.changed if (edit.renamed_from or edit.path) in files]
        self.found.note_names("coverage.lost", lost_statements(base, head, own))

    def note_equivalence(self) -> None:
        """Every callable that the change can show in, side by side, up to the first difference."""
        told = _Told([e.path for e, code in self.changed.items() if self._is_same(e, code)])
        told.different += [
            f"{edit.path}: {known.answer.reason}"[:_SHOWN]
            for edit, known in self.replayed.items()
            if known.answer.verdict is EquivalenceVerdict.DIFFERENT
        ]
        if told.different:
            self._note_different(told.different)
            return
        settled = {edit for edit, code in self.changed.items() if self._is_alike_within(edit, code)}
        pairs = [
            (edit, name)
            for edit, code in self.changed.items()
            for name in code.compare
            if edit not in settled or (name in code.rewritten and name not in code.within)
        ]
        told.alike += [f"{e.path}:{n}" for e in settled for n in self.changed[e].within]
        told.alike += self._note_proven()
        self.found.note("equivalence.callables", len(pairs) + len(told.alike))
        if pairs:
            self.proofs.require("equivalence")
        for number, (edit, name) in enumerate(pairs):
            self._hold_side_by_side(edit, name, len(pairs) - number, told)
            if told.different:
                break
        self.found.note_names("equivalence.equivalent", told.alike)
        if inputs := [each.inputs for each in self.answers.values() if each.inputs]:
            self.found.note("equivalence.inputs", min(inputs))
        self.found.note_names("equivalence.conventional", self.conventional)
        self.found.note_names("equivalence.different", told.different)
        self.found.note_names("equivalence.unknown", told.unknown)

    def _note_different(self, different: list[str]) -> None:
        """What was seen before the search began, which it then need not."""
        self.found.note("equivalence.callables", len(different))
        self.found.note_names("equivalence.equivalent", ())
        self.found.note_names("equivalence.different", different)

    def _look_at_large(self) -> None:
        """Every callable that will be compared with many items first: a look costs little."""
        for edit, code in self.changed.items():
            is_whole = set(code.within) <= set(code.compare) and not self._is_same(edit, code)
            for name in code.compare if is_whole else ():
                large = self._with_many_items(edit, name)
                if large.difference is not None:
                    self._note_different([_shown_large(name, large.difference)])
                    return

    def _with_many_items(self, edit: FileEdit, name: str) -> LargeLook:
        if (edit, name) not in self._large:
            section = self.plan.section
            self._large[edit, name] = look_at_large(self.trees, edit, name, self.sandbox, section)
        return self._large[edit, name]

    def _note_proven(self) -> list[str]:
        """Callables that take the same steps, seen without running them."""
        proven = {
            f"{edit.path}:{name}": laws
            for edit, code in self.changed.items()
            for name, laws in code.proven.items()
        }
        for place, laws in proven.items():
            self.answers.setdefault(place.rpartition(":")[2], proven_equivalent(laws))
        same = [f"{edit.path}: {SAME_PROGRAM}" for edit, c in self.changed.items() if c.is_same]
        self.found.note_names(
            "equivalence.proven", [*same, *(_shown_proof(*each) for each in proven.items())]
        )
        return list(proven)

    def note_effects(self, is_late: bool = False) -> None:
        """What callables reach when they are imported and called, old and new.

        What `is_late` is recorded even when the budget is spent.
        """
        found: dict[str, NewEffect] = {}
        unrecorded: list[str] = []
        for edit, code in self.changed.items():
            for name in () if self._is_same(edit, code) else code.compare:
                try:
                    new = self._recorded(edit, name, is_late)
                except (UsageError, MachineryError) as error:
                    unrecorded.append(f"{name}: {error}"[:_SHOWN])
                else:
                    found |= {str(each): each for each in new}
        self.found.note_names("effects.new", tuple(found))
        self.found.note_names("effects.unrecorded", unrecorded)

    def _recorded(self, edit: FileEdit, name: str, is_late: bool) -> tuple[NewEffect, ...]:
        if self.plan.seconds_left < LEAST_SECONDS and not is_late:
            raise MachineryError("no time was left to record what it reaches")
        old_path = self.trees.base / (edit.renamed_from or edit.path)
        old = version_of(edit.before or "", name, path=str(old_path), label=f"old {name}")
        new = version_of(edit.after or "", name, path=str(self.trees.head / edit.path), label=name)
        section = replace(self.plan.equivalence, seed=self.plan.seed)
        calls = (*self._given(edit, name), *filled_calls(edit.before or "", name, 0))
        return record_effects(
            self.sandbox, old, new, section=section, inputs=calls, spending=Spending()
        )

    def _is_same(self, edit: FileEdit, code: ChangedCode) -> bool:
        return code.is_same or self._is_idle(edit)

    def _is_alike_within(self, edit: FileEdit, code: ChangedCode) -> bool:
        """Whether every private function that differs does the same for whoever may call it.

        One that does not may still be called only where it does: then its users are compared.
        """
        if set(code.within) <= set(code.compare) or self._is_same(edit, code):
            return False
        self.proofs.require("equivalence")
        told = _Told([])
        left = len(code.within) + len(code.compare)
        for number, name in enumerate(code.within):
            self._hold_side_by_side(edit, name, left - number, told)
            if told.different or told.unknown:
                for each in code.within:  # what counts is what their users do
                    self.answers.pop(each, None)
                return False
        return True

    def _hold_side_by_side(self, edit: FileEdit, name: str, left: int, told: _Told) -> None:
        large = self._with_many_items(edit, name)
        if large.difference is not None:
            told.different.append(_shown_large(name, large.difference))
            return
        answer = self._compare(edit, name, left, is_held=bool(told.unknown))
        if answer is not None:
            self.answers[name] = answer
        if answer is None or answer.verdict is EquivalenceVerdict.UNKNOWN:
            is_open = answer is not None and answer.wants_inputs and large.untried is None
            laws = self.changed[edit].conventional.get(name)
            if is_open and laws is not None:
                self.conventional.append(_shown_convention(name, laws))
            if is_open and (laws is not None or self._is_alike_in_place(edit)):
                told.alike.append(f"{edit.path}:{name}")
                return
            reason = "not compared" if answer is None else answer.reason or "no reason given"
            told.unknown.append(f"{name}: {reason}"[:_SHOWN])
        elif large.untried is not None and answer.verdict is EquivalenceVerdict.EQUIVALENT:
            said = f"{large.untried} is new, and nothing was tried beyond it"
            told.unknown.append(f"{name}: {said}"[:_SHOWN])
        elif answer.verdict is EquivalenceVerdict.EQUIVALENT:
            told.alike.append(f"{edit.path}:{name}")
        else:
            objects = shown_objects(call for each in self.recorded.values() for call in each)
            told.different.append(shown_difference(name, answer, objects))

    def _is_idle(self, edit: FileEdit) -> bool:
        """Whether all that the change takes out is what no file of the repository names."""
        names = self.changed[edit].unused
        if not names:
            return False
        others = (
            p
            for p in self.trees.base.rglob("*")
            if p.is_file() and p != self.trees.base / edit.path
        )
        words = {word for each in others for word in words_in(each.read_text("utf-8", "replace"))}
        return not any(may_be_named(name, words) for name in names)

    def _record_calls(self, base: MeasuredTree) -> None:
        """What the suite calls the changed functions with: nobody knows better what fits them."""
        wanted = {
            edit.renamed_from or edit.path: tuple(
                dict.fromkeys(
                    (*code.compare, *code.within, *(code.rewritten if self.is_timed else ()))
                )
            )
            for edit, code in self.changed.items()
            if not code.is_same and edit.before is not None
        }
        if base.project is None or not wanted or self.plan.seconds_left < LEAST_SECONDS:
            return
        reaching = tests_running(base, wanted)
        reaching = reaching[:: -(-len(reaching) // _MOST_WATCHED) or 1]
        if not reaching:
            return
        seconds = self.plan.wall_seconds_left
        self.recorded = record_calls(self.sandbox, base.project, wanted, reaching, seconds)

    def _replay(self, base: MeasuredTree) -> None:
        """The changed functions on the calls of the tests, where these are made."""
        orders: dict[FileEdit, FileOrder] = {}
        for edit, code in self.changed.items():
            is_open = bool(code.compare or code.within)  # what is proven need not be seen as well
            if is_open and not self._is_same(edit, code) and edit.before and edit.after:
                with suppress(NotReplayable):
                    orders[edit] = order_of(edit)
        tests = tests_reaching(base.coverage, tuple(orders.values()))
        seconds = min(_REPLAY_SECONDS, _REPLAY_SHARE * self.plan.seconds_left)
        open_names = [(code, name) for code in self.changed.values() for name in code.compare]
        if all(name in code.conventional for code, name in open_names):
            seconds *= _USUAL_SHARE
        if base.project is None or not tests or seconds < LEAST_SECONDS:
            return
        try:
            self.proofs.require("replay")
            found = replay_in_place(
                self.sandbox,
                base.project,
                tuple(orders.values()),
                tests,
                section=replace(self.plan.equivalence, seed=self.plan.seed),
                seconds=seconds,
            )
        except MachineryError:
            return  # the search for inputs is there still
        self.replayed = {edit: found[order.path] for edit, order in orders.items()}

    def _is_alike_in_place(self, edit: FileEdit) -> bool:
        known = self.replayed.get(edit)
        return known is not None and known.answer.verdict is EquivalenceVerdict.EQUIVALENT

    def _given(self, edit: FileEdit, name: str) -> tuple[Call, ...]:
        """Calls like real ones: those that somebody brought, and those of the tests."""
        known = self.recorded.get((edit.renamed_from or edit.path, name), ())
        return (*self.plan.samples.get(name, ()), *known)

    def _compare(self, edit: FileEdit, name: str, left: int, is_held: bool) -> Equivalence | None:
        """Both versions searched for a difference; not for long where the change is held anyway."""
        most = max(_MOST_SECONDS, _LARGE_SHARE * self.plan.section.budget_seconds)
        seconds = min(most, _SHARE * self.plan.seconds_left / left)
        usual = min(self.plan.equivalence.budget_seconds, self.plan.seconds_left)
        is_usual = name in self.changed[edit].conventional
        is_brief = is_usual or is_held or self._is_alike_in_place(edit)
        share = _USUAL_SHARE if is_usual else 1.0
        seconds = max(LEAST_SECONDS, share * usual / left) if is_brief else max(seconds, usual)
        is_late = min(seconds, self.plan.seconds_left) < LEAST_SECONDS
        if is_late or edit.before is None or edit.after is None:
            return None
        section = replace(self.plan.equivalence, budget_seconds=seconds, seed=self.plan.seed)
        old_path = self.trees.base / (edit.renamed_from or edit.path)
        try:
            old = version_of(edit.before, name, path=str(old_path), label=f"old {name}")
            new = version_of(edit.after, name, path=str(self.trees.head / edit.path), label=name)
            given = self._given(edit, name)
            calls = (*given, *filled_calls(edit.before, name, self.plan.seed))
            known = self.replayed.get(edit)
            return compare_versions(
                self.sandbox,
                old,
                new,
                section=section,
                inputs=calls,
                spending=Spending(),
                shown=NOTHING if known is None else known.shown,
            )
        except (UsageError, MachineryError):
            return None

    def _names_to_mutate(self, code: ChangedCode) -> tuple[str, ...]:
        """Rewritten functions of which the suite may notice less than before.

        A test that stays as it is notices of the same steps what it noticed before.
        """
        if any(is_test_path(each.path, self.plan.section) for each in self.trees.change.edits):
            return code.rewritten
        return tuple(name for name in code.rewritten if name not in code.alike)

    def _note_mutants(self, base: MeasuredTree, head: MeasuredTree) -> None:
        """Mutants of the rewritten functions that both sides have, as each suite sees them."""
        if all(code.is_same for code in self.changed.values()):
            self.found.note("mutants.judged", 0)
            return
        if self.plan.seconds_left < LEAST_SECONDS:
            return
        before: dict[str, frozenset[int]] = {}
        after: dict[str, frozenset[int]] = {}
        for edit, code in self.changed.items():
            old, names = edit.renamed_from or edit.path, self._names_to_mutate(code)
            before[old] = lines_of_functions(edit.before or "", names)
            after[edit.path] = lines_of_functions(edit.after or "", names)
        if not any((*before.values(), *after.values())) and any(
            code.rewritten for code in self.changed.values()
        ):
            self.found.note("mutants.judged", 0)
            return
        doubted: list[str] = []
        try:
            compared = judge_same_mutants(
                base, head, (before, after), self.sandbox, self.plan, self.trees.change, doubted
            )
        except MachineryError:
            return  # a suite whose mutants cannot be judged leaves the question open
        self.found.note_names("mutants.doubted", doubted)
        if doubted or not compared.is_enough:
            return  # a score that fresh processes do not confirm is none, nor one of a few
        self.found.note("mutants.judged", len(compared.common))
        lost = (compared.before[name].mutant for name in compared.no_longer_killed)
        self.found.note_names("mutants.no_longer_killed", (described(base, e) for e in lost))
        for when in ("before", "after"):
            if (score := compared.score(when)) is not None:
                self.found.note(f"mutants.score.{when}", score)


def _shown_large(name: str, difference: str) -> str:
    return cut(f"{name}, with many items: {difference}", _SHOWN_CALL)


def _shown_proof(place: str, laws: tuple[str, ...]) -> str:
    used = f"; laws used: {', '.join(laws)}" if laws else ""
    return f"{place}: proven, the same steps{used}"[:_SHOWN]


def _shown_convention(name: str, laws: tuple[str, ...]) -> str:
    return f"{name}: the same steps, and no difference was found; {', '.join(laws)}"[: 4 * _SHOWN]
