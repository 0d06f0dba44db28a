"""The same mutants before and after: which are newly noticed, and by an assertion or a crash."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree

from reverie.errors import MachineryError
from reverie.gates.paths import is_test_module
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import USUAL_SHARE, Campaign, Wishes, is_touched
from reverie.instruments.mutation.mutated import source_of
from reverie.instruments.mutation.project import find_project
from reverie.instruments.mutation.sampling import spread_sample
from reverie.instruments.mutation.shams import SHAMS, look_at_shams
from reverie.model.change import Change
from reverie.model.mutation import JudgedMutant, Mutant, MutantVerdict
from reverie.sandbox.engine import Sandbox
from reverie.trials.alignment import align_mutants
from reverie.trials.plan import TrialPlan
from reverie.trials.stripping import strip_assertions
from reverie.trials.suites import MeasuredTree, far_side

FEW = 10
"""Mutants that show whether a test is sharp, where it is."""
_SHOWN = 160
Lines = Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class MutantsCompared:
    """One set of mutants, judged by the suite before and by the suite after."""

    before: Mapping[str, JudgedMutant]
    after: Mapping[str, JudgedMutant]

    @property
    def common(self) -> tuple[str, ...]:
        """Mutants with a verdict that counts on both sides."""
        return tuple(
            name
            for name, judged in self.before.items()
            if judged.verdict.counts and name in self.after and self.after[name].verdict.counts
        )

    @property
    def newly_killed(self) -> tuple[str, ...]:
        """Mutants that the suite notices now and did not."""
        return tuple(n for n in self.common if self._is_seen(n, "after") and not self.was_seen(n))

    @property
    def no_longer_killed(self) -> tuple[str, ...]:
        """Mutants that the suite noticed and does not any more."""
        return tuple(n for n in self.common if self.was_seen(n) and not self._is_seen(n, "after"))

    def was_seen(self, name: str) -> bool:
        """Whether the suite before noticed a mutant."""
        return self._is_seen(name, "before")

    def score(self, when: str) -> float | None:
        """The share of the common mutants that is noticed; None without any."""
        seen = sum(self._is_seen(name, when) for name in self.common)
        return seen / len(self.common) if self.common else None

    def _is_seen(self, name: str, when: str) -> bool:
        judged: Mapping[str, JudgedMutant] = getattr(self, when)
        return judged[name].verdict.is_detected


def judge_mutants(
    tree: MeasuredTree,
    sandbox: Sandbox,
    plan: TrialPlan,
    lines: Lines,
    only: frozenset[str] | None = None,
    doubted: list[str] | None = None,
) -> dict[str, JudgedMutant]:
    """By id: the verdicts of a tree's suite on the mutants of some lines, or `only` some.

    Some are made again in fresh processes where `doubted` is given: it gets what differs there.
    """
    if tree.project is None:
        return {}
    wishes = Wishes(
        only_lines=lines,
        only_mutants=only,
        sample=plan.section.mutants,
        verified_share=0.0 if doubted is None else USUAL_SHARE,
        shams=0,
        workers=sandbox.section.slots,
        cache=VerdictCache(plan.cache),
    )
    report = Campaign(far_side(sandbox, tree.project, plan), wishes).run()
    if doubted is not None:
        doubted += report.agreement.disagreements
    return {each.mutant.id: each for each in report.judged}


def judge_same_mutants(
    base: MeasuredTree,
    head: MeasuredTree,
    lines: tuple[Lines, Lines],
    sandbox: Sandbox,
    plan: TrialPlan,
    change: Change,
    doubted: list[str],
) -> MutantsCompared:
    """Mutants that code before and code after have in common, each judged by its own suite."""
    if base.project is None or head.project is None:
        return MutantsCompared({}, {})
    before, after = (
        [each for each in _survey(tree, sandbox, plan) if is_touched(each, some)]
        for tree, some in zip((base, head), lines, strict=True)
    )
    renamed = {edit.renamed_from: edit.path for edit in change.edits if edit.renamed_from}
    same = align_mutants(before, base.project.root, after, head.project.root, renamed)
    chosen = spread_sample(same, plan.section.mutants, str)
    if not chosen:
        return MutantsCompared({}, {})
    there = frozenset(same[name] for name in chosen)
    old = judge_mutants(base, sandbox, plan, lines[0], frozenset(chosen), doubted)
    new = judge_mutants(head, sandbox, plan, lines[1], there, doubted)
    return MutantsCompared(old, {name: new[same[name]] for name in chosen if same[name] in new})


def _survey(tree: MeasuredTree, sandbox: Sandbox, plan: TrialPlan) -> list[Mutant]:
    """Every mutant of a tree; nothing of it is run."""
    if tree.project is None:
        return []
    files = far_side(sandbox, tree.project, plan).survey()
    return [mutant for file in files for mutant in file.mutants]


def described(tree: MeasuredTree, mutant: Mutant) -> str:
    """A mutant in one line: its place, and what it puts for what."""
    root = "" if tree.project is None else tree.project.root
    text = source_of(root, mutant.file)[mutant.start : mutant.end].decode("utf-8", "replace")
    return f"{mutant.file}:{mutant.line}: {mutant.replacement} for {text}"[:_SHOWN]


def judge_with(
    tree: MeasuredTree,
    tests: tuple[str, ...],
    sandbox: Sandbox,
    plan: TrialPlan,
    lines: Lines,
    most: int,
) -> dict[str, JudgedMutant]:
    """The verdicts of some tests of a tree alone, on `most` mutants of some lines."""
    if tree.project is None:
        return {}
    places = tuple(f"{tree.project.root}/{each}" for each in tests)
    project = find_project(Path(tree.project.root), tests=places, python=plan.python)
    try:
        return judge_mutants(
            MeasuredTree(project, tree.coverage), sandbox, with_mutants(plan, most), lines
        )
    except MachineryError:
        return {}


def with_mutants(plan: TrialPlan, most: int | None) -> TrialPlan:
    """A plan that judges at most so many; None: as many as it says."""
    return plan if most is None else replace(plan, section=replace(plan.section, mutants=most))


def judge_before(
    base: MeasuredTree,
    after: Mapping[str, JudgedMutant],
    sandbox: Sandbox,
    plan: TrialPlan,
    lines: Lines,
) -> dict[str, JudgedMutant]:
    """The verdicts of a suite that was only added to, on the mutants judged `after` that.

    What the larger suite does not notice, the smaller one does not; what an old test noticed, it
    noticed before. Only what a new test was the first to notice has to be asked about again.
    """
    old = base.by_id
    open_ones = frozenset(
        name for name, each in after.items() if each.verdict.is_detected and each.killer not in old
    )
    asked = judge_mutants(base, sandbox, plan, lines, open_ones) if open_ones else {}
    settled = {name: each for name, each in after.items() if name not in open_ones}
    return {**settled, **asked}


def pinned_tests(
    tree: MeasuredTree,
    files: tuple[str, ...],
    judged: Mapping[str, JudgedMutant],
    sandbox: Sandbox,
    plan: TrialPlan,
) -> tuple[str, ...]:
    """Tests of some files that fail on changes of the code which change nothing."""
    if tree.project is None:
        return ()
    places = tuple(f"{tree.project.root}/{each}" for each in files)
    project = find_project(Path(tree.project.root), tests=places, python=plan.python)
    own = [each for each in tree.coverage.tests if each.id.partition("::")[0] in files]
    coverage = replace(tree.coverage, tests=tuple(own), broken=())
    answer = look_at_shams(far_side(sandbox, project, plan), coverage, judged.values(), SHAMS)
    return answer.pinned or ((answer.void,) if answer.void else ())


def unnoticed(judged: Mapping[str, JudgedMutant]) -> dict[str, JudgedMutant]:
    """The verdicts of a suite without tests on the same mutants."""
    return {
        name: replace(each, verdict=MutantVerdict.NOT_COVERED) if each.verdict.counts else each
        for name, each in judged.items()
    }


def judge_without_assertions(
    head: MeasuredTree,
    change: Change,
    sandbox: Sandbox,
    plan: TrialPlan,
    lines: Lines,
    only: tuple[str, ...] = (),
) -> Mapping[str, JudgedMutant] | None:
    """Verdicts of the new tests with every assertion taken out: what they notice still, crashes.

    `only`: ids of some of them. None when the tests cannot run so.
    """
    files = [edit for edit in change.edits if edit.after is not None and edit.path.endswith(".py")]
    if head.project is None:
        return None
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "tree"
        copytree(head.project.root, folder)
        for edit in files:
            stripped = strip_assertions(edit.after or "")
            (folder / edit.path).write_text(stripped, "utf-8")
        chosen = only or tuple(each.path for each in files if is_test_module(each.path))
        tests = tuple(f"{folder}/{each}" for each in chosen)
        try:
            project = find_project(folder, tests=tests, python=plan.python)
            return judge_mutants(MeasuredTree(project, head.coverage), sandbox, plan, lines)
        except MachineryError:
            return None
