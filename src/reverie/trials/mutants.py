"""The same mutants before and after: which are newly noticed, and by an assertion or a crash.

    pairs = align_mutants(mutants_before, root_before, mutants_after, root_after)

Mutants are matched by the syntax they change, not by number. Two are the same when they make the
same change of the same expression in the same surroundings. What stands in one version only has no
counterpart, and is not compared.
"""

import ast
import math
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from pathlib import Path
from shutil import copytree

from reverie.errors import MachineryError
from reverie.gates.paths import is_test_module, is_test_path
from reverie.instruments.mutation.cache import VerdictCache
from reverie.instruments.mutation.campaign import USUAL_SHARE, Campaign, Wishes, is_touched
from reverie.instruments.mutation.controls import SHAMS, look_at_shams
from reverie.instruments.mutation.mutant_texts import source_of, spread_sample
from reverie.instruments.mutation.project import find_project
from reverie.model.change import Change
from reverie.model.measurements.suite import JudgedMutant, Mutant, MutantVerdict
from reverie.sandbox.engine import Sandbox
from reverie.syntax.parsing import NOT_PYTHON, fresh_module, parse_module
from reverie.syntax.unparsing import unparse
from reverie.trials.new_tests import strip_assertions
from reverie.trials.plan import TrialPlan
from reverie.trials.suites import MeasuredTree, far_side

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Placed:
    """A mutant with what it changes and what stands around that, as text."""

    mutant: Mutant
    changed: Key
    around: str
    statement: str


_PASSES: tuple[Callable[[_Placed], Key], ...] = (
    lambda each: (each.mutant.scope, *each.changed, each.around, each.statement),
    lambda each: (each.mutant.scope, *each.changed, each.around),
    lambda each: (*each.changed, each.around, each.statement),
)
"""From near to far: the same statement, the same expression, a statement that has moved."""


