"""The same mutants before and after: which are newly noticed, and by an assertion or a crash."""

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from shutil import copytree

from reverie.errors import MachineryError
from reverie.gates.paths import is_test_module
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import Campaign, Wishes
from reverie.instruments.mutation.project import find_project
from reverie.model.change import Change
from reverie.model.mutation import JudgedMutant, MutantVerdict
from reverie.sandbox.engine import Sandbox
from reverie.trials.plan import TrialPlan
from reverie.trials.stripping import strip_assertions
from reverie.trials.suites import MeasuredTree, far_side

_FEW = 10
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
) -> dict[str, JudgedMutant]:
    """By id: the verdicts of a tree's suite on the mutants of some lines, or `only` some."""
    if tree.project is None:
        return {}
    wishes = Wishes(
        only_lines=lines,
        only_mutants=only,
        sample=plan.section.mutants,
        verified_share=0.0,
        workers=sandbox.section.slots,
        cache=VerdictCache(plan.cache),
    )
    report = Campaign(far_side(sandbox, tree.project, plan), wishes).run()
    return {each.mutant.id: each for each in report.judged}


def judge_with(
    tree: MeasuredTree, tests: tuple[str, ...], sandbox: Sandbox, plan: TrialPlan, lines: Lines
) -> dict[str, JudgedMutant]:
    """The verdicts of some tests of a tree alone, on a few mutants of some lines for each."""
    if tree.project is None:
        return {}
    places = tuple(f"{tree.project.root}/{each}" for each in tests)
    project = find_project(Path(tree.project.root), tests=places, python=plan.python)
    try:
        return judge_mutants(
            MeasuredTree(project, tree.coverage), sandbox, _with_few(plan, tests), lines
        )
    except MachineryError:
        return {}


def _with_few(plan: TrialPlan, tests: tuple[str, ...]) -> TrialPlan:
    return replace(plan, section=replace(plan.section, mutants=_FEW * len(tests)))


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
    with tempfile.TemporaryDirectory(prefix="reverie-stripped-") as scratch:
        folder = Path(scratch) / "tree"
        copytree(head.project.root, folder)
        for edit in files:
            stripped = strip_assertions(edit.after or "")
            (folder / edit.path).write_text(stripped, "utf-8")
        chosen = only or tuple(each.path for each in files if is_test_module(each.path))
        tests = tuple(f"{folder}/{each}" for each in chosen)
        plan = _with_few(plan, only) if only else plan
        try:
            project = find_project(folder, tests=tests, python=plan.python)
            return judge_mutants(MeasuredTree(project, head.coverage), sandbox, plan, lines)
        except MachineryError:
            return None