def align_mutants(
    before: Sequence[Mutant],
    root_before: str,
    after: Sequence[Mutant],
    root_after: str,
    renamed: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """Ids of mutants before, each with the id of the same mutant after.

    `renamed`: files that have another name after.
    """
    pairs: dict[str, str] = {}
    for file in dict.fromkeys(each.file for each in before):
        other = (renamed or {}).get(file, file)
        old = _placed([each for each in before if each.file == file], root_before)
        new = _placed([each for each in after if each.file == other], root_after)
        for key in _PASSES:
            found = _matched(old, new, key)
            pairs |= {one.mutant.id: two.mutant.id for one, two in found}
            old = [each for each in old if each.mutant.id not in pairs]
            known = {two.mutant.id for _, two in found}
            new = [each for each in new if each.mutant.id not in known]
    return pairs


def _matched(
    old: list[_Placed], new: list[_Placed], key: Callable[[_Placed], Key]
) -> list[tuple[_Placed, _Placed]]:
    """Those of equal keys, in an order that both sides share."""
    matcher = SequenceMatcher(None, [key(e) for e in old], [key(e) for e in new], autojunk=False)
    return [
        (old[block.a + number], new[block.b + number])
        for block in matcher.get_matching_blocks()
        for number in range(block.size)
    ]


def _placed(mutants: Sequence[Mutant], root: str) -> list[_Placed]:
    if not mutants:
        return []
    source = source_of(root, mutants[0].file)
    lines = source.decode("utf-8", "replace").split("\n")
    around = _Enclosing(source)
    return [
        _Placed(
            each,
            (each.operator, _plain(source[each.start : each.end]), _plain(each.replacement)),
            around.of(each.start, each.end),
            _plain(" ".join(lines[each.first_line - 1 : each.last_line])),
        )
        for each in mutants
    ]


def _plain(text: str | bytes) -> str:
    """As Python would write it; layout makes no difference."""
    said = text.decode("utf-8", "replace") if isinstance(text, bytes) else text
    try:
        return unparse(parse_module(said.strip()))
    except NOT_PYTHON:
        return " ".join(said.split())  # the head of a compound statement


class _Enclosing:
    """What a place of a file stands in: the smallest larger expression, else its statement."""

    def __init__(self, source: bytes) -> None:
        self._starts = [0]
        for line in source.split(b"\n"):
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._spans: list[tuple[int, int, ast.expr | ast.stmt]] = []
        self._collect(fresh_module(source))

    def of(self, start: int, end: int) -> str:
        """As text; of a statement only its kind, for the rest of it may have changed."""
        larger = [
            (last - first, node)
            for first, last, node in self._spans
            if first <= start and end <= last and (first, last) != (start, end)
        ]
        if not larger:
            return ""
        node = min(larger, key=lambda each: each[0])[1]
        return unparse(node) if isinstance(node, ast.expr) else type(node).__name__

    def _collect(self, tree: ast.Module) -> None:
        for node in ast.walk(tree):
            if isinstance(node, ast.expr | ast.stmt) and node.end_lineno is not None:
                first = self._starts[node.lineno - 1] + node.col_offset
                last = self._starts[node.end_lineno - 1] + (node.end_col_offset or 0)
                self._spans.append((first, last, node))


FEW = 10
"""Mutants that show whether a test is sharp, where it is."""
_SHARE = 1 / 8
"""Of the budget: what the verdicts of one side may take."""
_SHOWN = 160
_EVERY = 100_000
_ENDS_NOW = (MutantVerdict.TIMEOUT, MutantVerdict.SURVIVED)
Lines = Mapping[str, frozenset[int]]


@dataclass(frozen=True, slots=True)
class MutantsCompared:
    """One set of mutants, judged by the suite before and by the suite after."""

    before: Mapping[str, JudgedMutant]
    after: Mapping[str, JudgedMutant]
    wanted: int = 0
    """How many were to be judged: time may not have allowed for all."""

    @property
    def is_enough(self) -> bool:
        """Whether so many were judged on both sides that they say something."""
        judged = sum(name in self.after for name in self.before)
        uncovered = MutantVerdict.NOT_COVERED  # which costs nothing to say, and says little
        run = [
            n
            for n in self.common
            if uncovered not in (self.before[n].verdict, self.after[n].verdict)
        ]
        return judged >= self.wanted or len(run) >= FEW

    @property
    def common(self) -> tuple[str, ...]:
        """Mutants with a verdict that counts on both sides.

        One that only made the old code hang, and does not make the new one, is none: of what it
        answers the suite never said anything.
        """
        return tuple(
            name
            for name, judged in self.before.items()
            if judged.verdict.counts
            and name in self.after
            and self.after[name].verdict.counts
            and (judged.verdict, self.after[name].verdict) != _ENDS_NOW
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
    cpu_seconds: float = math.inf,
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
        cpu_seconds=cpu_seconds,
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
    """Mutants that code before and code after have in common, each judged by its own suite.

    Either side has its share of the budget; only what got a verdict before is asked after.
    """
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
    most = min(_SHARE * plan.section.budget_seconds, plan.seconds_left / 2)
    old = judge_mutants(base, sandbox, plan, lines[0], frozenset(chosen), doubted, most)
    there = frozenset(same[name] for name in old)
    new = judge_mutants(head, sandbox, plan, lines[1], there, doubted, most)
    both = {name: new[same[name]] for name in old if same[name] in new}
    return MutantsCompared(old, both, len(chosen))


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


def judge_added(
    base: MeasuredTree,
    head: MeasuredTree,
    lines: Lines,
    sandbox: Sandbox,
    plan: TrialPlan,
    doubted: list[str],
) -> MutantsCompared:
    """Mutants of some lines, judged by a suite and by the same suite with tests added to it.

    What the suite notices, the larger one does, too: only what it leaves open is asked about again.
    Where that is more than the settings allow, as large a share is taken of what it notices.
    """
    most = min(_SHARE * plan.section.budget_seconds, plan.seconds_left / 3)
    every = with_mutants(plan, _EVERY)
    known = judge_mutants(base, sandbox, every, lines, cpu_seconds=most)
    before = {name: each for name, each in known.items() if each.verdict.counts}
    noticed = [name for name, each in before.items() if each.verdict.is_detected]
    left = [name for name, each in before.items() if not each.verdict.is_detected]
    chosen = spread_sample(left, plan.section.mutants, str)
    if len(chosen) < len(left):
        share = len(chosen) / len(left)
        noticed = spread_sample(noticed, math.ceil(share * len(noticed)), str)
    wanted = frozenset(chosen)
    asked = judge_mutants(head, sandbox, plan, lines, wanted, doubted) if wanted else {}
    after = {**{name: before[name] for name in noticed}, **asked}
    return MutantsCompared({name: before[name] for name in after if name in before}, after)


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
    mutants: frozenset[str] | None = None,
) -> Mapping[str, JudgedMutant] | None:
    """Verdicts of the new tests with every assertion taken out: what they notice still, crashes.

    `only`: ids of some of them. `mutants`: ids of those to judge. None when the tests cannot
    run so.
    """
    files = [
        edit
        for edit in change.edits
        if edit.after is not None
        and edit.path.endswith(".py")
        and (is_test_path(edit.path, plan.section) or is_test_module(edit.path))
    ]
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
            tree = MeasuredTree(project, head.coverage)
            return judge_mutants(tree, sandbox, plan, lines, mutants)
        except MachineryError:
            return None
